import type { Command, Reply } from "../../driver/driver.ts"
import type { Declared } from "../call/declared.ts"
import type { CallNotes } from "../kinds/handle.ts"
import type { Lane } from "../call/lane.ts"
import { keyWriteScript } from "../lua/index.ts"
import { wordsOf } from "./command-words.ts"

/** Changes a key of a loaded family, whose deadline stays; null when the family is not loaded. */
export function familyWrite(
  lane: Lane,
  declared: Declared,
  key: string,
  commands: readonly Command[],
  notes?: CallNotes,
): Promise<Reply> {
  return lane.script(keyWriteScript, [key, ...familyKeys(declared, key)], ["0", ...wordsOf(commands)], notes)
}

/** The keys that say whether the family of a key is loaded: its marker, or where it has none, all of them. */
export function familyKeys(declared: Declared, key: string): string[] {
  const params = declared.format.parse(key) ?? {}
  const marker = declared.family!.find((member) => member.row.marker)
  return (marker ? [marker] : declared.family!).map((member) => member.build(params))
}
