/* Deleting keys by pattern, age or predicate: as a plan first, carried out like a
 * repair. A record goes together with its index entries, in one step. */

import type { Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { purgeOfAll, purgeOfDerived } from "../../errors/change.ts"
import { KeywrightError } from "../../errors/error.ts"
import { type EntityModel, possibleEntryOf, type Document } from "../../inspect/model/entity-model.ts"
import { type Model, modelOf } from "../../inspect/model/model.ts"
import { spell } from "../../inspect/model/spell.ts"
import { Unreadable } from "../../inspect/model/unreadable.ts"
import { databasesOf } from "../../inspect/walk/databases.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { likelyPattern } from "../../inspect/model/unknown-patterns.ts"
import { isRefusal } from "../../inspect/walk/refusal.ts"
import { walk, type WalkOptions } from "../../inspect/walk/walk.ts"
import { isText } from "../../inspect/walk/wire.ts"
import { locate, slotsOf } from "../../schema/locate.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { type CopiedAs, ownersOf, showKey } from "../copy/owners.ts"
import { expectedOf } from "../plan/expected.ts"
import { type Action, type ChangePlan, type Expectation, planOf, withUnreadable } from "../plan/plan.ts"
import { secrecyOf } from "../plan/show-words.ts"
import { readsBefore, undoOf } from "../plan/undo.ts"
import { wordOf } from "../plan/word.ts"

/**
 * Which keys `planPurge` looks for: all conditions must hold.
 * @example
 * const options: PurgeOptions = { unknown: true, idleMs: 30 * 24 * 3600 * 1000, undo: true }
 * const plan = await planPurge(shop, db.$driver(), options)
 */
export interface PurgeOptions extends Pick<WalkOptions, "match" | "rate" | "signal" | "onProgress"> {
  /** Only keys of these names in the schema. */
  readonly only?: readonly string[]
  /** Only keys that no pattern owns. */
  readonly unknown?: boolean
  /** Only keys that nobody has used for this long. */
  readonly idleMs?: number
  /** Only records whose field, an instant, is longer ago than this. */
  readonly older?: { readonly field: string; readonly ms: number }
  /** Only keys without a deadline, or with one. */
  readonly ttl?: "none" | "some"
  /** Only keys for which this returns true. A value is there for records of entities. */
  readonly where?: (key: PurgeCandidate) => boolean
  /** Keep in the plan what undoes it: all values that are deleted. */
  readonly undo?: boolean
  readonly databases?: readonly number[]
}

/**
 * A key that `planPurge` asks `where` about.
 * @example
 * const isStale = ({ ttlMs }: PurgeCandidate) => ttlMs < 0
 * const plan = await planPurge(shop, db.$driver(), { only: ["cart"], where: isStale })
 */
export interface PurgeCandidate {
  readonly db: number
  readonly key: string | Uint8Array
  /** In the schema. */
  readonly name: string | undefined
  readonly record: Document | undefined
  readonly ttlMs: number
}

/**
 * Looks for keys to delete, and makes a plan of their deletion. Writes nothing; `applyRepair` carries the plan out. If
 * the server refuses to show what the decision needs, the key is not in the plan, but in its list `unreadable`.
 * @example
 * const plan = await planPurge(shop, db.$driver(), { only: ["cart"], ttl: "none" })
 * console.log(`${plan.actions.length} keys would be deleted`)
 */
export async function planPurge(keyspace: Keyspace, driver: Driver, options: PurgeOptions): Promise<ChangePlan> {
  const { match, only, unknown, idleMs, older, ttl, where } = options
  if ([match, only, unknown, idleMs, older, ttl, where].every((one) => one === undefined)) throw purgeOfAll()
  for (const name of only ?? []) {
    const row = keyspace.keys.find((one) => one.name === name)
    if (row?.entity !== undefined && row.entity.role !== "record") throw purgeOfDerived(name)
  }
  const unreadable = new Unreadable(keyspace, driver.db)
  const databases = await databasesOf(keyspace, driver, options, (...refused) => unreadable.note(...refused))
  const model = modelOf(keyspace, databases, driver.cluster, 0)
  const isSecret = secrecyOf(keyspace)
  const actions: Action[] = []
  let derived = 0
  const owners = new Map(databases.map(({ db, keys }) => [db, ownersOf(keyspace, keys, true)]))
  await walk(databases, options, async ({ database, keys }) => {
    const { db } = database
    const chosen: Candidate[] = []
    for (const key of keys) {
      const owner = owners.get(db)!(key)
      const { row } = owner
      if (owner.toolkit || (unknown === true && row !== undefined)) continue
      if (only !== undefined && (row === undefined || !only.includes(row.name))) continue
      if (row?.entity !== undefined && row.entity.role !== "record") derived++
      else chosen.push({ db, key, owner, entity: row?.entity && model.entities.get(row.entity.name) })
    }
    actions.push(...(await actionsFor(database.driver, chosen, model, options, isSecret)))
  })
  const plan = await planOf(keyspace, driver, actions, derived === 0 ? {} : { "PURGE.DERIVED": derived })
  return withUnreadable(plan, unreadable.result())
}

interface Candidate {
  readonly db: number
  readonly key: Wire
  readonly owner: CopiedAs
  readonly entity: EntityModel | undefined
}

async function actionsFor(
  driver: Driver,
  candidates: readonly Candidate[],
  model: Model,
  options: PurgeOptions,
  isSecret: (name: string | undefined) => boolean,
): Promise<Action[]> {
  // Only what decides: OBJECT IDLETIME, say, is refused by servers that evict by frequency of use.
  const needsTtl = options.ttl !== undefined || options.where !== undefined
  const reads = candidates.map(({ key, entity }): readonly (Command | undefined)[] => [
    options.idleMs === undefined ? undefined : ["OBJECT", "IDLETIME", key],
    needsTtl ? ["PTTL", key] : undefined,
    ["TYPE", key],
    entity === undefined || !isText(key) ? undefined : entity.read(key),
  ])
  const asked = reads.flat().filter((read) => read !== undefined)
  const found = (await driver.batch(asked, SAFE)).values()
  const replies = reads.map((each) => each.map((read) => (read === undefined ? null : found.next().value!)))
  const actions: Action[] = []
  for (const [i, one] of candidates.entries()) {
    // A record that cannot be read has index entries that nobody knows: deleted alone, it would leave them.
    if (replies[i]!.some(isRefusal)) continue
    const [idle, ttlMs, type, value] = replies[i] as [Reply, Reply, Reply, Reply]
    const record = value instanceof KeywrightError ? undefined : one.entity?.document(value)
    if (type === "none" || !isMeant(one, Number(idle), Number(ttlMs), record, options)) continue
    const keyRow = one.owner.row
    const secret = isSecret(keyRow?.name)
    const words = (command: Command) => command.map((word, at) => wordOf(word, secret && at > 0))
    const changes: Command[] = [...entriesOf(one, record), ["UNLINK", one.key]]
    const expects: Expectation[] = []
    if (options.idleMs !== undefined)
      expects.push({ read: words(["OBJECT IDLETIME", one.key]), is: { above: Math.ceil(options.idleMs / 1000) - 1 } })
    if (options.ttl !== undefined)
      expects.push({ read: words(["PTTL", one.key]), is: options.ttl === "none" ? -1 : { above: 0 } })
    if (record === undefined) expects.push({ read: words(["TYPE", one.key]), is: String(type) })
    else {
      const read = one.entity!.read(one.key as string)
      expects.push({ read: words(read), is: expectedOf(read, value, secret) })
    }
    const undo = options.undo === true ? await undoing(driver, changes) : []
    if (undo === undefined) continue
    actions.push({
      code: "PURGE",
      db: one.db,
      pattern: keyRow?.pattern ?? likelyPattern(one.key),
      key: showKey(one.key, keyRow, model.keyspace.keys),
      why: why(options),
      ...(secret && { secret: true }),
      expects,
      commands: changes.map(words),
      undo: undo.map(words),
    })
  }
  return actions
}

function isMeant(
  { db, key, owner }: Candidate,
  idleSeconds: number,
  ttlMs: number,
  record: Document | undefined,
  { idleMs, older, ttl, where }: PurgeOptions,
): boolean {
  if (idleMs !== undefined && !(idleSeconds * 1000 >= idleMs)) return false
  if (ttl !== undefined && (ttl === "none") !== (ttlMs === -1)) return false
  if (older !== undefined) {
    const at = record?.[older.field]
    const time = at instanceof Date ? at.getTime() : typeof at === "number" ? at : Date.parse(String(at))
    if (!(time < Date.now() - older.ms)) return false
  }
  return where === undefined || where({ db, key, name: owner.row?.name, record, ttlMs })
}

/** The index entries that a record leads to: they go first. */
function entriesOf({ key, entity }: Candidate, record: Document | undefined): Command[] {
  if (entity === undefined || record === undefined || !isText(key)) return []
  const { declared } = entity.record
  const params = locate(key, ...slotsOf(declared.pattern, declared.params))
  if (params === undefined) return []
  const id = entity.idText.held(params[entity.idField]!)
  const commands: Command[] = []
  for (const index of entity.indexes) {
    const texts = possibleEntryOf(index, record, params)
    if (texts === undefined) continue
    const name = { unique: "DELIF", set: "SREM", zset: "ZREM" }[index.kind]
    commands.push([name, spell(index.row, texts), id])
  }
  if (entity.list !== undefined) commands.push(["SREM", spell(entity.list, params), id])
  return commands
}

/** Undefined when what would have to be restored cannot be read. */
async function undoing(driver: Driver, changes: readonly Command[]): Promise<Command[] | undefined> {
  const undo: Command[] = []
  for (const change of changes) {
    const replies = await driver.batch([...readsBefore(change)], SAFE_BYTES)
    if (replies.some(isRefusal)) return undefined
    undo.push(...undoOf(change, replies))
  }
  return undo
}

function why({ idleMs, older, match, unknown, ttl }: PurgeOptions): string {
  const parts = [
    match !== undefined && `matches ${match}`,
    unknown === true && "no pattern owns it",
    idleMs !== undefined && `unused for ${Math.round(idleMs / 1000)} s`,
    older !== undefined && `${older.field} is more than ${Math.round(older.ms / 1000)} s ago`,
    ttl !== undefined && (ttl === "none" ? "has no TTL" : "has a TTL"),
  ].filter((part) => part !== false)
  return parts.length === 0 ? "was asked for" : parts.join(", ")
}
