/* What is refused before anything is sent: commands that would change the meaning of
 * other callers' replies on a shared connection, and arguments that are not strings or
 * bytes. */

import type { KeywrightError } from "../errors/error.ts"
import { notForSharing, notSendable } from "../errors/driver.ts"
import type { Command } from "./driver.ts"

const NAMES = (
  "SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR SYNC PSYNC " +
  "MULTI EXEC DISCARD WATCH UNWATCH HELLO RESET QUIT SELECT"
).split(" ")
const REFUSED = new Set([...NAMES, ...NAMES.map((name) => name.toLowerCase())])

/** Why a command cannot be sent; undefined when it can. */
export function refusalOf(command: Command): KeywrightError | undefined {
  for (let i = 0; i < command.length; i++) {
    const word: unknown = command[i]
    if (typeof word !== "string" && !(word instanceof Uint8Array)) return notSendable(String(command[0]), i, word)
  }
  return disturbsOthers(command) ? notForSharing(String(command[0])) : undefined
}

/** The first refusal among several. */
export function refusalAmong(commands: readonly Command[]): KeywrightError | undefined {
  for (const command of commands) {
    const refusal = refusalOf(command)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function disturbsOthers(command: Command): boolean {
  const name = command[0]
  if (REFUSED.has(name as string)) return true
  return command.length > 1 && (name === "CLIENT" || name === "client") && /^reply$/i.test(String(command[1]))
}
