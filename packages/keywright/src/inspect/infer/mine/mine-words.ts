/* Words at one place: literals of the pattern, or names that are data?
 *
 * Words with similar continuations form a cluster. A cluster is data when it has very
 * many words that hardly ever recur (`user:alice`), or when each of its words heads the
 * same rich family of keys (`bull:mails:wait`, `bull:images:wait` …). */

import { isLocale } from "../values/atoms.ts"
import { groupBy } from "../../../schema/group-by.ts"
import type { MinedKey, PatternPart } from "./mine.ts"
import { isListed, type ListedNames } from "./mine-listed.ts"
import { areRecords, type Profile, profileOf, similar } from "./mine-profile.ts"
import { words as limits } from "../thresholds.ts"

export interface WordCluster {
  readonly words: string[]
  readonly items: MinedKey[]
  readonly profile: Profile
  /** Every word of it is data elsewhere. */
  readonly isKnown: boolean
}

/** Never a name, whatever is next to it. */
export const RESERVED = new Set(
  "list counter index idx all ids count total meta next seq sequence last latest version keys info stats lock queue queues".split(
    " ",
  ),
)

/** `known`: words that are data elsewhere, which keep to themselves where there are several. */
export function clusters(items: readonly MinedKey[], at: number, known: ReadonlySet<string>): WordCluster[] {
  const byWord = [...groupBy(items, ({ segments }) => segments[at]!.text)]
  const areKnown = byWord.filter(([word]) => known.has(word)).length >= limits.leastKnown
  const found: WordCluster[] = []
  for (const [word, own] of byWord.sort(([, a], [, b]) => b.length - a.length)) {
    const isKnown = areKnown && known.has(word)
    // What is data elsewhere is data here, whatever words follow.
    const profile = profileOf(own, at, isKnown)
    const like = RESERVED.has(word)
      ? undefined
      : found.find(
          (cluster) =>
            !RESERVED.has(cluster.words[0]!) && cluster.isKnown === isKnown && similar(cluster.profile, profile),
        )
    if (like === undefined) {
      found.push({ words: [word], items: [...own], profile, isKnown })
      continue
    }
    like.words.push(word)
    like.items.push(...own)
  }
  return found
}

/** Words that no cluster explains, grouped by how their keys continue, ignoring the words in them. */
export function looseClusters(items: readonly MinedKey[], at: number): WordCluster[] {
  const deep = items.filter(({ segments }) => segments.length > at + 1)
  const found: WordCluster[] = []
  for (const [word, own] of groupBy(deep, ({ segments }) => segments[at]!.text)) {
    if (RESERVED.has(word)) continue
    const profile = profileOf(own, at, true)
    const like = found.find((cluster) => similar(cluster.profile, profile))
    if (like === undefined) found.push({ words: [word], items: [...own], profile, isKnown: false })
    else {
      like.words.push(word)
      like.items.push(...own)
    }
  }
  return found.filter(({ words, items: own }) => {
    const others = new Set(own.map(({ segments }) => segments[at + 1]!.text))
    return (
      words.length >= limits.leastOnEachSide && others.size >= limits.leastOnEachSide && own.length <= 8 * words.length
    )
  })
}

/** What decides about words beside themselves. */
export interface WordContext {
  readonly at: number
  readonly before: readonly PatternPart[]
  /** How many words occur at this position, including these. */
  readonly others: number
  readonly listed: readonly ListedNames[]
  readonly known: ReadonlySet<string>
}

/** Whether the words of a cluster are data. */
export function isNames(
  { words, items, profile, isKnown }: WordCluster,
  { at, before, others, listed, known }: WordContext,
): boolean {
  if (words.includes("")) return false
  const deep = [...profile.ways.keys()].filter((way) => !way.startsWith(" "))
  if ((isIndexed(before) && deep.length === 0) || (isKnown && words.length >= limits.leastKnown)) return true
  if (at > 0 && isListed(words, before, listed, known)) return true
  if (words.length < 2) return false
  const repeated = items.length / words.length
  const literal = deep.filter(isLiteral)
  if (at === 0)
    return words.length >= limits.leastLeading
      ? repeated <= 4 || deep.length > 0
      : isTenants(items, profile, literal.filter(isOwnWay).length)
  if (words.length >= limits.plenty || (words.length >= 2 && words.every(isLocale)) || areCodes(words, before))
    return true
  // Words that only parameters follow say what the keys are, unless there are too many of them.
  if (words.length >= limits.several && (repeated <= 4 || isSame(items, at, 1, isLiteral))) return true
  if (words.length >= limits.leastLeading && deep.length > 0) return true
  if (words.length >= 3 && areRecords(profile)) return true
  if (literal.length >= 3 && isSame(items, at, 2)) return true
  if (literal.filter(isOwnWay).length >= 2 && isSame(items, at, 3)) return true
  if (words.length >= 3 && literal.length >= 1 && isSame(items, at, 1, isLiteral)) return true
  // Beside many other literals, a few counters are literals too.
  const isMost = words.length >= limits.shareOfPlace * others
  return (
    words.length >= 3 &&
    repeated >= 2 &&
    isMost &&
    isCounted(profile) &&
    before.some((part) => typeof part !== "string")
  )
}

/** `EURUSD` and `BTCUSD` after words that are written otherwise. */
const areCodes = (words: readonly string[], before: readonly PatternPart[]): boolean =>
  words.length >= limits.leastCodes &&
  words.every((word) => /^[A-Z]{2,8}(?:[-_/][A-Z]{2,8})?$/.test(word)) &&
  before.some((part) => typeof part === "string" && /[a-z]{2}/.test(part))

/** It contains a word. */
const isLiteral = (way: string): boolean => /\p{L}{2}/u.test(way.slice(0, way.lastIndexOf(" ")))

/** Before everything else: several words that head the same keys with the same records. */
const isTenants = (items: readonly MinedKey[], { fields }: Profile, literal: number): boolean =>
  literal >= 2 && [...fields.values()].some((names) => names.size >= 2) && isSame(items, 0, literal)

/** `:reserved list`, and not `:list set`, which keys of any kind have. */
const isOwnWay = (way: string): boolean => {
  const [word] = way.match(/[\p{L}\p{N}_-]+/u) ?? [""]
  return !RESERVED.has(word)
}

/** After `index:email:` there is a value, whatever it looks like. */
const isIndexed = (before: readonly PatternPart[]): boolean => {
  const last = before.at(-1)
  return typeof last === "string" && /(?:^|[^a-z])(?:index|idx)[^a-z0-9]+[\w-]+$/i.test(last)
}

/** Most words share at least this many of the continuations that count. */
function isSame(items: readonly MinedKey[], at: number, least: number, counts = (way: string) => way !== ""): boolean {
  const profiles = [...groupBy(items, ({ segments }) => segments[at]!.text).values()].map((own) => profileOf(own, at))
  const all = new Map<string, number>()
  for (const { ways } of profiles) for (const way of ways.keys()) all.set(way, (all.get(way) ?? 0) + 1)
  const shared = [...all].filter(([, count]) => count > profiles.length / 2).map(([way]) => way)
  return shared.filter(counts).length >= least && shared.length >= all.size / 2
}

/** Nothing but counters: `queries:{month}:select`, `…:insert`, `…:update`. */
const isCounted = ({ ways }: Profile): boolean => [...ways.keys()].every((way) => way === " string:int")
