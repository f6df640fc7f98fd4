/* Commands on one key, as key-write.lua takes them: not part of a plan. */

import type { Command, Wire } from "../../driver/driver.ts"
import { scriptTooLong } from "../../errors/batch.ts"

/** What Lua's unpack can put on its stack, with room to spare. */
const MOST_WORDS = 7000

/** Commands on one key, flat: number of words, name, words after the key. */
export const wordsOf = (commands: readonly Command[]): Wire[] =>
  commands.flatMap(([name, , ...rest]) => {
    if (rest.length > MOST_WORDS) throw scriptTooLong(rest.length, MOST_WORDS)
    return [String(rest.length + 1), name!, ...rest]
  })
