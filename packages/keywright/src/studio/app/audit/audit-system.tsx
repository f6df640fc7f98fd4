import type { SystemInfo } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { Empty } from "../parts/empty.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { SystemTabs } from "../parts/system-tabs.tsx"
import { audits } from "../state/studio.ts"
import { AuditProgress } from "./audit-progress.tsx"
import { Findings } from "./findings.tsx"
import { PlanCard } from "./plan-card.tsx"
import { startAudit, stopAudit } from "./start-audit.ts"

/** One system's audit: run it, watch it, read it, repair it, see it clean. */
export function AuditSystem({ system }: { readonly system: SystemInfo }) {
  const { name, title } = system
  const audit = audits.value[name]
  const isRunning = audit?.state === "running"
  return (
    <div class="page">
      <PageHead title={`Audit of ${title}`}>
        <SystemTabs view="audit" chosen={name} all />
        {isRunning ? (
          <Button text="Stop" onClick={() => stopAudit(name)} />
        ) : (
          <Button
            look="first"
            text={audit === undefined || audit.state === "never" ? "Run the audit" : "Run again"}
            onClick={() => startAudit(name)}
          />
        )}
      </PageHead>
      {audit === undefined ? null : audit.state === "never" ? (
        <div class="card">
          <Empty
            title="Not audited yet"
            text="An audit reads every key once, and anything suspicious twice. It uses SCAN, never KEYS, and writes nothing; the server stays in use."
          />
        </div>
      ) : (
        <div class="stack">
          <AuditProgress audit={audit} />
          {audit.error === undefined ? null : (
            <div class="card">
              <FailureNote error={audit.error} again={() => startAudit(name)} />
            </div>
          )}
          {audit.findings > 0 ? (
            <>
              {isRunning ? null : <PlanCard system={name} audit={audit} />}
              <Findings system={name} audit={audit} />
            </>
          ) : audit.state === "done" ? (
            <div class="card">
              <Empty title="Clean" text="Data and schema agree: every key fits its pattern, every index its records." />
            </div>
          ) : null}
        </div>
      )}
    </div>
  )
}
