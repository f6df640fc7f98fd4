/* A message about something that failed and has no other place on the page. */

import { signal } from "@preact/signals"
import type { Failure } from "../../api.ts"
import { failureFrom } from "./call.ts"

export const notice = signal<Failure["error"] | undefined>(undefined)

const SHOWN_MS = 8000

/** Does it; what goes wrong is said for a while. */
export function attempt(work: Promise<unknown>): void {
  work.catch((thrown: unknown) => {
    const said = failureFrom(thrown)
    notice.value = said
    setTimeout(() => notice.value === said && (notice.value = undefined), SHOWN_MS)
  })
}
