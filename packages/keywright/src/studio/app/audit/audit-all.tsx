import { countText } from "../../../render/quantity.ts"
import { Button } from "../parts/button.tsx"
import { Card } from "../parts/card.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { Progress } from "../parts/progress.tsx"
import { Table } from "../parts/table.tsx"
import { href, route } from "../state/route.ts"
import { audits, systems } from "../state/studio.ts"
import { startAudit } from "./start-audit.ts"

export function AuditAll() {
  const { code } = route.value.query
  const isRunning = Object.values(audits.value).some(({ state }) => state === "running")
  return (
    <div class="page">
      <PageHead
        title="Audit"
        lead="Does the data match its schema? Every key is read and checked: type, TTL, value, indexes both ways, references. Nothing is written."
      >
        <Button
          look="first"
          text={isRunning ? "Running…" : "Audit all"}
          disabled={isRunning}
          onClick={() => systems.value.forEach(({ name }) => startAudit(name))}
        />
      </PageHead>
      <Card title={code === undefined ? "Systems" : `Where ${code} was found`}>
        <Table
          arrows
          columns={[
            "System",
            "State",
            { number: "Keys read" },
            { number: "Findings" },
            { number: "Repairable" },
            "What most of them are",
          ]}
        >
          {systems.value
            .filter(({ name }) => code === undefined || (audits.value[name]?.summary[code] ?? 0) > 0)
            .map(({ name, title }) => (
              <SystemRow key={name} name={name} title={title} code={code} />
            ))}
        </Table>
      </Card>
    </div>
  )
}

interface RowProps {
  readonly name: string
  readonly title: string
  readonly code: string | undefined
}

function SystemRow({ name, title, code }: RowProps) {
  const audit = audits.value[name]
  const worst = Object.entries(audit?.summary ?? {}).sort(([, a], [, b]) => b - a)[0]
  return (
    <tr class="go">
      <td>
        <a href={href("audit", [name], { code })} data-row>
          <b>{title}</b>
        </a>
      </td>
      <td class="state-cell">
        {audit === undefined || audit.state === "never" ? (
          <span class="quiet">not yet</span>
        ) : audit.state === "running" ? (
          <Progress part={audit.of === 0 ? undefined : audit.keys / audit.of} label={`Audit of ${title}`} />
        ) : audit.state === "done" ? (
          <span class={audit.findings === 0 ? "badge good" : "badge"}>{audit.findings === 0 ? "clean" : "done"}</span>
        ) : (
          <span class="badge bad">{audit.state}</span>
        )}
      </td>
      <td class="number">{countText(audit?.keys ?? 0)}</td>
      <td class="number">{countText(audit?.findings ?? 0)}</td>
      <td class="number">{countText(audit?.fixable ?? 0)}</td>
      <td class="quiet">{worst === undefined ? "" : (audit?.codes[worst[0]]?.title ?? worst[0])}</td>
    </tr>
  )
}
