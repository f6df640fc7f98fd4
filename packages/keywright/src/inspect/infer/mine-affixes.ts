/* Words that are one long segment, with names before or after the same words:
 * `alice_liked_posts`, `bob_liked_posts`, `config.alice`. Only for keys without a
 * primary separator, where nothing else says what is a name. */

import type { Item, Param } from "./mine.ts"
import type { Branch } from "./mine-profile.ts"

const LEAST = 8
const WORD: Param = { kind: "text", atom: "word" }

export function affixed(items: readonly Item[]): { apart: Branch[]; rest: Item[] } {
  const apart: Branch[] = []
  let rest = [...items]
  for (const side of ["tail", "head"] as const) {
    const single = rest.filter(({ segments }) => segments.length === 1)
    for (const [affix, own] of common(single, side)) {
      const texts = new Set(own)
      apart.push({ parts: side === "tail" ? [WORD, affix] : [affix, WORD], items: own })
      rest = rest.filter((item) => !texts.has(item))
    }
  }
  return { apart, rest }
}

/** The longest beginnings or ends that at least so many different names share. */
function common(items: readonly Item[], side: "head" | "tail"): Map<string, Item[]> {
  const found = new Map<string, Item[]>()
  for (const item of items)
    for (const affix of affixesOf(item.segments[0]!.text, side)) {
      const own = found.get(affix)
      if (own) own.push(item)
      else found.set(affix, [item])
    }
  const taken = new Set<Item>()
  const chosen = new Map<string, Item[]>()
  const name = (item: Item, affix: string) => {
    const { text } = item.segments[0]!
    return side === "tail" ? text.slice(0, -affix.length) : text.slice(affix.length)
  }
  for (const [affix, own] of [...found].sort(([a], [b]) => b.length - a.length)) {
    const sign = side === "tail" ? affix[0]! : undefined
    const left = own.filter((item) => !taken.has(item) && (sign === undefined || !name(item, affix).includes(sign)))
    if (new Set(left.map((item) => name(item, affix))).size < LEAST) continue
    chosen.set(affix, left)
    for (const item of left) taken.add(item)
  }
  return chosen
}

function affixesOf(text: string, side: "head" | "tail"): string[] {
  const cuts = [...text.matchAll(/[-_.]/g)].map(({ index }) => index)
  return cuts
    .map((at) => (side === "tail" ? text.slice(at) : text.slice(0, at + 1)))
    .filter((affix) => affix.length < text.length && /\p{L}{3}/u.test(affix))
}
