/* What plain keys say about each other: the same ids in two places, members that have a
 * key, and sets that are each other's inverse. Only what held for everything tried. */

import type { FoundEntity } from "./found-entity.ts"
import type { Pattern } from "./pattern.ts"
import type { Link } from "./proposal.ts"
import type { Ids } from "./proposal-params.ts"
import { keyOf, paramsIn, probe } from "./records.ts"
import type { Source } from "./source.ts"

type Ask = Source["ask"]
const LEAST = 3

export async function linksOf(
  patterns: readonly Pattern[],
  entities: readonly FoundEntity[],
  ids: Ids,
  ask: Ask,
): Promise<Link[]> {
  const found = await Promise.all([
    ...pairs(patterns, (one, other) => sameIds(one, other, ids, ask)),
    ...inverses(patterns, ids, ask),
    ...patterns.map((pattern) => reference(pattern, patterns, entities, ids, ask)),
  ])
  return found.filter((link) => link !== undefined)
}

function pairs<T>(patterns: readonly Pattern[], make: (one: Pattern, other: Pattern) => Promise<T>): Promise<T>[] {
  return patterns.flatMap((one, i) => patterns.slice(i + 1).map((other) => make(one, other)))
}

const partOf = ({ described: { kind } }: Pattern): "field" | "member" | undefined =>
  kind === "map" ? "field" : kind === "set" || kind === "zset" ? "member" : undefined

const textsOf = (pattern: Pattern) =>
  partOf(pattern) === "field" ? pattern.of.values.names : pattern.of.values.cells.texts

/** Two single keys that hold the same ids. */
async function sameIds(one: Pattern, other: Pattern, ids: Ids, ask: Ask): Promise<Link | undefined> {
  const [a, b] = [partOf(one), partOf(other)]
  if (a === undefined || b === undefined || one.row.params.length + other.row.params.length > 0 || one.db !== other.db)
    return undefined
  const id = ids.of(one, a)
  if (id === undefined || id !== ids.of(other, b) || textsOf(one).sketch.distinct < LEAST) return undefined
  const holds = async (from: Pattern, to: Pattern) => {
    const answers = await ask(textsOf(from).samples.map((text) => probe(to, to.row.pattern(), text)))
    return answers.every((answer) => answer?.elements.length === 1)
  }
  const [there, back] = await Promise.all([holds(one, other), holds(other, one)])
  return there && back
    ? {
        kind: "same",
        id,
        patterns: one.type === "hash" ? [one, other] : other.type === "hash" ? [other, one] : [one, other],
      }
    : undefined
}

/** Sets by each other's ids: whoever is in one has the other. */
function inverses(patterns: readonly Pattern[], ids: Ids, ask: Ask): Promise<Link | undefined>[] {
  const sets = patterns.filter(({ type, row }) => type === "set" && row.params.length > 0)
  return sets.flatMap((one, i) =>
    sets.slice(i + 1).flatMap((other) => {
      const [a, b] = [lastId(one, ids), lastId(other, ids)]
      const isCandidate =
        a !== undefined &&
        b !== undefined &&
        a !== b &&
        ids.of(one, "member") === b &&
        ids.of(other, "member") === a &&
        one.db === other.db &&
        one.row.params.length === other.row.params.length
      return isCandidate ? [inverse(one, other, ask)] : []
    }),
  )
}

const lastId = (pattern: Pattern, ids: Ids): string | undefined => ids.of(pattern, `{${pattern.row.params.length - 1}}`)

async function inverse(one: Pattern, other: Pattern, ask: Ask): Promise<Link | undefined> {
  const proved = await Promise.all([inverted(one, other, ask), inverted(other, one, ask)])
  return proved.every(Boolean) ? { kind: "inverse", patterns: [one, other] } : undefined
}

/** Where the other side is there at all, it has this one; and some are. */
async function inverted(from: Pattern, to: Pattern, ask: Ask): Promise<boolean> {
  const expected = from.of.samples.flatMap(({ key, reading }) => {
    const texts = paramsIn(from, key)
    return reading.elements
      .slice(0, 4)
      .map((member) => ({ key: keyOf(to, [...texts.slice(0, -1), String(member)]), id: texts.at(-1)! }))
  })
  const [keys, members] = await Promise.all([
    ask(expected.map(({ key }) => probe(to, key))),
    ask(expected.map(({ key, id }) => probe(to, key, id))),
  ])
  const there = expected.filter((_, i) => keys[i] !== undefined).length
  return there >= 2 && expected.every((_, i) => keys[i] === undefined || members[i]?.elements.length === 1)
}

/** A set whose members all have a key: of the same parameters, and the member as the last. */
async function reference(
  pattern: Pattern,
  patterns: readonly Pattern[],
  entities: readonly FoundEntity[],
  ids: Ids,
  ask: Ask,
): Promise<Link | undefined> {
  const { kind } = pattern.described
  const part = kind === "set" || kind === "zset" ? "member" : kind === "string" ? "value" : undefined
  const id = part && ids.of(pattern, part)
  if (part === undefined || id === undefined) return undefined
  const entity = entities.find((one) => ids.of(one.pattern, "{0}") === id && one.pattern.db === pattern.db)
  if (part === "value")
    return entity && (await allThere(pattern, entity.pattern, ask))
      ? { kind: "reference", id, patterns: [pattern, entity] }
      : undefined
  if (entity !== undefined) return undefined
  // Only what has no id of its own: `OnSub` of a service, not the tokens of a user.
  const homes = patterns.filter(
    ({ row, db, described }) =>
      db === pattern.db &&
      row.params.length === pattern.row.params.length + 1 &&
      (described.kind === "hash" || described.kind === "string"),
  )
  for (const home of homes)
    if (lastId(home, ids) === id && startsAlike(pattern, home) && (await allThere(pattern, home, ask)))
      return { kind: "reference", id, patterns: [pattern, home] }
  return undefined
}

/** The same beginning, up to and with the last parameter of the shorter one. */
function startsAlike({ row, names }: Pattern, home: Pattern): boolean {
  const last = row.parts.findLastIndex((part) => typeof part !== "string")
  if (last < 0) return true
  return (
    row.pattern(names).slice(0, row.pattern(names).lastIndexOf("}") + 1) ===
    home.row.pattern(home.names).slice(0, row.pattern(names).lastIndexOf("}") + 1)
  )
}

async function allThere(pattern: Pattern, home: Pattern, ask: Ask): Promise<boolean> {
  const isEntity = home.row.params.length === 1
  const keys = pattern.of.samples.flatMap(({ key, reading }) => {
    const texts = isEntity ? [] : paramsIn(pattern, key)
    return reading.elements
      .filter((_, i) => pattern.type !== "zset" || i % 2 === 0)
      .slice(0, 8)
      .map((member) => keyOf(home, [...texts, String(member)]))
  })
  const answers = await ask(keys.map((key) => probe(home, key)))
  return keys.length >= LEAST && answers.every((answer) => answer !== undefined)
}
