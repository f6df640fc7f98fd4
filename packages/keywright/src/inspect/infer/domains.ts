/* Whose ids they are. Places that hold the same texts hold ids of the same thing.
 *
 * Long ids prove it by themselves. Small numbers prove nothing: every counter starts
 * at 1. There the words beside them have to agree as well, and where no word speaks,
 * the numbers must be the same ones and not simply all from 1 on. */

import { type Place, placeName } from "./places.ts"

export interface Domain {
  /** `"user"` */
  name: string
  readonly places: Place[]
}

export function domainsOf(places: readonly Place[], isHome: (place: Place) => string | undefined): Domain[] {
  const edges: { a: number; b: number; score: number }[] = []
  places.forEach((a, i) => {
    for (let j = i + 1; j < places.length; j++) {
      const score = likeness(a, places[j]!, isHome)
      if (score > 0) edges.push({ a: i, b: j, score })
    }
  })
  const parent = places.map((_, i) => i)
  const root = (i: number): number => (parent[i] === i ? i : (parent[i] = root(parent[i]!)))
  const homes = places.map((place) => isHome(place))
  for (const { a, b } of edges.sort((x, y) => y.score - x.score)) {
    const [one, other] = [root(a), root(b)]
    if (one === other) continue
    // Two entities are two things, whatever their numbers are.
    if (homes[one] !== undefined && homes[other] !== undefined && homes[one] !== homes[other]) continue
    parent[other] = one
    homes[one] ??= homes[other]
  }
  const groups = new Map<number, Place[]>()
  places.forEach((place, i) => groups.set(root(i), [...(groups.get(root(i)) ?? []), place]))
  return [...groups]
    .filter(([at, own]) => own.length > 1 || homes[at] !== undefined)
    .map(([at, own]) => ({ name: homes[at] ?? nameOf(own), places: own }))
}

/** 0 for places that hold ids of different things; else how alike they are. */
function likeness(a: Place, b: Place, isHome: (place: Place) => string | undefined): number {
  if (a.isInt !== b.isInt || a.texts.sketch.isEmpty || b.texts.sketch.isEmpty || placeName(a) === placeName(b)) return 0
  // A record's own fields are different things.
  if (a.pattern === b.pattern && "field" in a.at && "field" in b.at) return 0
  const [ab, ba] = [a.texts.sketch.within(b.texts.sketch), b.texts.sketch.within(a.texts.sketch)]
  const contained = Math.max(ab.share, ba.share)
  const shared = Math.round(Math.max(ab.share * ab.of, ba.share * ba.of))
  const jaccard = shared === 0 ? 0 : shared / (ab.of + ba.of - shared)
  const named = a.hint !== undefined && a.hint === b.hint
  const related = named || [...a.hints].some((hint) => b.hints.has(hint))
  if (!a.isInt) {
    if (contained >= 0.5 && (shared >= 3 || (shared >= 1 && related))) return contained + jaccard + (named ? 0.5 : 0)
    return 0
  }
  if (named && contained >= 0.6) return 1 + contained + jaccard
  const isOwn = (isHome(a) ?? isHome(b)) !== undefined
  if (related && contained >= (isOwn ? 0.6 : 0.5) && (isOwn || jaccard >= 0.2)) return contained + jaccard
  const nameless = a.hint === undefined && b.hint === undefined && "param" in a.at && "param" in b.at
  if (nameless && jaccard >= 0.5) return jaccard
  return shared >= 6 && jaccard >= 0.5 && !isDense(a) && !isDense(b) ? jaccard : 0
}

/** All from 1 on, or nearly: what a counter gives. */
const isDense = ({ texts }: Place): boolean => texts.max !== -Infinity && texts.max <= 3 * Math.max(10, texts.sketch.distinct)

/** The word that most places have. */
function nameOf(places: readonly Place[]): string {
  const votes = new Map<string, number>()
  const vote = (word: string, weight: number) => votes.set(word, (votes.get(word) ?? 0) + weight)
  for (const { hint, hints, at } of places) {
    if (hint !== undefined) vote(hint, hint.length === 1 ? 0.5 : "field" in at ? 4 : "param" in at ? 3 : 2)
    for (const other of hints) if (other !== hint && other.length > 2) vote(other, 1)
  }
  return [...votes].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)[0]?.[0] ?? "id"
}
