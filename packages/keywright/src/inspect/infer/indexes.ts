/* Whether keys with parameters are an index of some entity: they hold ids of its
 * documents, whose fields have the values that stand in the key; and every document is
 * in it. Which fields may be meant is known from the sketches, so that all questions
 * are asked at once. */

import { ENOUGH, type FoundEntity, names } from "./found-entity.ts"
import { type Pattern, wordsBefore } from "./pattern.ts"
import { fieldTexts } from "./places.ts"
import { isScalar, keyOf, paramsIn, probe, recordOf, recordsOf } from "./records.ts"
import type { Source } from "./source.ts"
import { singular, wordsOf } from "./words.ts"

type Ask = Source["ask"]

interface Candidate {
  readonly entity: FoundEntity
  readonly fields: readonly string[]
}

const MOST_CHOICES = 6

/** The entity whose documents these keys lead to, and the fields that its parameters are. */
export async function indexOf(
  pattern: Pattern,
  entities: readonly FoundEntity[],
  ask: Ask,
): Promise<Candidate | undefined> {
  const { described, type, row, db, of } = pattern
  const { cells } = of.values
  const isIndex = type === "set" || described.kind === "string" || described.kind === "counter"
  if (!isIndex || row.params.length === 0 || cells.texts.count === 0 || !cells.isPlain) return undefined
  const likely = entities.filter(
    ({ pattern: record }) => record.db === db && cells.texts.sketch.within(record.row.texts[0]!.sketch).share >= 0.9,
  )
  const found = await Promise.all(likely.map((entity) => proved(pattern, entity, ask)))
  // Where several entities would do, the one that is named.
  return found.flat().sort((a, b) => Number(names(pattern, b.entity)) - Number(names(pattern, a.entity)))[0]
}

async function proved(pattern: Pattern, entity: FoundEntity, ask: Ask): Promise<Candidate[]> {
  const choices = choicesOf(pattern, entity)
  const [right, ...complete] = await Promise.all([
    leadsTo(pattern, entity, choices, ask),
    ...choices.map((fields) => isComplete(pattern, entity, fields, ask)),
  ])
  const fields = choices.find((_, i) => right[i] && complete[i])
  return fields === undefined ? [] : [{ entity, fields }]
}

/** Fields whose values stand in the keys, for every parameter; the likeliest first. */
function choicesOf(pattern: Pattern, entity: FoundEntity): string[][] {
  const known = fieldTexts(entity.pattern).filter(([field]) => field !== entity.idField)
  let all: string[][] = [[]]
  for (const [param, texts] of pattern.row.texts.entries()) {
    const fields = known.filter(([, own]) => own.sketch.within(texts.sketch).share >= 0.5).map(([field]) => field)
    const words = wordsBefore(pattern.row, param).map((word) => singular(word).toLowerCase())
    const isNamed = (field: string) => wordsOf(field).some((word) => words.includes(word.toLowerCase()))
    fields.sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    all = all.flatMap((before) => fields.filter((field) => !before.includes(field)).map((field) => [...before, field]))
  }
  return all.slice(0, MOST_CHOICES)
}

/** For each choice, whether the documents that the keys lead to have the values in the keys. */
async function leadsTo(
  pattern: Pattern,
  entity: FoundEntity,
  choices: readonly string[][],
  ask: Ask,
): Promise<boolean[]> {
  const entries = pattern.of.samples.flatMap(({ key, reading }) =>
    reading.elements.slice(0, 3).map((id) => ({ texts: paramsIn(pattern, key), id: String(id) })),
  )
  if (choices.length === 0) return []
  const answers = await ask(entries.map(({ id }) => probe(entity.pattern, keyOf(entity.pattern, [id]))))
  const records = answers.map((answer) => answer && recordOf(entity.pattern, answer.elements))
  const there = records.filter((record) => record !== undefined).length
  return choices.map(
    (fields) =>
      there > 0 &&
      there >= ENOUGH * entries.length &&
      records.every((record, i) => {
        const { texts } = entries[i]!
        return record === undefined || fields.every((field, param) => String(record[field]) === texts[param])
      }),
  )
}

/** Every document is in the index. */
async function isComplete(
  pattern: Pattern,
  entity: FoundEntity,
  fields: readonly string[],
  ask: Ask,
): Promise<boolean> {
  const expected = recordsOf(entity.pattern).flatMap(({ key, record }) => {
    const texts = fields.map((field) => record[field])
    const [id] = paramsIn(entity.pattern, key)
    return id !== undefined && texts.every((text) => isScalar(text) && text !== "")
      ? [{ key: keyOf(pattern, texts.map(String)), id }]
      : []
  })
  const answers = await ask(expected.map(({ key, id }) => probe(pattern, key, pattern.type === "set" ? id : undefined)))
  const right = answers.filter((answer, i) => answer?.elements[0] === expected[i]!.id).length
  return expected.length > 0 && right >= ENOUGH * expected.length
}
