/* Collections that list names: `queues` holds "default" and "mails", so that the second
 * segment of `queue:default` is one of them, however few there are. */

import type { Learned, PatternPart } from "./mine.ts"
import { singular, nameWords } from "./words.ts"
import { words as limits } from "../thresholds.ts"

export interface ListedNames {
  /** The last word of its key, in the singular. */
  readonly word: string
  readonly names: ReadonlySet<string>
}

const MOST_LISTS = 400

export const listedIn = (keys: readonly Learned[]): ListedNames[] =>
  keys
    .filter(({ names }) => names !== undefined)
    .slice(0, MOST_LISTS)
    .map(({ key, names }) => ({ word: lastWord(key), names: new Set(names) }))

/**
 * Whether nearly all of these words are in one collection that has a similar name, holds hardly anything else, or whose
 * words are data elsewhere.
 */
export function isListed(
  words: readonly string[],
  before: readonly PatternPart[],
  listed: readonly ListedNames[],
  known: ReadonlySet<string>,
): boolean {
  const last = before.at(-1)
  const word = typeof last === "string" ? lastWord(last) : ""
  const areKnown = words.every((one) => known.has(one))
  return listed.some((list) => {
    const common = words.filter((one) => list.names.has(one)).length
    if (common < limits.shareOfList * words.length) return false
    return (
      areKnown ||
      (list.word === word && word !== "") ||
      (common >= 2 && common >= limits.shareOfListItself * list.names.size)
    )
  })
}

const lastWord = (text: string): string => singular(nameWords(text).at(-1) ?? "").toLowerCase()
