/* Commands on one plain key, carried out once. A client that sends a command again after
 * a lost reply cannot know whether the first one arrived; with an operation id it need not.
 * key-write.lua remembers the result under keywright:op:, for longer than a call is
 * repeated. Plans, which entities and transactions make, have apply.lua for this. */

import type { CallOptions, Command, Reply } from "../../driver/driver.ts"
import { keyWrite, wordsOf } from "./command-words.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import { familyKeys } from "./key-write.ts"
import type { OnceNotes } from "../call/notes.ts"
import type { Lane } from "../call/lane.ts"
import { operationKey, rememberedMs } from "../plan/operation-key.ts"

export function once(
  lane: Lane,
  ready: ReadyKey,
  key: string,
  commands: readonly Command[],
  notes: CallOptions & OnceNotes = {},
): Promise<Reply> {
  const operation = operationKey(notes.operationId, String(commands[0]![0]), [key], lane.driver.cluster)
  const family = ready.family ? familyKeys(ready, key) : []
  const { operationId: _, rememberFor, ...call } = notes
  const remembered = String(rememberedMs(lane, rememberFor))
  // The operation id makes a repetition harmless, so the driver may send it again.
  const options = { ...call, safe: true }
  return lane.script(keyWrite, [key, ...family, operation], [remembered, ...wordsOf(commands)], options)
}
