/* Commands on one key, as key-write.lua takes them. */

import type { Answering, Command, Script, Wire } from "../../driver/driver.ts"
import { mostBytesOf } from "../../driver/reply-kind.ts"
import { scriptTooLong } from "../../errors/batch.ts"
import { keyWriteScript } from "../lua/index.ts"

/** What Lua's unpack can put on its stack, with room to spare. */
const MOST_UNPACKED = 7000

/**
 * key-write.lua returns what its first command does, or nothing when the family is not loaded. Behind the keys there
 * are how long that is remembered, and the command's words.
 */
function answering(words: Command): Answering {
  const keys = Number(words[0])
  const at = keys + 2
  const [name, ...rest] = words.slice(at + 1, at + 1 + Number(words[at]))
  return { command: [name!, "", ...rest], mayBeNothing: keys > (words[keys + 1] === "0" ? 1 : 2) }
}

export const keyWrite: Script = Object.freeze({
  ...keyWriteScript,
  answering,
  mostBytes: (words: Command) => mostBytesOf(answering(words).command),
})

/** Commands on one key, flat: number of words, name, words after the key. */
export const wordsOf = (commands: readonly Command[]): Wire[] =>
  commands.flatMap(([name, , ...rest]) => {
    if (rest.length > MOST_UNPACKED) throw scriptTooLong(rest.length, MOST_UNPACKED)
    return [String(rest.length + 1), name!, ...rest]
  })
