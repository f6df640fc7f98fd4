/* Whether keys are an index of some entity: they hold ids of its documents, whose fields
 * have the values that appear in the key; and every document is in it, or every one that
 * meets a condition. The candidate fields are known from the sketches, so that all
 * questions are asked at once. */

import { decoded, type FoundEntity, type FoundIndex, isParamName, names } from "./found-entity.ts"
import { type Pattern, wordsBefore } from "../mine/pattern.ts"
import { fieldTexts } from "./places.ts"
import { idTextIn, isScalar, keyOf, paramsIn, probe, recordOf, recordsOf } from "../mine/records.ts"
import type { Ask } from "../source.ts"
import { singular, nameWords } from "../mine/words.ts"
import { structure } from "../thresholds.ts"

interface Candidate extends Pick<FoundIndex, "fields" | "score" | "where"> {
  readonly entity: FoundEntity
}

const MOST_CHOICES = 6
const MOST_ENTRIES = 24

/** The entity whose documents these keys lead to, and the fields that its parameters are. */
export async function indexOf(
  pattern: Pattern,
  entities: readonly FoundEntity[],
  ask: Ask,
): Promise<Candidate | undefined> {
  const { described, type, row, db, of } = pattern
  const { cells } = of.values
  const isMany = type === "set" || type === "zset"
  const isIndex = isMany || (row.params.length > 0 && (described.kind === "string" || described.kind === "counter"))
  if (!isIndex || cells.texts.count === 0 || !cells.isPlain) return undefined
  const likely = entities.filter(
    ({ pattern: record }) =>
      record.db === db && cells.texts.sketch.within(record.row.texts[0]!.sketch).share >= structure.shareOfIds,
  )
  const found = await Promise.all(likely.map((entity) => proved(pattern, entity, ask)))
  // If several entities fit, the key's words decide.
  return found.flat().sort((a, b) => Number(names(pattern, b.entity)) - Number(names(pattern, a.entity)))[0]
}

async function proved(pattern: Pattern, entity: FoundEntity, ask: Ask): Promise<Candidate[]> {
  const choices = choicesOf(pattern, entity)
  const [entries, ...documents] = await Promise.all([
    choices.length === 0 ? [] : followed(pattern, entity, ask),
    ...choices.map((fields) => looked(pattern, entity, fields, ask)),
  ])
  for (const [i, fields] of choices.entries()) {
    if (!leadsTo(entries, fields)) continue
    const isWhole = isComplete(documents[i]!)
    const score = pattern.type === "zset" ? scoreOf(entries, entity) : undefined
    if (pattern.type === "zset" && (score === undefined || !isWhole)) continue
    if (isWhole && (fields.length > 0 || score !== undefined))
      return [{ entity, fields, ...(score !== undefined && { score }) }]
    const where = pattern.type === "set" && !isWhole ? whereOf(entries, documents[i]!, entity) : undefined
    if (where !== undefined) return [{ entity, fields, where }]
  }
  return []
}

/** Fields whose values appear in the keys, for every parameter; the likeliest first. */
function choicesOf(pattern: Pattern, entity: FoundEntity): string[][] {
  const known = fieldTexts(entity.pattern).filter(([field]) => field !== entity.idField && isParamName(field))
  let all: string[][] = [[]]
  for (const [param, texts] of pattern.row.texts.entries()) {
    const fields = known
      .filter(([, own]) => own.sketch.within(texts.sketch).share >= structure.shareOfValues)
      .map(([field]) => field)
    const words = wordsBefore(pattern.row, param).map((word) => singular(word).toLowerCase())
    const isNamed = (field: string) => nameWords(field).some((word) => words.includes(word.toLowerCase()))
    fields.sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    all = all.flatMap((before) => fields.filter((field) => !before.includes(field)).map((field) => [...before, field]))
  }
  return all.slice(0, MOST_CHOICES)
}

/** An entry of the index, and the document that it leads to. */
interface FollowedEntry {
  readonly texts: readonly string[]
  readonly score: number
  readonly record: Fields | undefined
}
type Fields = Readonly<Record<string, unknown>>

async function followed(pattern: Pattern, entity: FoundEntity, ask: Ask): Promise<FollowedEntry[]> {
  const isScored = pattern.type === "zset"
  const entries = pattern.of.samples.flatMap(({ key, reading: { elements } }) =>
    elements
      .flatMap((id, i) => (isScored && i % 2 > 0 ? [] : [{ id: String(id), score: Number(elements[i + 1]) }]))
      .slice(0, pattern.row.params.length === 0 ? MOST_ENTRIES : 3)
      .map((entry) => ({ ...entry, texts: paramsIn(pattern, key) })),
  )
  const { of } = idTextIn(pattern)
  const answers = await ask(entries.map(({ id }) => probe(entity.pattern, keyOf(entity.pattern, [of(id)]))))
  return entries.map(({ texts, score }, i) => ({
    texts,
    score,
    record: answers[i] && recordOf(entity.pattern, answers[i].elements),
  }))
}

/** Whether the documents that the keys lead to have the values in the keys. */
function leadsTo(entries: readonly FollowedEntry[], fields: readonly string[]): boolean {
  const there = entries.filter(({ record }) => record !== undefined).length
  return (
    there > 0 &&
    there >= structure.enough * entries.length &&
    entries.every(
      ({ record, texts }) =>
        record === undefined || fields.every((field, param) => String(record[field]) === texts[param]),
    )
  )
}

/** The field whose values the scores are, in every document: a number, or an instant. */
function scoreOf(entries: readonly FollowedEntry[], { pattern }: FoundEntity): string | undefined {
  const known = entries.flatMap(({ record, score }) => (record === undefined ? [] : [{ record, score }]))
  if (new Set(known.map(({ score }) => score)).size < structure.leastScores) return undefined
  return Object.keys(known[0]!.record).find((field) =>
    known.every(({ record, score }) => {
      const value = decoded(pattern, field, record[field])
      return (typeof value === "string" ? Date.parse(value) : value instanceof Date ? value.getTime() : value) === score
    }),
  )
}

/** A document, and whether it is in the index. */
interface IndexedRecord {
  readonly record: Fields
  readonly isIn: boolean
}

async function looked(
  pattern: Pattern,
  entity: FoundEntity,
  fields: readonly string[],
  ask: Ask,
): Promise<IndexedRecord[]> {
  const expected = recordsOf(entity.pattern).flatMap(({ key, record }) => {
    const texts = fields.map((field) => record[field])
    const [own] = paramsIn(entity.pattern, key)
    const id = own === undefined ? undefined : idTextIn(pattern).held(own)
    return id !== undefined && texts.every((text) => isScalar(text) && text !== "")
      ? [{ key: keyOf(pattern, texts.map(String)), id, record }]
      : []
  })
  const answers = await ask(
    expected.map(({ key, id }) => probe(pattern, key, pattern.type === "string" ? undefined : id)),
  )
  return expected.map(({ record, id }, i) => ({ record, isIn: answers[i]?.elements[0] === id }))
}

const isComplete = (documents: readonly IndexedRecord[]): boolean =>
  documents.length > 0 && documents.filter(({ isIn }) => isIn).length >= structure.enough * documents.length

/** The value of a field that exactly the documents in the index have. */
function whereOf(
  entries: readonly FollowedEntry[],
  documents: readonly IndexedRecord[],
  { pattern }: FoundEntity,
): FoundIndex["where"] {
  const inside = documents.filter(({ isIn }) => isIn)
  const outside = documents.length - inside.length
  if (
    inside.length < structure.leastOnEachSide ||
    outside < structure.leastOnEachSide ||
    documents.length < structure.leastKnown
  )
    return undefined
  const [first] = inside
  for (const field of Object.keys(first!.record)) {
    const raw = first!.record[field]
    const value = isScalar(raw) ? decoded(pattern, field, raw) : undefined
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue
    const isExact =
      documents.every(({ record, isIn }) => (record[field] === raw) === isIn) &&
      entries.every(({ record }) => record === undefined || record[field] === raw)
    if (isExact) return { [field]: value }
  }
  return undefined
}
