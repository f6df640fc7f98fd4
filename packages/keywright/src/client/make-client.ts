/* From a keyspace and its lanes to the object that people use. Entries become
 * functions, groups become objects (and functions, where they can be bound). */

import { spread } from "./call/spread.ts"
import { withBound } from "./call/with-bound.ts"
import { keyMissingParam } from "../errors/key.ts"
import { blindRead, transactionCommand } from "../errors/transaction.ts"
import type { Def } from "../schema/define.ts"
import type { Entity } from "../schema/entity.ts"
import type { AnyParams, Group } from "../schema/group.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import type { ShardRule } from "../schema/codec/codec.ts"
import { slotsOf } from "../schema/locate.ts"
import { isDecided } from "../schema/shard.ts"
import { prefixValues } from "../schema/only-value.ts"
import type { Sharded } from "../schema/sharded.ts"
import type { Bound, ReadyKey } from "./call/ready-key.ts"
import { entityClient } from "./entity-client.ts"
import { TransactionEntity } from "./transaction/transaction-entity.ts"
import { familyMethods } from "./kinds/family.ts"
import type { Handle } from "./kinds/handle.ts"
import { handleClasses } from "./kinds/handles.ts"
import type { Lane } from "./call/lane.ts"
import { scanKeys } from "./call/scan.ts"
import { mergedClasses } from "./shards/merged.ts"
import type { Attempt } from "./transaction/attempt.ts"

/** What the parts of a client share. */
export interface Context {
  readonly keyspace: Keyspace
  readonly ready: ReadonlyMap<string, ReadyKey>
  /** The lane to the logical database of a key. */
  readonly laneOf: (db: number) => Lane
  /** How calls are made: at once, recorded into a batch or a MULTI, or collected by a transaction, with or without an answer. */
  readonly mode: "direct" | "batch" | "multi" | "transaction" | "blind"
  /** Where entities go instead: they read before they write, so they are not part of a batch. */
  readonly entityLane?: ((db: number) => Lane) | undefined
  /** Inside a transaction: what it has read and collected so far. */
  readonly attempt?: (() => Attempt) | undefined
  /** Inside a transaction: the same entries for writes whose answer nobody needs. Created on first use. */
  readonly blind?: (() => object) | undefined
  /** The clock, for stamps. */
  readonly clock: () => Date
  /** Called when a record that expires is about to be written. */
  readonly noted?: () => void
  /** By path: the entries of a group as getters. Shared by all clients of a keyspace. */
  readonly shapes: Map<string, EntriesClass>
}

const NOTHING: Bound = Object.freeze({})
type Entries = Readonly<Record<string, Def | Entity | Group<string, object>>>

/** An object whose entries are created on first use: a batch, or a bound group, uses one or two of many. */
class LazyEntries {
  readonly #context: Context
  readonly #bound: Bound
  readonly #made: unknown[] = []
  #blind: object | undefined

  constructor(context: Context, bound: Bound) {
    this.#context = context
    this.#bound = bound
  }

  static blind(place: LazyEntries): object | undefined {
    return (place.#blind ??= place.#context.blind?.())
  }

  /** Its entry with this number. */
  static entry(place: LazyEntries, number: number, entry: Entries[string], path: string, prefix: string): unknown {
    return (place.#made[number] ??= entryOf(place.#context, entry, path, place.#bound, prefix))
  }
}

/** Entries as getters. Created once for each path; each object knows what its entries are made from. */
export type EntriesClass = new (context: Context, bound: Bound) => object

function shapeOf(entries: Entries, path: string, prefix: string): EntriesClass {
  const Entered = class extends LazyEntries {}
  Object.entries(entries).forEach(([name, entry], number) => {
    const get = function (this: LazyEntries): unknown {
      return LazyEntries.entry(this, number, entry, path + name, prefix)
    }
    Object.defineProperty(Entered.prototype, name, { get, enumerable: true, configurable: true })
  })
  if (path === "") {
    const get = function (this: LazyEntries): unknown {
      return LazyEntries.blind(this)
    }
    Object.defineProperty(Entered.prototype, "$blind", { get, enumerable: false, configurable: true })
  }
  return Entered
}

export function makeClient(context: Context, entries: object): object {
  const { prefix, params } = context.keyspace
  const bound = prefix === undefined ? NOTHING : prefixValues(prefix, params as AnyParams)
  return within(context, entries as Entries, "", bound, "")
}

function within(context: Context, entries: Entries, path: string, bound: Bound, prefix: string): object {
  let shape = context.shapes.get(path)
  if (shape === undefined) context.shapes.set(path, (shape = shapeOf(entries, path, prefix)))
  return new shape(context, bound)
}

function entryOf(context: Context, entry: Entries[string], path: string, bound: Bound, prefix: string): unknown {
  if ("entries" in entry) return groupOf(context, entry, path, bound, prefix + entry.prefix)
  if (entry.kind === "entity") {
    const { attempt } = context
    if (context.mode === "blind") throw blindRead(path)
    return attempt ? new TransactionEntity(context, attempt, entry, path, bound) : entityClient(context, path, bound)
  }
  return keyEntry(context, context.ready.get(path)!, bound)
}

function keyEntry({ laneOf, mode }: Context, ready: ReadyKey, bound: Bound): unknown {
  const { declared, build, format } = ready
  const Class: new (...args: ConstructorParameters<typeof Handle>) => Handle = handleClasses[declared.kind]
  let known: Lane | undefined
  const lane = () => (known ??= laneOf(declared.db))
  // What the group binds for others among its keys, this one does not need.
  const by = (declared.sharded?.shards ?? 0) > 0 ? declared.sharded!.by : undefined
  const isBound = Object.keys(bound).some((name) => name in declared.params || name === by)
  const all = (params: Bound): Bound => (isBound ? withBound(bound, params, declared.pattern) : params)
  const handle = (params?: Bound) => new Class(lane(), ready, build(all(params ?? NOTHING)))
  return Object.assign(handle, {
    pattern: declared.pattern,
    parse: (key: string) => (typeof key === "string" ? format.parse(key) : undefined),
    scan: async function* (known?: Bound) {
      if (mode === "transaction" || mode === "blind")
        throw transactionCommand("SCAN", "What it reads cannot be compared when the transaction commits.")
      for await (const key of scanKeys(lane().driver, format.glob(all(known ?? NOTHING)))) {
        const params = format.parse(key)
        if (params) yield { key, params, handle: new Class(lane(), ready, key) }
      }
    },
  })
}

/** A group: bound already, or a function that binds the parameters of its prefix. */
function groupOf(context: Context, group: Group<string, object>, path: string, bound: Bound, prefix: string): object {
  const entries = group.entries as Entries
  const by = group.group === "sharded" ? (group as unknown as Sharded<string, object, AnyParams>).by : undefined
  const isOpen =
    slotsOf(prefix)[1].some(({ name }) => !(name in bound) && (by === undefined || name !== "shard")) ||
    (by !== undefined && !(by in bound))
  // Without shards, too, what decides on them is bound.
  const names = slotsOf(prefix)[1].flatMap(({ name }) => (name === "shard" && by !== undefined ? [] : name))
  if (by !== undefined) names.push(by)
  const rule = by === undefined ? undefined : shardRule(context, path)
  const shardOf = (params: Bound): Bound =>
    rule === undefined || params[rule.by] === undefined ? NOTHING : { shard: rule.tagOf(params[rule.by]) }
  const inside = (with_: Bound) =>
    Object.assign(within(context, entries, `${path}.`, with_, prefix), familyMethods(context, group, path, with_))
  if (!isOpen) return inside(spread(bound, shardOf(bound)))
  const bind = (params?: Bound) => {
    // A copy: what only a prototype has would be left open, and the calls inside could choose it.
    const all = withBound(bound, { ...params }, prefix)
    for (const name of names) if (all[name] === undefined) throw keyMissingParam(prefix, name)
    return inside(spread(all, shardOf(all)))
  }
  if (by !== undefined) {
    const shards = () => (rule === undefined ? [inside(bound)] : rule.tags.map((shard) => inside({ ...bound, shard })))
    Object.defineProperty(bind, "shards", { value: shards })
    // Merging takes several rounds, so it cannot be part of a batch or a transaction.
    if (context.mode === "direct")
      Object.defineProperty(bind, "merged", { get: () => mergedEntries(entries, sourcesOf(group as never), shards) })
  }
  for (const [name, entry] of Object.entries(entries)) {
    const get = function (this: object): unknown {
      const value = entryOf(context, entry, `${path}.${name}`, bound, prefix)
      Object.defineProperty(this, name, { value, enumerable: true, configurable: true })
      return value
    }
    Object.defineProperty(bind, name, { get, enumerable: true, configurable: true })
  }
  return bind
}

/** The keys of a sharded group that each shard has, over all shards. Created when they are asked for. */
function mergedEntries(entries: Entries, sources: Sources, shards: () => readonly object[]): object {
  const merged = {}
  for (const [name, entry] of Object.entries(entries)) {
    if ("entries" in entry || entry.kind === "entity") continue
    const Class = mergedClasses[entry.kind]
    const params = Object.fromEntries(slotsOf(entry.pattern)[1].map(({ name }) => [name, true]))
    if (Class === undefined || isDecided({ sources }, params)) continue
    const handles = (params?: Bound) =>
      shards().map((shard) => (shard as Record<string, (params?: Bound) => object>)[name]!(params))
    Object.defineProperty(merged, name, { value: (params?: Bound) => new Class(handles(params) as never) })
  }
  return merged
}

type Sources = ShardRule["sources"]

/** What decides on the shard of a key, where the key has it: then there is nothing to merge. */
const sourcesOf = ({ by, checksumOf, startOf = [] }: Sharded<string, object, AnyParams>): Sources => [
  checksumOf ?? [by],
  ...startOf.map((one) => [one]),
]

/** How {shard} follows from another parameter in a group; undefined where keys have their plain names. */
function shardRule({ ready }: Context, path: string): ShardRule | undefined {
  for (const [name, { declared }] of ready) if (name.startsWith(`${path}.`)) return declared.params["shard"]?.shard
  return undefined
}
