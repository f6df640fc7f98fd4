/* An application's own rules: plain functions that look at one record, or at the elements of a
 * collection, and say what is wrong with them. A rule that finds something is run again on what
 * is stored then, so that a write during the walk does not produce a finding. */

import type { Command, Driver, Reply } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import { type Duration, toMs } from "../../schema/duration.ts"
import type { KeyPart } from "./finding.ts"
import { findingAt, type ReportFinding } from "./inquiry.ts"
import type { Later } from "./later.ts"
import { SAFE } from "../../driver/safe.ts"
import type { EntityModel, ParamTexts } from "../model/entity-model.ts"
import { databaseOf, type Model, type KeyModel } from "../model/model.ts"
import { decodedOrNone, undecodable, unlessRefused } from "../model/decoding.ts"
import { firstRead, furtherParts, LENGTHS, type ValuePart, partOf, readAs } from "../model/reading.ts"
import { spell } from "../model/spell.ts"
import { getOrMake } from "../walk/get-or-make.ts"

/**
 * What a rule returns when something is wrong.
 * @example
 * const wrong: RuleFinding = { expected: "a stock of 0 or more", found: "-3", place: { field: "stock" } }
 */
export interface RuleFinding {
  /** Printed as they are: nothing secret. */
  readonly expected: string
  readonly found: string
  readonly place?: KeyPart
}

type Said = RuleFinding | readonly RuleFinding[] | undefined

/**
 * A rule of the application's own, which `audit` applies to each record of an entity or to the elements of an entry.
 * @example
 * const named: AuditRule<{ name: string }> = {
 *   code: "USER.NAME",
 *   of: "user",
 *   check: ({ name }) => (name.trim() === "" ? { expected: "a name", found: "none" } : undefined),
 * }
 * await audit(shop, db.$driver(), { rules: [named as AuditRule] })
 */
export interface AuditRule<R = never> {
  /** Stable: `"DISH.STOCK"`. */
  readonly code: `${string}.${string}`
  /** The name of an entity or of another entry: whose records it checks. */
  readonly of: string
  /** How long it may last before a job fixes it; it is checked again afterwards. */
  readonly grace?: Duration
  /**
   * What is wrong with a record, or undefined. Of a collection it is asked about up to about a thousand elements at a
   * time: values of a list or a set, `{ member, score }` of a sorted set, `{ field, value }` of a map.
   */
  check(record: R, context: RuleContext): Said | Promise<Said>
}

/**
 * What a rule can look up besides the record it checks. Records that cannot be decoded are passed over.
 * @example
 * const buyer: AuditRule<{ userId: string }> = {
 *   code: "ORDER.BUYER",
 *   of: "order",
 *   check: async ({ userId }, context: RuleContext) =>
 *     (await context.get("user", userId)) ? undefined : { expected: "a user", found: userId },
 * }
 */
export interface RuleContext {
  readonly key: string
  readonly params: ParamTexts
  get(entity: string, id: string): Promise<unknown>
  getMany(entity: string, ids: readonly string[]): Promise<unknown[]>
  /** The records that an index holds for these fields. */
  list(entity: string, index: string, fields: Readonly<Record<string, unknown>>): Promise<unknown[]>
  /** What a string, a counter or a hash holds, with these parameters and those of this key; undefined when there is none. */
  read(entry: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>
  /** For each of these elements its value in a map or its score in a sorted set; of a set or a list, whether it is there. */
  lookUp(entry: string, elements: readonly unknown[], params?: Readonly<Record<string, unknown>>): Promise<unknown[]>
  /** How many elements a collection has, or fields a hash, with these parameters and those of this key; 0 when there is none. */
  size(entry: string, params?: Readonly<Record<string, unknown>>): Promise<number>
  /** How many milliseconds this key has left; undefined when it does not expire. */
  ttl(): Promise<number | undefined>
  /** What this rule remembers from one key to the next, during one audit: where a number was seen that has to be unique. */
  readonly memory: Map<unknown, unknown>
}

/** Makes what `rules` look up with. */
export function ruleContext(
  model: Model,
  key: string,
  params: ParamTexts,
  own?: KeyModel,
  memory = new Map<unknown, unknown>(),
): RuleContext {
  const read = async (entity: EntityModel, ids: readonly string[]): Promise<unknown[]> => {
    const replies = await databaseOf(model, entity.record).driver.batch(
      ids.map((id) => entity.read(entity.keyOf(id, params))),
      SAFE,
    )
    return replies.map((reply) => recordOf(entity.record, entity.document(reply) === undefined ? null : reply))
  }
  const keyOf = (row: KeyModel, given: Readonly<Record<string, unknown>>): string => {
    const texts = Object.entries(given).map(([name, value]) => [name, row.declared.params[name]!.encode(value)])
    return spell(row, { ...params, ...Object.fromEntries(texts) })
  }
  return {
    key,
    params,
    get: async (name, id) => (await read(model.entities.get(name)!, [id]))[0],
    getMany: (name, ids) => read(model.entities.get(name)!, ids),
    async list(name, label, fields) {
      const entity = model.entities.get(name)!
      const index = entity.indexes.find((one) => one.label === label)!
      const indexKey = keyOf(index.row, fields)
      const command = { unique: ["GET", indexKey], set: ["SMEMBERS", indexKey], zset: ["ZRANGE", indexKey, "0", "-1"] }
      const reply = await databaseOf(model, index.row).driver.send(command[index.kind], SAFE)
      const held = reply === null ? [] : Array.isArray(reply) ? reply.map(String) : [String(reply)]
      const ids = [...new Set(held.map(entity.idText.of))]
      return (await read(entity, ids)).filter((record) => record !== undefined)
    },
    async read(entry, given = {}) {
      const row = model.keys.get(entry)!
      const [reply] = await databaseOf(model, row).driver.batch([wholeRead(row, keyOf(row, given))], SAFE)
      return recordOf(row, reply!)
    },
    async lookUp(entry, elements, given = {}) {
      const row = model.keys.get(entry)!
      const [command, element, answer] = LOOK_UPS[row.declared.kind]!
      const codec = row.declared.shape[element] as AnyCodec
      const at = keyOf(row, given)
      const replies = await databaseOf(model, row).driver.batch(
        elements.map((one) => [command, at, codec.encode(one) as string]),
        SAFE,
      )
      return replies.map((reply) => {
        // LPOS counts from 0, and SISMEMBER answers with 0 or 1.
        if (answer === undefined) return typeof reply === "number" && (command === "LPOS" || reply === 1)
        return decoded(row.declared.shape[answer] as AnyCodec, reply)
      })
    },
    async size(entry, given = {}) {
      const row = model.keys.get(entry)!
      const [reply] = await databaseOf(model, row).driver.batch([[LENGTHS[row.type]!, keyOf(row, given)]], SAFE)
      // What is of another type has no such elements.
      return typeof reply === "number" ? reply : 0
    },
    memory,
    async ttl() {
      const [left] = await databaseOf(model, own!).driver.batch([["PTTL", key]], SAFE)
      // A key that is gone has nothing left.
      return left === -1 ? undefined : Math.max(0, Number(left))
    },
  }
}

/** The command that looks for an element, where that is in the shape, and what it answers. */
const LOOK_UPS: Readonly<Record<string, readonly [command: string, element: string, answer?: string]>> = {
  map: ["HGET", "field", "value"],
  zset: ["ZSCORE", "member", "score"],
  set: ["SISMEMBER", "member"],
  list: ["LPOS", "item"],
}

const memories = new WeakMap<Model, Map<AuditRule, Map<unknown, unknown>>>()

/** What a rule remembers during the audit that this model was made for. */
function memoryOf(model: Model, rule: AuditRule): Map<unknown, unknown> {
  const all = getOrMake(memories, model, () => new Map<AuditRule, Map<unknown, unknown>>())
  return getOrMake(all, rule, () => new Map())
}

const wholeRead = ({ declared }: KeyModel, key: string): Command =>
  declared.kind === "hash" ? ["HGETALL", key] : ["GET", key]

/** Undefined when there is nothing, or its codec does not read it. */
const decoded = (codec: AnyCodec, reply: Reply): unknown =>
  reply === null || reply instanceof KeywrightError ? undefined : decodedOrNone(codec, reply)

/** The elements of a part of a collection; those that their codecs do not read are left out. */
function elementsOf({ declared: { kind, shape } }: KeyModel, { elements }: ValuePart): unknown[] {
  const [, first, second] = LOOK_UPS[kind]!
  const found: unknown[] = []
  for (let i = 0; i < elements.length; i += second === undefined ? 1 : 2) {
    const one = decoded(shape[first] as AnyCodec, elements[i]!)
    const other = second === undefined ? one : decoded(shape[second] as AnyCodec, elements[i + 1]!)
    if (one === undefined || other === undefined) continue
    found.push(second === undefined ? one : { [first]: one, [second]: other })
  }
  return found
}

/** What a rule looks at: a record, or a collection in parts; and the reply that it was read from. */
async function* recordsAt(row: KeyModel, driver: Driver, key: string): AsyncGenerator<readonly [unknown, Reply]> {
  if (!(row.declared.kind in LOOK_UPS)) {
    const [reply] = await driver.batch([wholeRead(row, key)], SAFE)
    const record = recordOf(row, reply!)
    if (record !== undefined) yield [record, reply!]
    return
  }
  const reply = await readAs(driver, row, firstRead(row, key))
  if (reply instanceof KeywrightError) return
  const first = partOf(row, reply)
  if (first.elements.length > 0) yield [elementsOf(row, first), null]
  if (first.next !== undefined)
    for await (const part of furtherParts(driver, row, key, first)) yield [elementsOf(row, part), null]
}

/** The record as its codec reads it; undefined when it does not. */
const recordOf = ({ declared }: KeyModel, reply: Reply): unknown =>
  unlessRefused(() => {
    if (reply === null || reply instanceof KeywrightError) return undefined
    if (declared.kind === "string" || declared.kind === "counter")
      return (declared.shape["value"] as AnyCodec).decode(String(reply))
    if (declared.kind !== "hash" || !Array.isArray(reply) || reply.length === 0) return undefined
    const record: Record<string, unknown> = {}
    const fields = declared.shape["fields"] as CodecFields
    for (let i = 0; i + 1 < reply.length; i += 2) {
      const name = String(reply[i])
      if (Object.hasOwn(fields, name)) record[name] = fields[name]!.decode(String(reply[i + 1]))
    }
    return record
  }, undefined)

/** Asks a rule about a key, twice when it finds something; reports what it says both times. */
export async function applyRule(
  rule: AuditRule,
  model: Model,
  row: KeyModel,
  key: string,
  params: ParamTexts,
  report: ReportFinding,
  later?: Later,
): Promise<void> {
  // A key that no client can build is not what the rule speaks of.
  if (row.params.some((name) => undecodable(row.declared.params[name]!, params[name]!, []) !== undefined)) return
  const { driver } = databaseOf(model, row)
  const context = ruleContext(model, key, params, row, memoryOf(model, rule))
  const ask = async (): Promise<Map<string, RuleFinding & { readonly reply: Reply }>> => {
    const all = new Map<string, RuleFinding & { readonly reply: Reply }>()
    for await (const [record, reply] of recordsAt(row, driver, key)) {
      const said = await rule.check(record as never, context)
      const findings =
        said === undefined ? [] : Array.isArray(said) ? (said as readonly RuleFinding[]) : [said as RuleFinding]
      for (const one of findings) all.set(JSON.stringify(one.place), { ...one, reply })
    }
    return all
  }
  const command = wholeRead(row, key)
  const first = await ask()
  if (first.size === 0) return
  const again = async (): Promise<void> => {
    for (const [where, { expected, found, place, reply }] of await ask()) {
      if (!first.has(where)) continue
      // What a collection held is not kept: such a finding is looked up again by its rule alone.
      const reads = reply === null ? [] : [{ db: row.db, command }]
      const made = findingAt(
        { code: rule.code, row, key, place, expected, found, reads },
        reply === null ? [] : [reply],
      )
      await report(made, `${rule.code} ${row.db} ${key} ${JSON.stringify(place)}`, false)
    }
  }
  if (rule.grace === undefined) return again()
  // In a file, whose clock does not move, it cannot be judged.
  if (model.savedAtMs === undefined) later?.addLook(again, toMs(rule.grace))
}
