import { useState } from "preact/hooks"
import type { ApplyAnswer, Failure, PlanState } from "../../api.ts"
import { Dialog } from "../parts/dialog.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { call, failureFrom } from "../state/call.ts"

interface Props {
  readonly system: string
  readonly plan: PlanState
  readonly onClose: () => void
  readonly onDone: (answer: ApplyAnswer) => void
}

/** Says what will be done to which system, and does it when that is confirmed. */
export function ApplyDialog({ system, plan, onClose, onDone }: Props) {
  const [error, setError] = useState<Failure["error"] | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const apply = async () => {
    try {
      setBusy(true)
      const body = { id: plan.id, confirm: plan.confirm }
      onDone(await call("POST /api/systems/:system/audit/apply", { system, body }))
    } catch (thrown) {
      setError(failureFrom(thrown))
      setBusy(false)
    }
  }
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
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="button first" disabled={busy} onClick={() => void apply()}>
          {busy ? "Applying…" : "Apply"}
        </button>
      </div>
    </Dialog>
  )
}
