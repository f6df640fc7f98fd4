import type { ApplyAnswer, PlanState } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { call } from "../state/call.ts"
import { useAttempt } from "../state/use-attempt.ts"

interface Props {
  readonly system: string
  readonly plan: PlanState
  readonly onClose: () => void
  readonly onDone: (answer: ApplyAnswer) => void
}

/** Says what will be done to which system, and does it when that is confirmed. */
export function ApplyDialog({ system, plan, onClose, onDone }: Props) {
  const { error, busy, attempt } = useAttempt()
  const body = { id: plan.id, confirm: plan.confirm }
  const apply = () => attempt(async () => onDone(await call("POST /api/systems/:system/audit/apply", { system, body })))
  return (
    <Dialog title="Apply the plan?" onClose={onClose}>
      <div class="dialog-body">
        <p>
          <b class="break">{plan.confirm}</b>
        </p>
        <p class="quiet">
          Each action is compared with what was found and does nothing if that has changed meanwhile. Afterwards the
          audit runs again.
        </p>
        {error === undefined ? null : <FailureNote error={error} />}
      </div>
      <div class="dialog-foot">
        <Button text="Cancel" onClick={onClose} />
        <Button look="first" text={busy ? "Applying…" : "Apply"} disabled={busy} onClick={() => void apply()} />
      </div>
    </Dialog>
  )
}
