/* From a keyspace and its lanes to the object that people use. Entries become
 * functions, groups become objects (and functions, where they can be bound). */

import type { Def } from "../schema/define.ts"
import type { Entity } from "../schema/entity.ts"
import type { Group } from "../schema/group.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { slotsOf } from "../schema/locate.ts"
import type { Declared } from "./declared.ts"
import { entityClient } from "./entity/entity-client.ts"
import { TransactionEntity } from "./entity/transaction-entity.ts"
import { familyMethods } from "./family.ts"
import type { Handle } from "./handle.ts"
import { handleClasses } from "./handles.ts"
import type { Lane } from "./lane.ts"
import { scanKeys } from "./scan.ts"
import type { Attempt } from "./attempt.ts"

/** What the parts of a client share. */
export interface Context {
  readonly keyspace: Keyspace
  readonly declared: ReadonlyMap<string, Declared>
  /** The lane to the logical database of a key. */
  readonly lane: (db: number) => Lane
  /** How calls are made: at once, recorded into a batch or a MULTI, or collected by a transaction. */
  readonly mode: "direct" | "batch" | "multi" | "transaction"
  /** Where entities go instead: they read before they write, so they are not part of a batch. */
  readonly entityLane?: (db: number) => Lane
  /** Inside a transaction: what it has read and collected so far. */
  readonly attempt?: () => Attempt
  /** The time, for stamps. */
  readonly clock: () => Date
  /** By path: the entries of a group as getters. Shared by all clients of a keyspace. */
  readonly shapes: Map<string, object>
}

type Bound = Readonly<Record<string, unknown>>
type Entries = Readonly<Record<string, Def | Entity | Group<string, object>>>

/** Where an object that `within` made keeps what its entries are made from. */
const STATE = Symbol("keywright")
interface State {
  readonly [STATE]: { readonly context: Context; readonly bound: Bound }
}

/** Entries are made when they are first asked for: a batch, or a group that is bound, uses one or two of many. */
export function makeClient(context: Context, entries: object): object {
  return within(context, entries as Entries, "", {}, "")
}

/** An object with these entries. The getters are made once for each path; the object knows the rest. */
function within(context: Context, entries: Entries, path: string, bound: Bound, prefix: string): object {
  let shape = context.shapes.get(path)
  if (shape === undefined) {
    shape = fill({}, entries, function (this: unknown, entry, name) {
      const { context, bound } = (this as State)[STATE]
      return entryOf(context, entry, path + name, bound, prefix)
    })
    context.shapes.set(path, shape)
  }
  return Object.create(shape, { [STATE]: { value: { context, bound } } }) as object
}

type Make = (entry: Entries[string], name: string) => unknown

function fill<T extends object>(target: T, entries: Entries, make: Make): T {
  for (const [name, entry] of Object.entries(entries)) {
    const get = function (this: object): unknown {
      const value = make.call(this as never, entry, name)
      Object.defineProperty(this, name, { value, enumerable: true, configurable: true })
      return value
    }
    Object.defineProperty(target, name, { get, enumerable: true, configurable: true })
  }
  return target
}

function entryOf(context: Context, entry: Entries[string], path: string, bound: Bound, prefix: string): unknown {
  if ("entries" in entry) return groupOf(context, entry, path, bound, prefix + entry.prefix)
  if (entry.kind === "entity") {
    const { attempt } = context
    return attempt ? new TransactionEntity(context, attempt, entry, path, bound) : entityClient(context, path, bound)
  }
  return keyEntry(context, context.declared.get(path)!, bound)
}

function keyEntry({ lane }: Context, declared: Declared, bound: Bound): unknown {
  const { row, build, format } = declared
  const Class: new (...args: ConstructorParameters<typeof Handle>) => Handle = handleClasses[row.kind]
  let known: Lane | undefined
  const road = () => (known ??= lane(row.db))
  const isBound = Object.keys(bound).length > 0
  const handle = (params: Bound = {}) => new Class(road(), declared, build(isBound ? { ...bound, ...params } : params))
  return Object.assign(handle, {
    pattern: row.pattern,
    parse: (key: string) => format.parse(key),
    scan: async function* (known: Bound = {}) {
      for await (const key of scanKeys(road().driver, format.glob({ ...bound, ...known }))) {
        const params = format.parse(key)
        if (params) yield { key, params, handle: new Class(road(), declared, key) }
      }
    },
  })
}

/** A group: bound already, or a function that binds the parameters of its prefix. */
function groupOf(context: Context, group: Group<string, object>, path: string, bound: Bound, prefix: string): object {
  const entries = group.entries as Entries
  const isOpen = slotsOf(prefix)[1].some(({ name }) => !(name in bound))
  const inside = (with_: Bound) =>
    Object.assign(within(context, entries, `${path}.`, with_, prefix), familyMethods(context, group, path, with_))
  if (!isOpen) return inside(bound)
  const bind = (params: Bound) => inside({ ...bound, ...params })
  return fill(bind, entries, (entry, name) => entryOf(context, entry, `${path}.${name}`, bound, prefix))
}
