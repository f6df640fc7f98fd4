/* What plain keys say about each other: the same ids in two places, members that have a
 * key, and sets that are each other's inverse. Suspected from the sketches, proved by
 * asking, and kept where both sides turn out to hold ids of the same thing. */

import type { FoundEntity } from "./found-entity.ts"
import { isGeneric, literalWords, type Pattern } from "../mine/pattern.ts"
import type { ProposedLink } from "../propose/proposal.ts"
import type { Ids } from "../propose/proposal-params.ts"
import { idTextIn, keyOf, paramsIn, probe } from "../mine/records.ts"
import type { Sketch } from "../values/sketch.ts"
import type { Ask } from "../source.ts"
import type { TextStatistics } from "../values/text-statistics.ts"
import { singular } from "../mine/words.ts"
import { structure } from "../thresholds.ts"

/** `alike`: the same ids for now, which says nothing of tomorrow. */
type LinkKind = ProposedLink["kind"] | "alike"

/** Two patterns of which something held for all that was tried. */
export interface Proved {
  readonly kind: LinkKind
  readonly one: Pattern
  readonly other: Pattern
}

export async function provedLinks(
  patterns: readonly Pattern[],
  entities: readonly FoundEntity[],
  ask: Ask,
): Promise<Proved[]> {
  const pairs = patterns.flatMap((one, i) => patterns.slice(i + 1).map((other) => [one, other] as const))
  const records = new Set(entities.map(({ pattern }) => pattern))
  const suspected = [
    ...pairs.filter(([one, other]) => mayBeSame(one, other)).map(([one, other]) => proof("same", one, other, ask)),
    ...pairs.filter(([one, other]) => mayInvert(one, other)).map(([one, other]) => proof("inverse", one, other, ask)),
    ...patterns.flatMap((one) =>
      patterns
        .filter((other) => mayRefer(one, other, records))
        .sort((a, b) => Number(isMap(a)) - Number(isMap(b)))
        .map((other) => proof("reference", one, other, ask)),
    ),
  ]
  return meant((await Promise.all(suspected)).flat())
}

async function proof(kind: ProposedLink["kind"], one: Pattern, other: Pattern, ask: Ask): Promise<Proved[]> {
  const prove = { same: holdsSame, inverse: isInverse, reference: isThere }[kind]
  return (await prove(one, other, ask)) ? [{ kind, one, other }] : []
}

/** The links of what is proved, by the names of ids. `isFree`: the pattern belongs to no entity. */
export function namedLinks(
  proved: readonly Proved[],
  entities: readonly FoundEntity[],
  ids: Ids,
  isFree: (pattern: Pattern) => boolean,
): ProposedLink[] {
  const referring = new Set<Pattern>()
  const links = proved.flatMap(({ kind, one, other }): ProposedLink[] => {
    const id = ids.of(one, partOf(one) ?? "value")
    if (id === undefined || !isFree(one)) return []
    if (kind === "reference") {
      const entity = entities.find(({ pattern }) => pattern === other)
      const isWanted =
        (isMap(other) ? ids.of(other, "field") : lastId(other, ids)) === id &&
        !referring.has(one) &&
        (entity === undefined ? isFree(other) : partOf(one) === undefined)
      if (!isWanted) return []
      referring.add(one)
      return [{ kind, id, patterns: [one, entity ?? other] }]
    }
    if (!isFree(other) || kind === "alike") return []
    if (kind === "same")
      return id === ids.of(other, partOf(other)!) ? [{ kind, id, patterns: truthFirst(one, other) }] : []
    const isCross = id === lastId(other, ids) && ids.of(other, "member") === lastId(one, ids) && id !== lastId(one, ids)
    return isCross ? [{ kind, patterns: [one, other] }] : []
  })
  return links.filter(saysMore()).slice(0, structure.mostLinks)
}

/** Which single key holds the same ids for now as another one: to be said, not to be declared. */
export function alikeIn(proved: readonly Proved[]): ReadonlyMap<Pattern, Pattern> {
  const found = new Map<Pattern, Pattern>()
  for (const { kind, one, other } of proved) if (kind === "alike" && !found.has(other)) found.set(other, one)
  return found
}

/** Five keys of the same ids are four rules, not ten: what follows from those before it says nothing more. */
function saysMore(): (link: ProposedLink) => boolean {
  const groups: Set<Pattern>[] = []
  return (link) => {
    if (link.kind !== "same") return true
    const [one, other] = link.patterns.map(
      (pattern) => groups.find((group) => group.has(pattern)) ?? new Set([pattern]),
    )
    if (one === other) return false
    groups.push(new Set([...one!, ...other!]))
    for (const old of [one!, other!]) if (groups.includes(old)) groups.splice(groups.indexOf(old), 1)
    return true
  }
}

/** A hash says more than a set: it is the truth. */
const truthFirst = (one: Pattern, other: Pattern): [Pattern, Pattern] =>
  other.type === "hash" && one.type !== "hash" ? [other, one] : [one, other]

const lastId = (pattern: Pattern, ids: Ids): string | undefined => ids.of(pattern, `{${pattern.row.params.length - 1}}`)

const partOf = ({ described: { kind } }: Pattern): "field" | "member" | undefined =>
  kind === "map" ? "field" : kind === "set" || kind === "zset" ? "member" : undefined

const textsOf = (pattern: Pattern): TextStatistics =>
  partOf(pattern) === "field" ? pattern.of.values.names : pattern.of.values.cells.texts

const shareIn = (texts: TextStatistics, of: Sketch | undefined): number =>
  of === undefined ? 0 : texts.sketch.within(of).share

// ── the same ids in two single keys ──────────────────────────────────────────

function mayBeSame(one: Pattern, other: Pattern): boolean {
  if (partOf(one) === undefined || partOf(other) === undefined || one.db !== other.db) return false
  if (one.row.params.length + other.row.params.length > 0) return false
  const [a, b] = [textsOf(one), textsOf(other)]
  if (Math.min(a.sketch.distinct, b.sketch.distinct) < structure.leastSame) return false
  // Only parts of large collections were read, and not the same parts.
  if (one.of.values.cut + other.of.values.cut > 0)
    return !a.only("int") && [...a.atoms.keys()].every((atom) => b.atoms.has(atom))
  return shareIn(a, b.sketch) >= structure.shareOfIds && shareIn(b, a.sketch) >= structure.shareOfIds
}

/**
 * Fields and times of the same things go together: a hash and a sorted set. But everybody who plays is on the board of
 * the day and on that of the week, and for now all who are there listen to the news: two sorted sets, a set, and what
 * has the ids of several others, only if the names say more.
 */
function meant(proved: readonly Proved[]): Proved[] {
  const same = proved.filter(({ kind }) => kind === "same")
  const isAlone = (pattern: Pattern) =>
    same.filter(({ one, other }) => one === pattern || other === pattern).length === 1
  const isMeant = ({ one, other }: Proved) =>
    areNamedAlike(one, other) ||
    (isAlone(one) && isAlone(other) && one.type !== other.type && one.type !== "set" && other.type !== "set")
  return proved.map((link) => (link.kind === "same" && !isMeant(link) ? { ...link, kind: "alike" } : link))
}

/** `weekly` and `weekly:member_data`. */
function areNamedAlike(one: Pattern, other: Pattern): boolean {
  const [short, long] = [one.row.pattern(), other.row.pattern()].sort((a, b) => a.length - b.length) as [string, string]
  return long.startsWith(short) && /[^\p{L}\p{N}]/u.test(long.charAt(short.length) + short.at(-1)!)
}

async function holdsSame(one: Pattern, other: Pattern, ask: Ask): Promise<boolean> {
  const holds = async (from: Pattern, to: Pattern) => {
    const answers = await ask(textsOf(from).samples.map((text) => probe(to, to.row.pattern(), idTextIn(to).held(text))))
    return answers.every((answer) => answer?.elements.length === 1)
  }
  return (await Promise.all([holds(one, other), holds(other, one)])).every(Boolean)
}

// ── sets by each other's ids ─────────────────────────────────────────────────

function mayInvert(one: Pattern, other: Pattern): boolean {
  const isPair = one.type === "set" && other.type === "set" && one.db === other.db
  if (!isPair || one.row.params.length === 0 || one.row.params.length !== other.row.params.length) return false
  return (
    shareIn(textsOf(one), other.row.texts.at(-1)?.sketch) >= structure.shareOfInverse &&
    shareIn(textsOf(other), one.row.texts.at(-1)?.sketch) >= structure.shareOfInverse
  )
}

const isInverse = async (one: Pattern, other: Pattern, ask: Ask): Promise<boolean> =>
  (await Promise.all([inverted(one, other, ask), inverted(other, one, ask)])).every(Boolean)

/** The other side is there nearly always, and has this one then. */
async function inverted(from: Pattern, to: Pattern, ask: Ask): Promise<boolean> {
  const expected = from.of.samples.flatMap(({ key, reading }) => {
    const texts = paramsIn(from, key)
    return reading.elements.slice(0, 4).map((member) => ({
      key: keyOf(to, [...texts.slice(0, -1), idTextIn(from).of(String(member))]),
      id: idTextIn(to).held(texts.at(-1)!),
    }))
  })
  const [keys, members] = await Promise.all([
    ask(expected.map(({ key }) => probe(to, key))),
    ask(expected.map(({ key, id }) => probe(to, key, id))),
  ])
  const there = expected.filter((_, i) => keys[i] !== undefined).length
  return (
    there >= 2 &&
    there >= structure.shareOfIds * expected.length &&
    expected.every((_, i) => keys[i] === undefined || members[i]?.elements.length === 1)
  )
}

// ── members that have a key or a field, and values that lead to a record ─────

/** `OnSub` of a service to `St:{user}` of it, or a text to a record; not the tokens of a user. */
function mayRefer(one: Pattern, home: Pattern, records: ReadonlySet<Pattern>): boolean {
  if (one === home || one.db !== home.db) return false
  if (isMap(home)) return partOf(one) === "member" && one.row.params.length > 0 && mayHave(home, textsOf(one))
  if (shareIn(textsOf(one), home.row.texts.at(-1)?.sketch) < structure.shareOfIds) return false
  if (partOf(one) === "member")
    return (
      home.row.params.length === one.row.params.length + 1 &&
      (home.type === "hash" || home.described.kind === "string") &&
      (one.row.params.length === 0 ? shareWord(one, home) : startsAlike(one, home))
    )
  return one.type === "string" && one.row.params.length > 0 && records.has(home)
}

/** One map of everything, whose fields are ids. */
const isMap = ({ described, row }: Pattern): boolean => described.kind === "map" && row.params.length === 0

/** Only a part of a large map was read. */
const mayHave = ({ of: { values } }: Pattern, texts: TextStatistics): boolean =>
  values.names.sketch.distinct >= structure.least &&
  (values.cut > 0
    ? [...texts.atoms.keys()].every((atom) => values.names.atoms.has(atom))
    : shareIn(texts, values.names.sketch) >= structure.shareOfIds)

/** A single collection is about the keys that it shares a word with: `online` is not about `cache:{}`. */
function shareWord(one: Pattern, home: Pattern): boolean {
  const wordsIn = ({ row }: Pattern) => literalWords(row).map((word) => singular(word).toLowerCase())
  const words = new Set(wordsIn(home).filter((word) => !isGeneric(word)))
  return wordsIn(one).some((word) => words.has(word))
}

/** The same beginning, up to and with the last parameter of the shorter one. */
function startsAlike({ row }: Pattern, home: Pattern): boolean {
  const last = row.parts.findLastIndex((part) => typeof part !== "string")
  return JSON.stringify(row.parts.slice(0, last + 1)) === JSON.stringify(home.row.parts.slice(0, last + 1))
}

async function isThere(pattern: Pattern, home: Pattern, ask: Ask): Promise<boolean> {
  const isRecord = home.row.params.length === 1
  const { of } = idTextIn(pattern)
  const probes = pattern.of.samples.flatMap(({ key, reading }) => {
    const texts = isRecord ? [] : paramsIn(pattern, key)
    const members = reading.elements.filter((_, i) => pattern.type !== "zset" || i % 2 === 0).slice(0, 8)
    return members.map((member) =>
      isMap(home)
        ? probe(home, home.row.pattern(), of(String(member)))
        : probe(home, keyOf(home, [...texts, of(String(member))])),
    )
  })
  const answers = await ask(probes)
  return probes.length >= structure.least && answers.every((answer) => (answer?.elements.length ?? 0) > 0)
}
