/* Whether all index entries fit all records, without looking up a single one.
 *
 * In one walk every record adds the entries that it leads to, and every index and
 * list takes away those that it holds: as hashes, into two tables of sums, one by the
 * record's key and one by the holder's. Where a sum is not zero at the end, something
 * there is wrong (or was written meanwhile); those keys are walked to once more and
 * looked at one by one. So a clean server is audited with no lookups at all, in
 * memory that does not depend on the number of keys. */

import { KeywrightError } from "../../errors/error.ts"
import { hashText } from "../hash-text.ts"
import { entryOf, scoreOf } from "./entity-model.ts"
import type { Model, RowModel } from "./model.ts"
import { spell } from "./spell.ts"
import { boundOf, type Check, documentOf, type Look } from "./subject.ts"

const SLOTS = 1 << 20
const HOLDERS = 0x1b873593
const ENTRIES = 0xcc9e2d51

export class Sums {
  readonly #records = new Int32Array(SLOTS)
  readonly #holders = new Int32Array(SLOTS)

  /** The record leads to this entry, or (with -1) the holder has it. */
  count(recordKey: string, holderKey: string, entry: string, sign: 1 | -1): void {
    const holder = hashText(holderKey, HOLDERS)
    const hash = Math.imul(hashText(entry, holder ^ ENTRIES) | 1, sign)
    this.#holders[holder & (SLOTS - 1)]! += hash
    this.#records[hashText(recordKey) & (SLOTS - 1)]! += hash
  }

  get isClean(): boolean {
    return this.#records.every(isZero) && this.#holders.every(isZero)
  }

  /** Something of this key, or of one that shares its place, does not fit. */
  isDirty({ row }: RowModel, key: string): boolean {
    return row.entity?.role === "record"
      ? this.#records[hashText(key) & (SLOTS - 1)] !== 0
      : this.#holders[hashText(key, HOLDERS) & (SLOTS - 1)] !== 0
  }
}

const isZero = (sum: number): boolean => sum === 0

/** The check that only counts. */
export const sumCheck =
  (sums: Sums): Check =>
  (row, model) =>
    row.row.entity?.role === "record" ? recordLook(row, model, sums) : holderLook(row, model, sums)

function recordLook(row: RowModel, model: Model, sums: Sums): Look {
  const entity = model.entities.get(row.row.entity!.name)!
  const { indexes, list, idField } = entity
  return (subject) => {
    const document = documentOf(subject, entity)
    if (document === undefined) return
    const id = subject.params[idField]!
    const bound = boundOf(entity, subject.params)
    if (list !== undefined) sums.count(subject.key, spell(list, subject.params), id, 1)
    for (const index of indexes) {
      try {
        const texts = entryOf(index, document, bound)
        if (texts === undefined) continue
        const score = index.index.score === undefined ? "" : ` ${scoreOf(document[index.index.score])}`
        sums.count(subject.key, spell(index.row, texts), id + score, 1)
      } catch (error) {
        // A field that no key can hold: not zero, so that it is looked at.
        if (!(error instanceof KeywrightError)) throw error
        sums.count(subject.key, index.row.row.name, id, 1)
      }
    }
  }
}

function holderLook(row: RowModel, model: Model, sums: Sums): Look | undefined {
  const place = row.row.entity
  if (place === undefined || place.role === "counter") return undefined
  const entity = model.entities.get(place.name)!
  const width = row.type === "zset" ? 2 : 1
  return ({ key, params, elements }) => {
    const bound = boundOf(entity, params)
    for (let i = 0; i < elements.length; i += width) {
      const id = String(elements[i])
      const score = width === 1 ? "" : ` ${Number(elements[i + 1])}`
      sums.count(entity.keyOf(id, bound), key, id + score, -1)
    }
  }
}
