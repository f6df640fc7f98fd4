/* The limits on what one script can be given, and how commands are split to fit. Lua's
 * unpack takes about 8,000 values: more would fail in the middle of a plan. */

import type { Wire } from "../../driver/driver.ts"
import { planTooLarge } from "../../errors/transaction.ts"

/** Words of one command. A multiple of what any command takes at a time: members, pairs, triples. */
export const MOST_WORDS = 3996
/** Redis refuses a command with more arguments than 1024 * 1024. */
export const MOST_ARGUMENTS = 1_000_000

/** Commands that can be split into several. */
const divisible = new Set(["SADD", "SREM", "ZREM", "HSET", "HDEL", "LPUSH", "RPUSH", "PFADD", "DEL", "UNLINK"])

/** The words of a command that has too many, in parts that a script can pass on. */
export function chunksOf(name: string, words: readonly Wire[]): readonly (readonly Wire[])[] {
  const plain = divisible.has(name) || (name === "ZADD" && !Number.isNaN(Number(words[0])))
  if (!plain) throw planTooLarge(words.length)
  return Array.from({ length: Math.ceil(words.length / MOST_WORDS) }, (_, i) =>
    words.slice(i * MOST_WORDS, (i + 1) * MOST_WORDS),
  )
}
