/* Commands on one key as one step: a write, and the deadline that follows it. MULTI carries out what comes after a
 * command that was refused, too: so a deadline that a refused call has moved is put back, since the key may hold what
 * another program never wants to expire. With NX nothing more has to be read for that: the key had none. */

import type { CallOptions, Command, Reply } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import { halfWritten } from "../../errors/transaction.ts"
import type { Lane } from "./lane.ts"

/** The reply of the first. */
export async function oneStep(lane: Lane, commands: readonly Command[], options?: CallOptions): Promise<Reply> {
  const [name, key, , condition] = commands.at(-1) as readonly string[]
  const isDeadline = name === "PEXPIRE" || name === "PERSIST"
  if (!isDeadline || lane.each === undefined) return (await lane.atomic(commands, options))[0]!
  const isKnown = condition === "NX"
  const replies = await lane.each(isKnown ? commands : [["PTTL", key!], ...commands], options)
  const leftMs = isKnown ? -1 : Number(replies.shift())
  const [first] = replies
  if (first instanceof KeywrightError && replies.at(-1) === 1) await putBack(lane, key!, leftMs, first)
  for (const reply of replies) if (reply instanceof KeywrightError) throw reply
  return first!
}

/** Gives a key the deadline again that it had before a call was refused: what PTTL said, below zero for none. */
export async function putBack({ driver }: Lane, key: string, leftMs: number, refusal: KeywrightError): Promise<void> {
  try {
    await driver.send(leftMs < 0 ? ["PERSIST", key] : ["PEXPIRE", key, String(leftMs)], SAFE)
  } catch {
    throw halfWritten(refusal.message)
  }
}
