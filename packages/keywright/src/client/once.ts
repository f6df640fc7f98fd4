/* Effects that happen once. A client that sends a command again after a lost reply
 * cannot know whether the first one arrived; with an operation id it need not. The
 * result is remembered under keywright:op:, for longer than anybody repeats a call. */

import { randomUUID } from "node:crypto"
import type { Command, Reply, Wire } from "../driver/driver.ts"
import { slotTag } from "./slot-tag.ts"
import type { OnceNotes } from "./handle.ts"
import type { Lane } from "./lane.ts"
import { onceScript } from "./lua/index.ts"

const REMEMBERED_MS = 60_000

export function once(lane: Lane, key: string, commands: readonly Command[], notes: OnceNotes = {}): Promise<Reply> {
  const operation = `keywright:op:${slotTag(key, lane.driver.cluster)}${notes.operationId ?? randomUUID()}`
  // The digest makes a repetition harmless, so the driver may send it again.
  return lane.script(onceScript, [key, operation], [String(REMEMBERED_MS), ...wordsOf(commands)], {
    ...notes,
    safe: true,
  })
}

/** Commands on one key, flat: number of words, name, words after the key. */
export const wordsOf = (commands: readonly Command[]): Wire[] =>
  commands.flatMap(([name, , ...rest]) => [String(rest.length + 1), name!, ...rest])
