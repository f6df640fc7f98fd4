/* Whether all index entries fit all records, without looking up a single one.
 *
 * In one walk every record adds the entries that it leads to, and every index and list
 * takes away those that it holds: as hashes, into two tables of sums, one by the record's
 * key and one by the holder's. Where a sum is not zero at the end, something there is
 * wrong (or was written meanwhile); those keys are visited once more and checked one by
 * one. So a clean server is audited with no lookups at all, in memory that does not
 * depend on the number of keys. */

import { randomInt } from "node:crypto"
import { isKeywrightError } from "../../errors/error.ts"
import { feed, finish, hashText } from "../walk/hash-text.ts"
import { entryOf, scoreOf, type ParamTexts } from "../model/entity-model.ts"
import type { Model, KeyModel } from "../model/model.ts"
import type { CheckKind, CheckKey } from "./checks/check.ts"
import { boundOf, documentOf } from "../model/subject.ts"

const SLOTS = 1 << 20
/** Another one in each process, so that nobody can prepare entries whose hashes cancel out. */
const SEED = randomInt(2 ** 32)
/** Until an entry is counted: many keyspaces have no entities. */
const NONE = new Int32Array(0)

export class Sums {
  #records = NONE
  #holders = NONE

  /** With 1: the record should have this entry; with -1: the holder has it. `record` and `holder` are hash states of their keys (`feed`). */
  count(record: number, holder: number, entry: string, sign: 1 | -1): void {
    if (this.#records === NONE) [this.#records, this.#holders] = [new Int32Array(SLOTS), new Int32Array(SLOTS)]
    const hash = Math.imul(finish(feed(entry, holder)) | 1, sign)
    this.#holders[finish(holder) & (SLOTS - 1)]! += hash
    this.#records[finish(record) & (SLOTS - 1)]! += hash
  }

  get isClean(): boolean {
    return isZero(this.#records) && isZero(this.#holders)
  }

  /** Something of this key, or of one that shares its place, does not fit. */
  isDirty({ declared }: KeyModel, key: string): boolean {
    return declared.entity?.role === "record"
      ? Boolean(this.#records[hashText(key, SEED) & (SLOTS - 1)])
      : Boolean(this.#holders[hashText(key, SEED) & (SLOTS - 1)])
  }
}

/** A loop: a call per slot would take longer than all the rest of the audit of a small server. */
function isZero(sums: Int32Array): boolean {
  for (let i = 0; i < sums.length; i++) if (sums[i] !== 0) return false
  return true
}

/** The check that only counts. */
export const sumCheck =
  (sums: Sums): CheckKind =>
  (row, model) =>
    row.declared.entity?.role === "record" ? countRecord(row, model, sums) : countHolder(row, model, sums)

/** The hash state of a key with these parameters, without building the key. */
function feedKey({ parts }: KeyModel, texts: ParamTexts): number {
  let state = feed(parts[0]!, SEED)
  for (let i = 1; i < parts.length; i += 2) state = feed(parts[i + 1]!, feed(texts[parts[i]!] ?? "", state))
  return state
}

function countRecord(row: KeyModel, model: Model, sums: Sums): CheckKey {
  const entity = model.entities.get(row.declared.entity!.name)!
  const { indexes, list, idField } = entity
  return (subject) => {
    const document = documentOf(subject, entity)
    if (document === undefined) return
    const id = subject.params[idField]!
    const held = entity.idText.held(id)
    const bound = boundOf(entity, subject.params)
    const record = feed(subject.key, SEED)
    if (list !== undefined) sums.count(record, feedKey(list, subject.params), held, 1)
    for (const index of indexes) {
      try {
        const texts = entryOf(index, document, bound)
        if (texts === undefined) continue
        const score = index.index.score === undefined ? "" : ` ${scoreOf(document[index.index.score])}`
        sums.count(record, feedKey(index.row, texts), held + score, 1)
      } catch (error) {
        // A field that cannot be part of a key: not zero, so that it is checked.
        if (!isKeywrightError(error)) throw error
        sums.count(record, feed(index.row.declared.name, SEED), id, 1)
      }
    }
  }
}

function countHolder(row: KeyModel, model: Model, sums: Sums): CheckKey | undefined {
  const place = row.declared.entity
  if (place === undefined || place.role === "counter") return undefined
  const entity = model.entities.get(place.name)!
  const width = row.type === "zset" ? 2 : 1
  return ({ key, params, elements }) => {
    const head = feed(entity.headOf(params), SEED)
    const holder = feed(key, SEED)
    for (let i = 0; i < elements.length; i += width) {
      const held = String(elements[i])
      const score = width === 1 ? "" : ` ${Number(elements[i + 1])}`
      sums.count(feed(entity.tail, feed(entity.idText.of(held), head)), holder, held + score, -1)
    }
  }
}
