/* Words with an id right behind them: `cache3f9a…`, `fuzzyQm9…`. One such key looks like
 * an id as a whole; many that begin with the same word do not. */

import { groupBy } from "../../../schema/group-by.ts"
import type { MinedKey } from "./mine.ts"
import { glued } from "../thresholds.ts"

const WORD = /^(?:[a-z]{4,}|[A-Z]{4,}|[A-Z][a-z]{3,})/
const TAG = /^[A-Za-z]{2,12}[-_.]/

/** The word that all of these texts begin with; empty when there is none. */
export function gluedWord(texts: readonly string[]): string {
  const [first = "", ...others] = texts
  if (new Set(texts).size < glued.least) return ""
  const tag = TAG.exec(first)?.[0]
  if (tag !== undefined && texts.every((text) => text.startsWith(tag) && text.length >= tag.length + glued.shortestId))
    return tag
  let end = WORD.exec(first)?.[0].length ?? 0
  for (const other of others) while (end > 0 && !other.startsWith(first.slice(0, end))) end--
  return end >= glued.shortestWord && texts.every((text) => text.length >= end + glued.shortestId)
    ? first.slice(0, end)
    : ""
}

/** Keys that begin with what is an id as a whole, by the word that many of them begin with. */
export function gluedTo(items: readonly MinedKey[]): { word: string; items: MinedKey[] }[] {
  const long = items.filter(({ segments }) => /^(?:token|mixed|hex)$/.test(segments[0]!.atom))
  return [...groupBy(long, ({ segments }) => headOf(segments[0]!.text)).values()].flatMap((own) => {
    const word = own.length < glued.least ? "" : gluedWord(own.map(({ segments }) => segments[0]!.text))
    return word === "" ? [] : [{ word, items: own }]
  })
}

const headOf = (text: string): string => TAG.exec(text)?.[0] ?? text.slice(0, glued.shortestWord)
