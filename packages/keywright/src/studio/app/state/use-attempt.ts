import { useState } from "preact/hooks"
import type { Failure } from "../../api.ts"
import { failureFrom } from "./call.ts"

/** Something that a view does on request. What goes wrong is its `error`, until the next attempt. */
export function useAttempt() {
  const [error, setError] = useState<Failure["error"] | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      setError(undefined)
      setBusy(true)
      await work()
    } catch (thrown) {
      setError(failureFrom(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { error, busy, attempt }
}
