/* The console: one command at a time. What it will do is said while it is typed; what writes is
 * asked about first; what belongs to a record leads to the editor. */

import { signal } from "@preact/signals"
import { useState } from "preact/hooks"
import type { ConsoleAnswer, Failure } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { ShownCode, ShownText } from "../parts/shown-text.tsx"
import { SystemTabs } from "../parts/system-tabs.tsx"
import { call, failureFrom } from "../state/call.ts"
import { route } from "../state/route.ts"
import { loadOverview, session, systemNamed, systems } from "../state/studio.ts"
import { ConsoleEntry, type EnteredLine } from "./console-entry.tsx"
import { ConsoleLine } from "./console-line.tsx"

/** What was run in this tab, by system. In memory only: a line may hold a secret. */
const history = signal<Readonly<Record<string, readonly EnteredLine[]>>>({})
const MOST = 100

const entriesOf = (system: string): readonly EnteredLine[] => history.value[system] ?? []

/** The newest first. */
function remember(system: string, entry: EnteredLine): void {
  history.value = { ...history.value, [system]: [entry, ...entriesOf(system)].slice(0, MOST) }
}

type Confirmation = Extract<ConsoleAnswer, { outcome: "confirm" }>

export function ConsoleView() {
  const [name = systems.value[0]?.name ?? ""] = route.value.path
  const system = systemNamed(name)
  const [db, setDb] = useState<number | undefined>(undefined)
  const [asked, setAsked] = useState<{ line: string; answer: Confirmation } | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  if (system === undefined) return null
  const chosen = db ?? system.databases[0]?.db ?? 0
  const run = async (line: string, confirm?: string) => {
    const note = (what: { answer?: ConsoleAnswer; error?: Failure["error"] }) =>
      remember(name, { at: Date.now(), line, db: chosen, ...what } satisfies EnteredLine)
    try {
      setBusy(true)
      const body = { db: chosen, line, ...(confirm !== undefined && { confirm }) }
      const answer = await call("POST /api/systems/:system/console", { system: name, body })
      if (answer.outcome === "confirm") return setAsked({ line, answer })
      note({ answer })
      if (confirm !== undefined) loadOverview(name).catch(() => undefined)
    } catch (thrown) {
      note({ error: failureFrom(thrown) })
    } finally {
      setBusy(false)
    }
  }
  const entries = entriesOf(name)
  return (
    <div class="page">
      <PageHead
        title="Console"
        lead={
          session.value?.write
            ? "One command at a time; those that write have to be confirmed. Records are changed in the editor."
            : "One command at a time, read-only. Start the studio with --write to change data."
        }
      >
        <SystemTabs view="console" chosen={name} />
      </PageHead>
      <div class="card console">
        <ConsoleLine
          system={name}
          db={chosen}
          databases={system.databases}
          busy={busy}
          earlier={entries.map(({ line }) => line)}
          onDb={setDb}
          onRun={(line) => void run(line)}
        />
        <ol aria-label="What was run, the newest first" aria-live="polite">
          {entries.map((entry) => (
            <ConsoleEntry key={entry.at} system={name} entry={entry} />
          ))}
        </ol>
        {entries.length === 0 ? (
          <p class="quiet small console-empty">
            Try <code>SCAN 0</code> or <code>DBSIZE</code>; Tab completes commands and keys, the arrow keys bring back
            earlier lines.
          </p>
        ) : null}
      </div>
      {asked === undefined ? null : (
        <Dialog title="Run it?" onClose={() => setAsked(undefined)}>
          <div class="dialog-body">
            <p class="break">
              <ShownText text={asked.answer.text} />
            </p>
            <ShownCode class="pre block break" text={asked.line} />
          </div>
          <div class="dialog-foot">
            <Button text="Cancel" onClick={() => setAsked(undefined)} />
            <Button
              look="danger"
              text="Run"
              onClick={() => {
                setAsked(undefined)
                void run(asked.line, asked.answer.confirm)
              }}
            />
          </div>
        </Dialog>
      )}
    </div>
  )
}
