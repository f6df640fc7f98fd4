/* Words that are one long segment, with names before, between or after the same words:
 * `alice_liked_posts`, `user_alice_profile`, `config.alice`. Before and after only for keys
 * without a primary separator, where nothing else says what is a name. */

import { getOrMake } from "../../walk/get-or-make.ts"
import { affixes } from "../thresholds.ts"
import type { MinedKey, Param } from "./mine.ts"
import type { KeyBranch } from "./mine-profile.ts"

const LONGEST = 200
const WORD: Param = { kind: "text", atom: "word" }

export function affixed(items: readonly MinedKey[], at: number): { apart: KeyBranch[]; rest: MinedKey[] } {
  const apart = between(items, at)
  const found = new Set(apart.flatMap((branch) => branch.items))
  let rest = items.filter((item) => !found.has(item))
  if (at > 0) return { apart, rest }
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

/** Names between the same words, which many different ones have. */
function between(items: readonly MinedKey[], at: number): KeyBranch[] {
  const groups = new Map<string, Map<string, MinedKey[]>>()
  for (const item of items) {
    const { text } = item.segments[at]!
    if (text.length > LONGEST) continue
    const cuts = [...text.matchAll(/[-_.]/g)].map(({ index }) => index)
    for (let i = 0; i + 1 < cuts.length; i++) {
      const [head, name, tail] = [
        text.slice(0, cuts[i]! + 1),
        text.slice(cuts[i]! + 1, cuts[i + 1]),
        text.slice(cuts[i + 1]),
      ]
      if (!/\p{L}{3}/u.test(head) || !/\p{L}{3}/u.test(tail) || name === "") continue
      const frame = `${head}\n${tail}`
      const names = getOrMake(groups, frame, () => new Map<string, MinedKey[]>())
      getOrMake(names, name, () => []).push(item)
    }
  }
  const taken = new Set<MinedKey>()
  const found: KeyBranch[] = []
  for (const [frame, names] of [...groups].sort(([, a], [, b]) => b.size - a.size)) {
    const own = [...names.values()].flat().filter((item) => !taken.has(item))
    if (new Set(own.map(({ segments }) => segments[at]!.text)).size < affixes.least) continue
    const [head, tail] = frame.split("\n") as [string, string]
    found.push({ parts: [head, WORD, tail], items: own })
    for (const item of own) taken.add(item)
  }
  return found
}

/** The longest beginnings or ends that at least this many different names share. */
function common(items: readonly MinedKey[], side: "head" | "tail"): Map<string, MinedKey[]> {
  const found = new Map<string, MinedKey[]>()
  for (const item of items)
    for (const affix of affixesOf(item.segments[0]!.text, side)) getOrMake(found, affix, () => []).push(item)
  const taken = new Set<MinedKey>()
  const chosen = new Map<string, MinedKey[]>()
  const name = (item: MinedKey, affix: string) => {
    const { text } = item.segments[0]!
    return side === "tail" ? text.slice(0, -affix.length) : text.slice(affix.length)
  }
  for (const [affix, own] of [...found].sort(([a], [b]) => b.length - a.length)) {
    const sign = side === "tail" ? affix[0]! : undefined
    const left = own.filter((item) => !taken.has(item) && (sign === undefined || !name(item, affix).includes(sign)))
    if (new Set(left.map((item) => name(item, affix))).size < affixes.least) continue
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
