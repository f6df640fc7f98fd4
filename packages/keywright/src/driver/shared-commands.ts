/* Commands that would change the meaning of other callers' replies on a shared
 * connection: they are refused before anything is sent. */

import type { Command } from "./driver.ts"

const NAMES = (
  "SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR SYNC PSYNC " +
  "MULTI EXEC DISCARD WATCH UNWATCH HELLO RESET QUIT SELECT"
).split(" ")
const REFUSED = new Set([...NAMES, ...NAMES.map((name) => name.toLowerCase())])

export function disturbsOthers(command: Command): boolean {
  const name = command[0]
  if (REFUSED.has(name as string)) return true
  return command.length > 1 && (name === "CLIENT" || name === "client") && /^reply$/i.test(String(command[1]))
}
