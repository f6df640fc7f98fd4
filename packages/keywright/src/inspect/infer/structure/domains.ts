/* Whose ids they are. Places that hold the same texts hold ids of the same thing.
 *
 * Long ids prove it by themselves. Small numbers prove nothing: every counter starts at
 * 1. There the words beside them have to agree as well, and where no word hints, the
 * numbers must be the same ones and not simply all from 1 on. */

import { groupBy } from "../../../schema/group-by.ts"
import { isGeneric, wordsBefore } from "../mine/pattern.ts"
import { type IdPlace, placeName } from "./places.ts"
import { isBearer } from "./secrets.ts"
import { singular, nameWords } from "../mine/words.ts"
import { domains as limits } from "../thresholds.ts"

export interface Domain {
  /** `"user"` */
  name: string
  readonly places: IdPlace[]
}

export function domainsOf(places: readonly IdPlace[], isHome: (place: IdPlace) => string | undefined): Domain[] {
  const things = new Set(places.flatMap((place) => isHome(place)?.toLowerCase() ?? []))
  const edges: { a: number; b: number; score: number; guess: boolean }[] = []
  places.forEach((a, i) => {
    for (let j = i + 1; j < places.length; j++) {
      const score = likeness(a, places[j]!, isHome) || -elsewhere(a, places[j]!, isHome, things)
      if (score !== 0) edges.push({ a: i, b: j, score: Math.abs(score), guess: score < 0 })
    }
  })
  const parent = places.map((_, i) => i)
  const root = (i: number): number => (parent[i] === i ? i : (parent[i] = root(parent[i]!)))
  const homes = places.map((place) => isHome(place))
  const size = places.map(() => 1)
  const guessed = new Set<number>()
  // What the words say comes first; of what is merely likely, each thing gets the likeliest.
  for (const { a, b, guess } of edges.sort((x, y) => Number(x.guess) - Number(y.guess) || y.score - x.score)) {
    const [one, other] = [root(a), root(b)]
    if (one === other || (guess && (guessed.has(one) || guessed.has(other)))) continue
    // A guess about an entity is made only for what is not related to anything yet.
    const isHomed = homes[one] !== undefined || homes[other] !== undefined
    if (guess && isHomed && (homes[one] === undefined ? size[one]! : size[other]!) > 1) continue
    if (guess && !isHomed) guessed.add(one)
    // Two entities are two things, whatever their numbers are.
    if (homes[one] !== undefined && homes[other] !== undefined && homes[one] !== homes[other]) continue
    parent[other] = one
    size[one]! += size[other]!
    homes[one] ??= homes[other]
  }
  return [...groupBy(places.keys(), root)]
    .map(([at, own]) => [at, own.map((i) => places[i]!)] as const)
    .filter(
      ([at, own]) =>
        homes[at] !== undefined ||
        (new Set(own.map(({ pattern }) => pattern)).size > 1 && own.some((place) => !("field" in place.at))),
    )
    .map(([at, own]) => ({ name: homes[at] ?? domainName(own), places: own }))
}

/** 0 for places that hold ids of different things; otherwise how similar they are: negative for a guess. */
function likeness(a: IdPlace, b: IdPlace, isHome: (place: IdPlace) => string | undefined): number {
  if (a.isInt !== b.isInt || a.texts.sketch.isEmpty || b.texts.sketch.isEmpty || placeName(a) === placeName(b)) return 0
  // A record's own fields are different things, and so are numbers in a key and in its value.
  if (a.pattern === b.pattern && (a.isInt || ("field" in a.at && "field" in b.at))) return 0
  const [ab, ba] = [a.texts.sketch.within(b.texts.sketch), b.texts.sketch.within(a.texts.sketch)]
  const contained = Math.max(ab.share, ba.share)
  const shared = Math.round(Math.max(ab.share * ab.of, ba.share * ba.of))
  const jaccard = shared === 0 ? 0 : shared / (ab.of + ba.of - shared)
  const [one, other] = [hintsOf(a, isHome), hintsOf(b, isHome)]
  const named = one.hint !== undefined && one.hint === other.hint
  const related = named || [...one.hints].some((hint) => [...other.hints].some((word) => isSameWord(hint, word)))
  if (!a.isInt) {
    if (contained >= limits.share && (shared >= limits.least || (shared >= 1 && related)))
      return contained + jaccard + (named ? 0.5 : 0)
    return 0
  }
  if (named && contained >= limits.shareNamed) return 1 + contained + jaccard
  // Removed ids are not found elsewhere, so the word decides, and numbers from the same counter.
  if (named && shared === 0 && areOfOneCounter(a, b)) return 0.5
  const isOwn = (isHome(a) ?? isHome(b)) !== undefined
  if (
    related &&
    shared >= limits.leastRelated &&
    contained >= (isOwn ? limits.shareNamed : limits.share) &&
    (isOwn || jaccard >= limits.jaccardRelated)
  )
    return contained + jaccard
  const nameless = a.hint === undefined && b.hint === undefined
  if (nameless && "param" in a.at && "param" in b.at && jaccard >= limits.jaccardNameless) return jaccard
  if (nameless && ("param" in a.at || "param" in b.at) && shared >= limits.least && jaccard >= limits.jaccardGuess)
    return -jaccard
  const isTelling =
    shared >= limits.leastTelling || (shared >= limits.leastTellingAlike && jaccard >= limits.jaccardTelling)
  // `user.37` and `product:37` say themselves that they are different things; a collection is called by what it is for.
  const isSaid = one.hint !== undefined && other.hint !== undefined && !("part" in a.at) && !("part" in b.at)
  const areApart = isSaid && !(isScattered(a) && isScattered(b))
  return isTelling && !areApart && jaccard >= limits.jaccardNameless && !isDense(a) && !isDense(b) ? jaccard : 0
}

/** `cache:cart:{}` by the ids of users: it names one thing, and has nearly all numbers of another. */
function elsewhere(
  a: IdPlace,
  b: IdPlace,
  isHome: (place: IdPlace) => string | undefined,
  things: ReadonlySet<string>,
): number {
  const [home, other] = isHome(a) === undefined ? [b, a] : [a, b]
  const isCandidate =
    isHome(home) !== undefined && isHome(other) === undefined && "param" in home.at && "param" in other.at
  if (!isCandidate || !a.isInt || !b.isInt || other.hint === undefined || !things.has(other.hint)) return 0
  const [there, back] = [other.texts.sketch.within(home.texts.sketch), home.texts.sketch.within(other.texts.sketch)]
  return there.of >= limits.leastElsewhere && there.share >= limits.shareThere && back.share >= limits.shareBack
    ? back.share
    : 0
}

/** The same word, or its first letters: `P:{}` and `project`. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (a.length <= 2 && b.length > 3 && b.startsWith(a)) || (b.length <= 2 && a.length > 3 && a.startsWith(b))

/** What is known for certain leaves nothing to guess. */
function hintsOf(place: IdPlace, isHome: (place: IdPlace) => string | undefined): Pick<IdPlace, "hint" | "hints"> {
  const home = isHome(place)?.toLowerCase()
  return home === undefined ? place : { hint: home, hints: new Set([home]) }
}

/** Few numbers within the range of many others, or just beyond its end. */
function areOfOneCounter(a: IdPlace, b: IdPlace): boolean {
  const [few, many] = a.texts.count <= b.texts.count ? [a.texts, b.texts] : [b.texts, a.texts]
  return (
    Number.isFinite(few.min) && few.min >= many.min && few.max <= many.max + Math.max(10, 0.25 * (many.max - many.min))
  )
}

/** All from 1 on, or nearly: what a counter produces. */
const isDense = ({ texts }: IdPlace): boolean =>
  texts.max !== -Infinity && texts.max <= 3 * Math.max(10, texts.sketch.distinct)

/** Few of very many possible numbers: the same ones in two places are not chance. */
const isScattered = ({ texts }: IdPlace): boolean =>
  texts.max >= limits.leastScattered && texts.max >= limits.timesScattered * Math.max(1, texts.sketch.distinct)

/** Before everything else in the key: whose it is. */
const isLeading = ({ pattern, at }: IdPlace): boolean =>
  "param" in at && at.param === 0 && typeof pattern.row.parts[0] !== "string"

/** The word that most places have; of what opens doors, what it is. */
function domainName(places: readonly IdPlace[]): string {
  if (isBearer(places))
    return places.some(({ hints }) => hints.has("session") || hints.has("sess")) ? "session" : "token"
  const votes = new Map<string, number>()
  const vote = (word: string, weight: number) => votes.set(word, (votes.get(word) ?? 0) + weight)
  for (const place of places) {
    const { hint, hints, at } = place
    const weight = isRecordOf(place) ? 6 : "field" in at ? 4 : "param" in at ? 3 : 2
    if (hint !== undefined) vote(hint, (hint.length === 1 ? 0.2 : hint.length < 4 && weight < 6 ? 0.3 : 1) * weight)
    for (const other of hints) if (other !== hint && other.length > 2) vote(other, 1)
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)[0] ?? []
  if (best === undefined) return places.some(isLeading) ? "owner" : "item"
  // Where a word is cut short in keys and spelled out in a field: `P:{}` and `project`.
  const said = best.length > 3 ? best : [...votes.keys()].find((word) => word !== best && isSameWord(best, word))
  return compoundOf(places, said ?? best)
}

/** `payment ref`, where it is never called a ref of anything else. */
function compoundOf(places: readonly IdPlace[], word: string): string {
  const said = places.flatMap(({ pattern: { row }, at }) => {
    const words = "param" in at ? wordsBefore(row, at.param) : "field" in at ? nameWords(at.field) : []
    const isOf = words.length > 0 && singular(words.at(-1)!).toLowerCase() === word
    return isOf ? [words.length === 2 && !words.some(isGeneric) ? words.join(" ").toLowerCase() : word] : []
  })
  return new Set(said).size === 1 ? said[0]! : word
}

/** `inv:{}` holds documents: its ids are theirs. */
const isRecordOf = ({ pattern: { row, described, of }, at }: IdPlace): boolean =>
  "param" in at &&
  row.params.length === 1 &&
  typeof row.parts.at(-1) !== "string" &&
  (described.kind === "hash" || of.values.cells.isJson)
