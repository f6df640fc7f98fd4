/* Words with an id right behind them: `cache3f9a…`, `fuzzyQm9…`. One such key looks like
 * an id as a whole; many that begin with the same word do not. */

import { groupBy } from "../values/group-by.ts"
import type { Item } from "./mine.ts"

const LEAST = 8
/** An id that is shorter may as well be a part of a word. */
const SHORTEST = 12
const WORD = /^(?:[a-z]{4,}|[A-Z]{4,}|[A-Z][a-z]{3,})/
const HEAD = 4
const TAG = /^[A-Za-z]{2,12}[-_.]/

/** The word that all of these texts begin with; empty when there is none. */
export function gluedWord(texts: readonly string[]): string {
  const [first = "", ...others] = texts
  if (new Set(texts).size < LEAST) return ""
  const tag = TAG.exec(first)?.[0]
  if (tag !== undefined && texts.every((text) => text.startsWith(tag) && text.length >= tag.length + SHORTEST))
    return tag
  let end = WORD.exec(first)?.[0].length ?? 0
  for (const other of others) while (end > 0 && !other.startsWith(first.slice(0, end))) end--
  return end >= HEAD && texts.every((text) => text.length >= end + SHORTEST) ? first.slice(0, end) : ""
}

/** Keys that begin with what is an id as a whole, by the word that many of them begin with. */
export function gluedTo(items: readonly Item[]): { word: string; items: Item[] }[] {
  const long = items.filter(({ segments }) => /^(?:token|mixed|hex)$/.test(segments[0]!.atom))
  return [...groupBy(long, ({ segments }) => headOf(segments[0]!.text)).values()].flatMap((own) => {
    const word = own.length < LEAST ? "" : gluedWord(own.map(({ segments }) => segments[0]!.text))
    return word === "" ? [] : [{ word, items: own }]
  })
}

const headOf = (text: string): string => TAG.exec(text)?.[0] ?? text.slice(0, HEAD)
