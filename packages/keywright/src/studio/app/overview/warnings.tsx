import type { CheckFinding } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { Empty } from "../parts/empty.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { call } from "../state/call.ts"
import { useAnswer } from "../state/use-answer.ts"

const tones = { error: "bad", warning: "warn", note: "" } as const

/** What the servers' settings endanger: what `keywright doctor` says. */
export function Warnings({ names }: { readonly names: readonly string[] }) {
  const { data, error, again } = useAnswer(names.join(" "), (signal) =>
    Promise.all(names.map((system) => call("GET /api/systems/:system/doctor", { system, signal }))),
  )
  const rows = together(names.map((name, i) => ({ name, findings: data?.[i]?.findings ?? [] })))
  return (
    <Card title="Warnings from doctor" aside={data === undefined ? undefined : "settings against schema"}>
      {error !== undefined ? (
        <FailureNote error={error} again={again} />
      ) : data === undefined ? (
        <Skeleton rows={5} />
      ) : rows.length === 0 ? (
        <Empty title="No warnings" text="Memory limits, eviction, persistence, access and version fit the schema." />
      ) : (
        <ul class="warnings body">
          {rows.map(({ finding: { code, severity, message, why, fix }, told }) => (
            <li key={code}>
              <details>
                <summary>
                  <span class={`badge ${tones[severity]}`}>{severity}</span>
                  <span>
                    {message}
                    {told.length > 1 ? <span class="quiet"> (and {told.length - 1} more systems)</span> : null}
                  </span>
                </summary>
                <p class="quiet small">
                  <code>{code}</code>
                </p>
                {told.length < 2 ? null : (
                  <ul class="quiet small">
                    {told.map(({ name, message: one }) => (
                      <li key={name}>
                        {name}: {one}
                      </li>
                    ))}
                  </ul>
                )}
                {why === undefined ? null : <p>{why}</p>}
                {fix === undefined ? null : (
                  <p>
                    <b>Fix:</b> {fix}
                  </p>
                )}
              </details>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

interface Warned {
  readonly finding: CheckFinding
  readonly told: { readonly name: string; readonly message: string }[]
}

/** A warning that several systems share is shown once. */
function together(of: readonly { readonly name: string; readonly findings: readonly CheckFinding[] }[]): Warned[] {
  const rows = new Map<string, Warned>()
  for (const { name, findings } of of)
    for (const finding of findings) {
      const known = rows.get(finding.code)
      if (known) known.told.push({ name, message: finding.message })
      else rows.set(finding.code, { finding, told: [{ name, message: finding.message }] })
    }
  const order = ["error", "warning", "note"]
  return [...rows.values()].sort((a, b) => order.indexOf(a.finding.severity) - order.indexOf(b.finding.severity))
}
