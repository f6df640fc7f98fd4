/* What is refused before anything is sent: commands that would change the meaning of
 * other callers' replies on a shared connection, commands without a word, which servers do
 * not answer, and arguments that are not strings or bytes. */

import type { KeywrightError } from "../errors/error.ts"
import { noCommand, notForSharing, notSendable } from "../errors/driver.ts"
import type { Command, Wire } from "./driver.ts"

const REFUSED = new Set(
  (
    "SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR SYNC PSYNC " +
    "MULTI EXEC DISCARD WATCH UNWATCH HELLO RESET QUIT SELECT"
  ).split(" "),
)

/** Why a command cannot be sent; undefined when it can. */
export function refusalOf(command: Command): KeywrightError | undefined {
  if (!Array.isArray(command) || command.length === 0) return noCommand()
  for (let i = 0; i < command.length; i++) {
    const word: unknown = command[i]
    if (typeof word !== "string" && !(word instanceof Uint8Array)) return notSendable(String(command[0]), i, word)
  }
  return disturbsOthers(command) ? notForSharing(nameOf(command[0]!)) : undefined
}

/** The first refusal among several. */
export function refusalAmong(commands: readonly Command[]): KeywrightError | undefined {
  for (const command of commands) {
    const refusal = refusalOf(command)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Names as they were given that disturb nobody: this is asked of every call, and there are few of them. */
const harmless = new Set<Wire>()
const MOST_NAMES = 1000
const LONGEST_NAME = 40

function disturbsOthers(command: Command): boolean {
  const given = command[0]!
  if (harmless.has(given)) return false
  const name = nameOf(given)
  if (name === "CLIENT") return command.length > 1 && nameOf(command[1]!) === "REPLY"
  if (REFUSED.has(name)) return true
  if (typeof given === "string" && given.length <= LONGEST_NAME && harmless.size < MOST_NAMES) harmless.add(given)
  return false
}

/** As the server reads it: in any case, as text or as bytes. */
const nameOf = (word: Wire): string => (typeof word === "string" ? word : Buffer.from(word).toString()).toUpperCase()
