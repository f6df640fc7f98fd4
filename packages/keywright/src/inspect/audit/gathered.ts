/* References to what any key of a pattern holds: `user_id` is the `id` of one of the users, a post is in one of the
 * pools. No command can say whether there is such a key, so the ids of all of them are gathered first, as hashes of
 * 8 bytes each, and gathered again before anything is reported. */

import type { Driver } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import { classifier } from "../../schema/classify/classify.ts"
import { targetsOf, whereOf } from "../../schema/invariant.ts"
import type { Key } from "../../schema/key.ts"
import { placesOf } from "../../schema/place.ts"
import { SAFE } from "../../driver/safe.ts"
import { noting } from "../walk/refusal.ts"
import { walk } from "../walk/walk.ts"
import { isText } from "../walk/wire.ts"
import { idTextOf } from "../model/id-text.ts"
import { databaseOf, type Model, type KeyModel } from "../model/model.ts"
import { firstRead, furtherParts, type ValuePart, partOf, readAs } from "../model/reading.ts"
import { TextSet } from "../walk/text-set.ts"

export class Gathering {
  readonly #model: Model
  readonly #row: KeyModel
  readonly #place: string
  #ids = new TextSet()
  #isComplete = true

  constructor(model: Model, row: KeyModel, place: string) {
    this.#model = model
    this.#row = row
    this.#place = place
  }

  /** True also where the server refused to read some of them: the id may be there. */
  has(id: string): boolean {
    return !this.#isComplete || this.#ids.has(id)
  }

  /** Reads the field of every such hash, or the elements of every such collection. */
  async gather(): Promise<void> {
    const row = this.#row
    const database = databaseOf(this.#model, row)
    const owners = classifier(database.keys)
    const own = database.keys.indexOf(row.declared)
    const ids = new TextSet()
    let isComplete = true
    const driver = noting(database.driver, () => void (isComplete = false))
    await walk([database], { match: row.format.glob() }, async ({ keys }) => {
      const found = keys.filter((key) => isText(key) && owners.classify(key) === own) as string[]
      if (row.declared.kind === "hash") await this.#addFields(driver, found, ids)
      else for (const key of found) await this.#addElements(driver, key, ids)
    })
    this.#ids = ids
    this.#isComplete = isComplete
  }

  async #addFields(driver: Driver, keys: readonly string[], ids: TextSet): Promise<void> {
    const { of } = idTextOf((this.#row.declared.shape["fields"] as CodecFields)[this.#place])
    const replies = await driver.batch(
      keys.map((key) => ["HGET", key, this.#place]),
      SAFE,
    )
    for (const id of replies) if (id !== null && !(id instanceof KeywrightError)) ids.add(of(String(id)))
  }

  async #addElements(driver: Driver, key: string, ids: TextSet): Promise<void> {
    const { of } = idTextOf(this.#row.declared.shape[this.#place] as AnyCodec)
    const width = this.#row.type === "zset" || this.#row.type === "hash" ? 2 : 1
    const add = ({ elements }: ValuePart) => elements.forEach((id, i) => i % width === 0 && ids.add(of(String(id))))
    const reply = await readAs(driver, this.#row, firstRead(this.#row, key))
    if (reply instanceof KeywrightError) return
    const first = partOf(this.#row, reply)
    add(first)
    if (first.next !== undefined) for await (const part of furtherParts(driver, this.#row, key, first)) add(part)
  }
}

const ofModels = new WeakMap<Model, Map<string, Gathering>>()

/** Where ids can be gathered, besides the fields of hashes. */
const GATHERED: readonly string[] = ["set member", "zset member", "geo member", "map field", "list item"]

/** Whether no command can be asked for an id there, because what refers to it does not know the key. */
export const isGathered = (from: Key, to: Key, held: string): boolean =>
  !held.startsWith("{") &&
  (to.kind === "hash" || GATHERED.includes(`${to.kind} ${held}`)) &&
  !Object.keys(to.params).every((param) => Object.hasOwn(from.params, param))

/** Those of one audit: one for each place that something refers to without knowing the key. */
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
      const held = to && (place ?? placesOf(to.declared, rule.id)[0])
      if (from === undefined || to === undefined || held === undefined) continue
      if (!isGathered(from.declared, to.declared, held)) continue
      const name = gatheringName(to, held)
      if (!all.has(name)) all.set(name, new Gathering(model, to, held))
    }
  }
  return all
}

export const gatheringName = ({ declared }: KeyModel, place: string): string => `${declared.name} ${place}`
