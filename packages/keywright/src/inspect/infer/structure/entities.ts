/* Entities: documents that know their own id, and the keys that must move with them.
 * Suspected from names and sketches, and proved by asking: does the index lead to a
 * document that has the value, and is every document in it? */

import { atomOf } from "../values/atoms.ts"
import { type FoundEntity, type FoundIndex, isParamName, names } from "./found-entity.ts"
import { indexOf } from "./indexes.ts"
import { literalWords, type Pattern, wordsBefore } from "../mine/pattern.ts"
import { idTextIn, isScalar, paramsIn, probe, recordsOf } from "../mine/records.ts"
import type { Ask } from "../source.ts"
import { structure } from "../thresholds.ts"
import { camel, singular, unique, nameWords } from "../mine/words.ts"

const TRIED = 16

/** Documents and records that hold the id of their own key. */
export function entitiesOf(patterns: readonly Pattern[]): FoundEntity[] {
  const taken = new Set<string>()
  return patterns.flatMap((pattern) => {
    const { row, described, of } = pattern
    const isRecord = described.kind === "hash" || of.values.cells.documents?.objects?.fields !== undefined
    if (row.params.length !== 1 || !isRecord) return []
    const idField = ownId(pattern)
    if (idField === undefined) return []
    const words = wordsBefore(row, 0)
    const own = words.length === 0 ? literalWords(row) : [...words.slice(0, -1), singular(words.at(-1)!)]
    return [{ name: unique(camel(own.length === 0 ? ["record"] : own), taken), pattern, idField, indexes: [] }]
  })
}

function ownId(pattern: Pattern): string | undefined {
  let left: string[] | undefined
  for (const { key, record } of recordsOf(pattern)) {
    const [id] = paramsIn(pattern, key)
    const own = Object.keys(record).filter(
      (field) => isParamName(field) && isScalar(record[field]) && String(record[field]) === id,
    )
    left = left === undefined ? own : left.filter((field) => own.includes(field))
  }
  const isNamed = (form: RegExp) => left?.find((field) => form.test(field))
  return (
    isNamed(/^_?id$|^uuid$/i) ??
    isNamed(/id$|^key$|^slug$|^code$/i) ??
    (left?.length === 1 && pattern.of.samples.length > 2 ? left[0] : undefined)
  )
}

/** Finds the counter, the set of all ids and the indexes of each entity. */
export async function complete(
  entities: readonly FoundEntity[],
  patterns: readonly Pattern[],
  ask: Ask,
): Promise<void> {
  const own = new Set<Pattern>(entities.map(({ pattern }) => pattern))
  const free = () => patterns.filter((pattern) => !own.has(pattern))
  const lists = Promise.all(entities.map((entity) => allOf(free(), entity, ask)))
  const indexes = Promise.all(
    free().map(async (pattern) => ({ pattern, index: await indexOf(pattern, entities, ask) })),
  )
  ;(await lists).forEach((all, i) => {
    if (all === undefined || own.has(all)) return
    entities[i]!.all = all
    entities[i]!.quoted = all.of.values.cells.isQuoted
    own.add(all)
  })
  for (const entity of entities) {
    const counter = free().find((pattern) => isCounterOf(pattern, entity))
    if (counter === undefined) continue
    entity.counter = counter
    own.add(counter)
  }
  for (const { pattern, index } of await indexes) {
    if (index === undefined || own.has(pattern)) continue
    // An entity's ids are held in one form everywhere.
    const { isQuoted } = pattern.of.values.cells
    if ((index.entity.quoted ??= isQuoted) !== isQuoted) continue
    own.add(pattern)
    pattern.names = [...index.fields]
    join(index.entity, pattern, index)
  }
  for (const { indexes: found, name } of entities) nameIndexes(found, name)
}

const COUNTING = new Set(
  "counter seq sequence next id ids last lastid nextid autoincrement serial uid count".split(" "),
)

function isCounterOf(pattern: Pattern, entity: FoundEntity): boolean {
  const { row, described, db, of } = pattern
  const record = entity.pattern
  if (row.params.length > 0 || described.kind !== "counter" || db !== record.db || record.row.params[0]!.kind !== "int")
    return false
  const value = Number(of.values.cells.texts.samples[0])
  const isCounting = nameWords(row.pattern()).some((word) => COUNTING.has(word.toLowerCase()))
  return isCounting && names(pattern, entity) && value >= record.row.texts[0]!.max
}

async function allOf(patterns: readonly Pattern[], entity: FoundEntity, ask: Ask): Promise<Pattern | undefined> {
  const { row, db, of } = entity.pattern
  const ids = of.examples.slice(0, TRIED).flatMap((key) => paramsIn(entity.pattern, key))
  const likely = patterns.filter(
    (pattern) =>
      pattern.row.params.length === 0 &&
      pattern.type === "set" &&
      pattern.db === db &&
      (row.params[0]!.kind !== "int" || names(pattern, entity)) &&
      isWithin(pattern, entity),
  )
  const proved = await Promise.all(
    likely.map(async (pattern) => {
      const answers = await ask(ids.map((id) => probe(pattern, pattern.row.pattern(), idTextIn(pattern).held(id))))
      const least = startsLike(pattern, entity) ? structure.enough : 1
      return answers.filter((answer) => answer?.elements.length === 1).length >= least * ids.length
    }),
  )
  // If there are several, the one that begins like the entity.
  const all = likely.filter((_, i) => proved[i])
  return all.find((pattern) => startsLike(pattern, entity)) ?? all[0]
}

/** Nearly all of the ids, where the keys begin alike; exactly the same ones, where they do not. */
function isWithin(pattern: Pattern, entity: FoundEntity): boolean {
  const [set, ids] = [pattern.of.values.cells.texts.sketch, entity.pattern.row.texts[0]!.sketch]
  if (startsLike(pattern, entity)) return set.within(ids).share >= structure.enough
  return set.within(ids).share === 1 && ids.within(set).share === 1
}

/** `user:list` and `user:{id}`; not `shop:idsets:User` and `user_{id}`, which another program wrote. */
function startsLike({ row }: Pattern, { pattern }: FoundEntity): boolean {
  const [one, other] = [literalWords(row)[0], literalWords(pattern.row)[0]]
  if (one === undefined || other === undefined) return one === other
  return singular(one).toLowerCase() === singular(other).toLowerCase()
}

/** A separate index, or a mirror of one on the same fields. */
function join(
  { indexes, pattern: { row } }: FoundEntity,
  pattern: Pattern,
  { fields, score, where }: Pick<FoundIndex, "fields" | "score" | "where">,
): void {
  const isUnique = pattern.type === "string"
  const same = indexes.find(
    (index) =>
      index.unique === isUnique &&
      index.score === score &&
      JSON.stringify(index.where) === JSON.stringify(where) &&
      [...index.fields].sort().join() === [...fields].sort().join(),
  )
  if (same === undefined) {
    const more = { ...(score !== undefined && { score }), ...(where !== undefined && { where }) }
    indexes.push({ name: "", unique: isUnique, fields, ...more, patterns: [pattern] })
    return
  }
  // The one with the same prefix as the records is the index, the other its mirror.
  const isOwn = ({ row: { parts } }: Pattern) => String(parts[0]).startsWith(String(row.parts[0]))
  if (isOwn(pattern) && !isOwn(same.patterns[0]!)) same.patterns.unshift(pattern)
  else same.patterns.push(pattern)
}

/** By the word of the key that names it, else by its fields. */
function nameIndexes(indexes: readonly FoundIndex[], entity: string): void {
  const taken = new Set<string>()
  for (const index of indexes) {
    const { row } = index.patterns[0]!
    const word = (row.params.length === 0 ? literalWords(row) : wordsBefore(row, 0)).at(-1)
    const words = index.fields.flatMap(nameWords)
    const byField = camel(index.score === undefined ? words : [...words, "by", ...nameWords(index.score)])
    const isWord =
      word !== undefined && atomOf(word) === "word" && singular(word).toLowerCase() !== entity.toLowerCase()
    index.name = unique(
      isWord && index.fields.length <= 1 && index.score === undefined ? camel([word]) : byField,
      taken,
      [byField],
    )
  }
}
