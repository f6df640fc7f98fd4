/* A schema that somebody else wrote, on a server or in a file, brings regular expressions and references that may take
 * forever. Such work cannot be asked to stop: only the engine can end it, as it does for a script and all that it calls. */

import { createContext, Script } from "node:vm"

/** More than twice of what the largest schemas take. */
const MOST_MS = 60_000

const script = new Script("work()")

/** What the work returns, which waits for nothing; if it takes longer, it is ended, and `refusal` is thrown. */
export function withinTime<T>(work: () => T, refusal: () => Error, timeoutMs = MOST_MS): T {
  let result: T | undefined
  const context = createContext({ work: () => void (result = work()) })
  try {
    script.runInContext(context, { timeout: timeoutMs })
  } catch (error) {
    throw (error as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? refusal() : error
  }
  return result as T
}
