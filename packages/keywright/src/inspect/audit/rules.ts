/* An application's own rules: plain functions that look at one record and say what is
 * wrong with it. A rule that finds something is run again on what is stored then, so that
 * a write during the walk does not produce a finding. */

import type { Driver, Reply } from "../../driver/driver.ts"
import { isKeywrightError, KeywrightError } from "../../errors/error.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import { finding, type Finding, type Place } from "./finding.ts"
import { SAFE } from "../../driver/safe.ts"
import type { EntityModel, ParamTexts } from "../model/entity-model.ts"
import type { Model, KeyModel } from "../model/model.ts"
import { spell } from "../model/spell.ts"

export interface RuleFinding {
  /** Printed as they are: nothing secret. */
  readonly expected: string
  readonly found: string
  readonly place?: Place
}

type Said = RuleFinding | readonly RuleFinding[] | undefined

export interface AuditRule<R = never> {
  /** Stable: `"DISH.STOCK"`. */
  readonly code: `${string}.${string}`
  /** The name of an entity, or of a string or hash: whose records it checks. */
  readonly of: string
  /** What is wrong with a record, or undefined. */
  check(record: R, context: RuleContext): Said | Promise<Said>
}

/** What a rule may look up. Records that cannot be decoded are passed over. */
export interface RuleContext {
  readonly key: string
  readonly params: ParamTexts
  get(entity: string, id: string): Promise<unknown>
  getMany(entity: string, ids: readonly string[]): Promise<unknown[]>
  /** The records that an index holds for these fields. */
  list(entity: string, index: string, fields: Readonly<Record<string, unknown>>): Promise<unknown[]>
}

/** Makes what `rules` look up with. */
export function ruleContext(model: Model, key: string, params: ParamTexts): RuleContext {
  const driverOf = (row: KeyModel): Driver => model.databases.find(({ db }) => db === row.db)!.driver
  const read = async (entity: EntityModel, ids: readonly string[]): Promise<unknown[]> => {
    const replies = await driverOf(entity.record).batch(
      ids.map((id) => entity.read(entity.keyOf(id, params))),
      SAFE,
    )
    return replies.map((reply) => recordOf(entity.record, entity.document(reply) === undefined ? null : reply))
  }
  const context: RuleContext = {
    key,
    params,
    get: async (name, id) => (await read(model.entities.get(name)!, [id]))[0],
    getMany: (name, ids) => read(model.entities.get(name)!, ids),
    async list(name, label, fields) {
      const entity = model.entities.get(name)!
      const index = entity.indexes.find((one) => one.label === label)!
      const texts = Object.entries(fields).map(([field, value]) => [
        field,
        index.row.declared.params[field]!.encode(value),
      ])
      const indexKey = spell(index.row, { ...params, ...Object.fromEntries(texts) })
      const command = { unique: ["GET", indexKey], set: ["SMEMBERS", indexKey], zset: ["ZRANGE", indexKey, "0", "-1"] }
      const reply = await driverOf(index.row).send(command[index.kind], SAFE)
      const held = reply === null ? [] : Array.isArray(reply) ? reply.map(String) : [String(reply)]
      const ids = [...new Set(held.map(entity.idText.of))]
      return (await read(entity, ids)).filter((record) => record !== undefined)
    },
  }
  return context
}

/** The record as its codec reads it; undefined when it does not. */
export function recordOf({ declared: row }: KeyModel, reply: Reply): unknown {
  if (reply === null || reply instanceof KeywrightError) return undefined
  try {
    if (row.kind === "string") return (row.shape["value"] as AnyCodec).decode(String(reply))
    if (row.kind !== "hash" || !Array.isArray(reply) || reply.length === 0) return undefined
    const record: Record<string, unknown> = {}
    const fields = row.shape["fields"] as CodecFields
    for (let i = 0; i + 1 < reply.length; i += 2) {
      const name = String(reply[i])
      if (Object.hasOwn(fields, name)) record[name] = fields[name]!.decode(String(reply[i + 1]))
    }
    return record
  } catch (error) {
    if (isKeywrightError(error)) return undefined
    throw error
  }
}

/** Asks a rule about a key, twice when it finds something; reports what it says both times. */
export async function applyRule(
  rule: AuditRule,
  model: Model,
  row: KeyModel,
  key: string,
  params: ParamTexts,
  report: (finding: Finding, identity: string) => void | Promise<void>,
): Promise<void> {
  const { driver } = model.databases.find(({ db }) => db === row.db)!
  const context = ruleContext(model, key, params)
  const command = row.declared.kind === "hash" ? ["HGETALL", key] : ["GET", key]
  let reply: Reply = null
  const ask = async (): Promise<readonly RuleFinding[]> => {
    reply = (await driver.batch([command], SAFE))[0]!
    const record = recordOf(row, reply)
    const said = record === undefined ? undefined : await rule.check(record as never, context)
    return said === undefined ? [] : Array.isArray(said) ? (said as readonly RuleFinding[]) : [said as RuleFinding]
  }
  if ((await ask()).length === 0) return
  for (const { expected, found, place } of await ask()) {
    const shown = {
      code: rule.code,
      db: row.db,
      pattern: row.declared.pattern,
      key: row.show(key),
      ...(place !== undefined && { place }),
      expected,
      found,
      fixable: false,
    }
    const target = { db: row.db, key, name: row.declared.name, reads: [{ db: row.db, command }], replies: [reply] }
    await report(finding(shown, target), `${rule.code} ${row.db} ${key} ${JSON.stringify(place)}`)
  }
}
