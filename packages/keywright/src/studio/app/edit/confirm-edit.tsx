/* The last word before something is written: which key, what happens to it, and by
 * which commands. What the schema refuses goes back to the form, field by field. */

import { useEffect, useState } from "preact/hooks"
import type { Edit, EditDone, EditPreview, Failure, Issue } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { ShownCode, ShownText } from "../parts/shown-text.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { call, failureFrom } from "../state/call.ts"
import { loadOverview } from "../state/studio.ts"

interface Props {
  readonly system: string
  readonly edit: Edit
  readonly onClose: () => void
  readonly onDone: (done: EditDone) => void
  readonly onIssues?: (issues: readonly Issue[]) => void
}

const verbs: Readonly<Record<Edit["op"], string>> = {
  create: "Create",
  change: "Change",
  put: "Save",
  remove: "Remove",
  delete: "Delete",
}

export function ConfirmEdit({ system, edit, onClose, onDone, onIssues }: Props) {
  const [preview, setPreview] = useState<EditPreview | undefined>(undefined)
  const [error, setError] = useState<Failure["error"] | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const fail = (thrown: unknown) => {
    const failure = failureFrom(thrown)
    setBusy(false)
    if (failure.issues !== undefined && onIssues !== undefined) onIssues(failure.issues)
    else setError(failure)
  }
  useEffect(() => {
    call("POST /api/systems/:system/edit/preview", { system, body: edit }).then(setPreview, fail)
  }, [])
  const act = async () => {
    if (preview === undefined) return
    try {
      setBusy(true)
      const body = { ...edit, confirm: preview.confirm }
      onDone(await call("POST /api/systems/:system/edit", { system, body }))
      loadOverview(system).catch(() => undefined)
    } catch (thrown) {
      fail(thrown)
    }
  }
  const isLoss = edit.op === "delete" || edit.op === "remove"
  return (
    <Dialog title={`${verbs[edit.op]}?`} onClose={onClose}>
      <div class="dialog-body">
        {preview === undefined && error === undefined ? <Skeleton rows={3} /> : null}
        {preview === undefined ? null : (
          <>
            <p class="confirm-key">
              <ShownCode class="key break" text={preview.confirm} />
            </p>
            <p class="break">
              <ShownText text={preview.text} />
            </p>
            {preview.commands.length === 0 ? null : (
              <details open={preview.commands.length < 8}>
                <summary class="quiet small">What is sent</summary>
                <code class="pre block">
                  <ShownText text={preview.commands.join("\n")} lines />
                </code>
              </details>
            )}
          </>
        )}
        {error === undefined ? null : <FailureNote error={error} />}
      </div>
      <div class="dialog-foot">
        <Button text="Cancel" onClick={onClose} />
        <Button
          look={isLoss ? "danger" : "first"}
          text={verbs[edit.op]}
          disabled={busy || preview === undefined}
          onClick={() => void act()}
        />
      </div>
    </Dialog>
  )
}
