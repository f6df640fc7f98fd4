/* Writes to a key of a family, by key-write.lua. */

import type { Command, Reply } from "../../driver/driver.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import type { CallNotes } from "../call/notes.ts"
import type { Lane } from "../call/lane.ts"
import { keyWrite, wordsOf } from "./command-words.ts"

/** Changes a key of a loaded family, whose deadline stays; null when the family is not loaded. */
export function familyWrite(
  lane: Lane,
  ready: ReadyKey,
  key: string,
  commands: readonly Command[],
  notes?: CallNotes,
): Promise<Reply> {
  return lane.script(keyWrite, [key, ...familyKeys(ready, key)], ["0", ...wordsOf(commands)], notes)
}

/** The keys that say whether the family of a key is loaded: its marker, or where it has none, all of them. */
export function familyKeys(ready: ReadyKey, key: string): string[] {
  const params = ready.format.parse(key) ?? {}
  const marker = ready.family!.find((member) => member.declared.marker)
  return (marker ? [marker] : ready.family!).map((member) => member.build(params))
}
