/* References to what a field of some hash holds: `user_id` is the `id` of one of the users.
 * No command can be asked whether there is such a hash, so the ids of all of them are
 * gathered first, as hashes of 8 bytes each, and once more before anything is reported. */

import { KeywrightError } from "../../errors/error.ts"
import { classifier } from "../../schema/classify.ts"
import { targetsOf, whereOf } from "../../schema/invariant.ts"
import { placesOf } from "../../schema/place.ts"
import { SAFE } from "../../driver/safe.ts"
import { walk } from "../walk/walk.ts"
import { isText } from "../walk/wire.ts"
import type { Model, KeyModel } from "../model/model.ts"
import { TextSet } from "./text-set.ts"

export class Gathering {
  readonly #model: Model
  readonly #row: KeyModel
  readonly #field: string
  #ids = new TextSet()

  constructor(model: Model, row: KeyModel, field: string) {
    this.#model = model
    this.#row = row
    this.#field = field
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Reads the field of every such hash. */
  async gather(): Promise<void> {
    const row = this.#row
    const database = this.#model.databases.find(({ db }) => db === row.db)!
    const owners = classifier(database.keys)
    const own = database.keys.indexOf(row.declared)
    const ids = new TextSet()
    await walk([database], { match: row.format.glob() }, async ({ keys }) => {
      const hashes = keys.filter((key) => isText(key) && owners.classify(key) === own)
      const fields = await database.driver.batch(
        hashes.map((key) => ["HGET", key, this.#field]),
        SAFE,
      )
      for (const id of fields) if (id !== null && !(id instanceof KeywrightError)) ids.add(String(id))
    })
    this.#ids = ids
  }
}

const ofModels = new WeakMap<Model, Map<string, Gathering>>()

/** Those of one audit: one for each field that something refers to. */
export function gatheringsOf(model: Model): ReadonlyMap<string, Gathering> {
  let all = ofModels.get(model)
  if (all !== undefined) return all
  ofModels.set(model, (all = new Map()))
  for (const rule of model.keyspace.invariants) {
    if (rule.kind !== "reference") continue
    const from = model.keys.get(whereOf(rule.from).key)
    for (const where of targetsOf(rule)) {
      const { key, place } = whereOf(where)
      const to = model.keys.get(key)
      const field = to && (place ?? placesOf(to.declared, rule.id)[0])
      if (from === undefined || to?.declared.kind !== "hash" || field === undefined || field.startsWith("{")) continue
      if (to.params.every((param) => from.params.includes(param))) continue
      const name = gatheringName(to, field)
      if (!all.has(name)) all.set(name, new Gathering(model, to, field))
    }
  }
  return all
}

export const gatheringName = ({ declared: row }: KeyModel, field: string): string => `${row.name} ${field}`
