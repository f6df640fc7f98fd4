/* Replies of a type that their commands never return become errors. */

import { numberTooLarge, replyUnexpected } from "../errors/driver.ts"
import { KeywrightError } from "../errors/error.ts"
import type { Command, Reply, Script } from "./driver.ts"
import { COUNT, expectedInstead, expectedOfScript, kindOf } from "./reply-kind.ts"

export function fittingOne(command: Command, reply: Reply): Reply {
  if (typeof reply === "object" && reply instanceof KeywrightError) return reply
  const expected = expectedInstead(command, reply)
  if (expected === undefined) return reply
  if (typeof reply === "bigint" && expected === COUNT) return numberTooLarge(String(command[0]))
  return replyUnexpected(String(command[0]), kindOf(reply), expected)
}

/** `words` is what follows the digest of the script. */
export function fittingScript({ name, answering }: Script, words: Command, reply: Reply): Reply {
  if (answering === undefined || reply instanceof KeywrightError) return reply
  const expected = expectedOfScript(answering(words), reply)
  return expected === undefined ? reply : replyUnexpected(`script ${name}`, kindOf(reply), expected)
}

/** In place: the array is ours. */
export function fitting(commands: readonly Command[], replies: readonly Reply[]): Reply[] {
  const own = replies as Reply[]
  for (const [i, command] of commands.entries()) own[i] = fittingOne(command, own[i] as Reply)
  return own
}
