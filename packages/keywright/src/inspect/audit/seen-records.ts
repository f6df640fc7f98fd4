/* Records that are known to exist: many refer to the same few. The memory is fixed; a
 * record is forgotten when another takes its slot. Once in four thousand million
 * times a record is taken for another one. */

import { getOrMake } from "../walk/get-or-make.ts"
import { hashInto } from "../walk/keyed-hash.ts"
import type { EntityModel, ParamTexts } from "../model/entity-model.ts"
import type { Model } from "../model/model.ts"

const SLOTS = 1 << 17
const hash = new Uint32Array(2)

export class SeenRecords {
  readonly #marks = new Uint32Array(SLOTS)

  has(entity: EntityModel, id: string, bound: ParamTexts): boolean {
    const [slot, mark] = slotAndMark(entity, id, bound)
    return this.#marks[slot] === mark
  }

  add(entity: EntityModel, id: string, bound: ParamTexts): void {
    const [slot, mark] = slotAndMark(entity, id, bound)
    this.#marks[slot] = mark
  }
}

function slotAndMark(entity: EntityModel, id: string, bound: ParamTexts): readonly [slot: number, mark: number] {
  hashInto(hash, 0, entity.headOf(bound) + id + entity.tail)
  return [hash[0]! & (SLOTS - 1), hash[1]! || 1]
}

const ofModels = new WeakMap<Model, SeenRecords>()

/** Those of one audit. */
export const seenRecordsOf = (model: Model): SeenRecords => getOrMake(ofModels, model, () => new SeenRecords())
