/* The repair plan: what would be done, command by command, and what stays for a person.
 * Making it reads only; carrying it out needs --write and a word of confirmation. */

import { useState } from "preact/hooks"
import { counted, countText } from "../../../render/quantity.ts"
import type { ApplyAnswer, AuditState, Deletion, PlanState } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { Card } from "../parts/card.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { call } from "../state/call.ts"
import { audits, put, session, systemNamed } from "../state/studio.ts"
import { useAttempt } from "../state/use-attempt.ts"
import { ApplyDialog } from "./apply-dialog.tsx"
import { PlanRows } from "./plan-rows.tsx"

const words: Readonly<Record<Deletion, string>> = {
  unknown: "delete keys that no pattern owns",
  broken: "delete what cannot be read, or has the wrong type",
  conflicts: "delete records that contradict others",
  fields: "delete fields that are not declared",
  orphans: "delete sets whose owner is gone",
  excess: "trim what is over the limit",
}

export function PlanCard({ system, audit }: { readonly system: string; readonly audit: AuditState }) {
  const [plan, setPlan] = useState<PlanState | undefined>(undefined)
  const [chosen, setChosen] = useState<readonly Deletion[]>([])
  const [asking, setAsking] = useState(false)
  const { error, attempt } = useAttempt()
  const make = (next: readonly Deletion[]) =>
    attempt(async () => {
      setChosen(next)
      setPlan(await call("POST /api/systems/:system/audit/plan", { system, body: { delete: next } }))
    })
  const applied = ({ audit: next }: ApplyAnswer) => {
    setAsking(false)
    setPlan(undefined)
    put(audits, system, next)
  }
  const left = Object.entries(plan?.left ?? {})
  const deletable = Object.entries(plan?.deletable ?? {}).filter(
    ([word, count]) => count > 0 || chosen.includes(word as Deletion),
  ) as [Deletion, number][]
  if (systemNamed(system)?.inferred)
    return (
      <div class="card plan-offer">
        <p>
          These rules are inferred and not confirmed yet: nothing is repaired by them. Save the proposal as schema.ts,
          correct it, and start the studio with it.
        </p>
      </div>
    )
  if (plan === undefined)
    return (
      <div class="card plan-offer">
        {audit.fixable === 0 ? (
          <p>
            None of these can be repaired without deleting something that is not derived: a plan shows what could be
            deleted.
          </p>
        ) : (
          <p>
            <b>{countText(audit.fixable)}</b> of {countText(audit.findings)} findings can be repaired without deleting
            anything that is not derived.
          </p>
        )}
        <Button text="Make a plan" onClick={() => void make([])} />
        {error === undefined ? null : <FailureNote error={error} />}
      </div>
    )
  return (
    <Card
      title="Repair plan"
      aside={
        session.value?.write ? (
          <Button
            look="first"
            text={`Apply ${counted(plan.actions, "action")}`}
            disabled={plan.actions === 0}
            onClick={() => setAsking(true)}
          />
        ) : (
          <span>
            to apply it, start the studio with <code>--write</code>
          </span>
        )
      }
    >
      <div class="section-notes">
        {deletable.length === 0 ? null : (
          <fieldset class="checks">
            <legend class="quiet small">Only on request:</legend>
            {deletable.map(([word, count]) => (
              <label key={word}>
                <input
                  type="checkbox"
                  checked={chosen.includes(word)}
                  onChange={({ currentTarget }) =>
                    void make(currentTarget.checked ? [...chosen, word] : chosen.filter((one) => one !== word))
                  }
                />{" "}
                {words[word] ?? word} <span class="quiet">({countText(count)})</span>
              </label>
            ))}
          </fieldset>
        )}
        {left.length === 0 ? null : (
          <p class="quiet small">
            Decide these yourself:{" "}
            {left.map(([code, count]) => `${countText(count)} × ${audit.codes[code]?.title ?? code}`).join("; ")}.
          </p>
        )}
        {error === undefined ? null : <FailureNote error={error} />}
      </div>
      <PlanRows system={system} plan={plan} onAgain={() => void make(chosen)} />
      {asking ? <ApplyDialog system={system} plan={plan} onClose={() => setAsking(false)} onDone={applied} /> : null}
    </Card>
  )
}
