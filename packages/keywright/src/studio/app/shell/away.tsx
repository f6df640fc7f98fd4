import type { Failure } from "../../api.ts"
import { FailureNote } from "../parts/failure-note.tsx"
import { load } from "../state/studio.ts"

/** Nothing can be shown at all: no session, or no server. */
export const Away = ({ error }: { readonly error: Failure["error"] }) => (
  <main class="away">
    <img src="/icon.svg" alt="" width="44" height="44" />
    <h1>
      {error.code === "STUDIO.NO_SESSION" ? "Open the link that the studio printed" : "The studio cannot be shown"}
    </h1>
    <div class="card">
      <FailureNote error={error} again={() => void load()} />
    </div>
  </main>
)
