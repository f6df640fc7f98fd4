/* Records that are known to exist: many refer to the same few. The memory is fixed; a
 * record is forgotten when another takes its slot. Once in four thousand million
 * times a record is taken for another one. */

import { feed, finish, OTHER_SEED, SEED } from "../walk/hash-text.ts"
import type { EntityModel, ParamTexts } from "../model/entity-model.ts"
import type { Model } from "../model/model.ts"

const SLOTS = 1 << 17

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
  const head = entity.headOf(bound)
  const hash = (seed: number) => finish(feed(entity.tail, feed(id, feed(head, seed))))
  return [hash(SEED) & (SLOTS - 1), hash(OTHER_SEED) || 1]
}

const ofModels = new WeakMap<Model, SeenRecords>()

/** Those of one audit. */
export function seenRecordsOf(model: Model): SeenRecords {
  let records = ofModels.get(model)
  if (records === undefined) ofModels.set(model, (records = new SeenRecords()))
  return records
}
