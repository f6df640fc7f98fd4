/* A system that was opened without a schema: what it is shown by is a proposal, in memory. A user who
 * likes it saves it as schema.ts. */

import { useState } from "preact/hooks"
import { countText } from "../../../render/quantity.ts"
import { Button } from "../parts/button.tsx"
import { FailureNote } from "../parts/failure-note.tsx"
import { call } from "../state/call.ts"
import { download } from "../state/download.ts"
import { session, systemNamed } from "../state/studio.ts"
import { useAttempt } from "../state/use-attempt.ts"

export function ProposalCard({ name }: { readonly name: string }) {
  const inferred = systemNamed(name)?.inferred
  const [path, setPath] = useState("schema.ts")
  const [said, setSaid] = useState("")
  const { error, attempt } = useAttempt()
  if (inferred === undefined) return null
  const take = () =>
    attempt(async () => {
      setSaid("")
      const { source } = await call("GET /api/systems/:system/proposal", { system: name })
      download("schema.ts", "text/plain", source)
      setSaid("schema.ts was downloaded.")
    })
  const save = () =>
    attempt(async () => {
      setSaid("")
      const { file } = await call("POST /api/systems/:system/proposal/save", { system: name, body: { path } })
      setSaid(`Saved as ${file}, in the folder where the studio was started.`)
    })
  const left = inferred.keys - inferred.explained
  return (
    <section class="card proposal" aria-label="The inferred schema">
      <p>
        <b>No schema was given.</b> What you see is inferred from {countText(inferred.keys)} keys
        {left === 0
          ? ", all of them explained"
          : `; ${countText(left)} of them ${left === 1 ? "is" : "are"} not explained`}
        . Names are guesses, and nothing is repaired by rules that nobody has confirmed.
      </p>
      <div class="proposal-actions">
        <Button look="first" text="Save as schema.ts" onClick={() => void take()} />
        {session.value?.write ? (
          <form class="proposal-path" onSubmit={(event) => (event.preventDefault(), void save())}>
            <label>
              <span class="quiet small">On this machine:</span>{" "}
              <input
                class="input"
                type="text"
                spellcheck={false}
                value={path}
                onInput={({ currentTarget }) => setPath(currentTarget.value)}
              />
            </label>
            <button type="submit" class="button">
              Save there
            </button>
          </form>
        ) : null}
      </div>
      <p role="status" class="quiet small">
        {said}
      </p>
      {error === undefined ? null : <FailureNote error={error} />}
    </section>
  )
}
