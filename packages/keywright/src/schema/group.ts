/* Groups: keys that share a prefix, a logical database, or one deadline.
 *
 * A group keeps its entries as they were declared; prefixes are joined when the
 * keyspace is made. So a group may hold groups, and the compiler has nothing to
 * rewrite. */

import { databaseRefused, familyDeadline, familyMarker } from "../errors/define.ts"
import { keyspaceEntry } from "../errors/keyspace.ts"
import type { TextCodec } from "./codec/codec.ts"
import type { Notes } from "./define.ts"
import type { Draft, Inherited } from "./draft.ts"
import { toMs, type Duration } from "./duration.ts"
import { keysOf } from "./keys-of.ts"
import type { Checked } from "./pattern.ts"
import type { Relating } from "./relation.ts"

/* Deliberately loose. A tighter bound here (Def<Kind, string, unknown, unknown>)
 * becomes the contextual return type of zset(), set() … and poisons the inference
 * of Q: keys without `params` then ask for `unknown` instead of `string`. */
export type Entries = { readonly [name: string]: { readonly pattern: string } | { readonly entries: unknown } }

export type AnyParams = Readonly<Record<string, TextCodec>>

export interface GroupNotes<Q> extends Omit<Notes, "secret" | "reserved"> {
  /** Codecs for these parameters, wherever they appear in the group. */
  readonly params?: Q
}

/**
 * What `scope`, `database` and `family` make: some keys that belong together.
 * @example
 * const limits: Group<"limit:", object> = scope("limit:", { hits: counter("{ip}", { ttl: fixed("1m") }) })
 */
export interface Group<P extends string, E, Q = {}> extends GroupNotes<Q> {
  readonly group: "scope" | "database" | "family" | "sharded"
  readonly prefix: P
  readonly entries: E
  readonly params: Q
  /** For a database: its number and name. */
  readonly db?: number
  readonly name?: string
  readonly "~keys": (group: never, path: string, around: Inherited) => Draft[]
}

/**
 * What `family` makes: keys that live and die together.
 * @example
 * const prefixOf = (of: Family<string, unknown, unknown, string>) => of.prefix
 */
export interface Family<P extends string, E, Q, M extends string> extends Group<P, E, Q> {
  readonly group: "family"
  /** The entry that says that the family is loaded: without it, the others are not looked at. */
  readonly marker?: M
}

/**
 * Keys that share a prefix with its parameters. A client binds them once: `db.service({ project: "p1" })`.
 * @example
 * const service = scope("P:{project}:", {
 *   status: string("status", text, { ttl: "1m" }),
 *   users: set("users", id("user"), { ttl: "never" }),
 * })
 */
export const scope = <const P extends string, const E extends Entries, const Q extends AnyParams = {}>(
  prefix: Checked<P>,
  entries: E,
  notes?: GroupNotes<Q>,
): Group<P, E, Q> => group("scope", prefix as P, entries, notes)

/**
 * Keys that live in logical database `db`. Declared even when it is reserved and empty. A Redis Cluster has database 0
 * only: with `as: "prefix"` they live there, and their keys begin with `db3:`.
 * @example
 * const app = keyspace({ sessions: database(3, "sessions", { session: string("session:{id}", text, { ttl: "1d" }) }) })
 */
export const database = <const E extends Entries, const Q extends AnyParams = {}>(
  db: number,
  name: string,
  entries: E,
  { as = "number", ...notes }: GroupNotes<Q> & { readonly as?: "number" | "prefix" } = {},
): Group<"", E, Q> => {
  if (!Number.isSafeInteger(db) || db < 0) throw databaseRefused(name, `${db} is not the number of a database`)
  if (as === "prefix") return group("scope", `db${db}:` as "", entries, notes)
  return Object.freeze({ ...group("database", "" as const, entries, notes), db, name })
}

/**
 * Keys that live and die together: one deadline, which moves only when the family is filled or touched as a whole.
 * @example
 * const profile = family("profile:{user}:", { ttl: "1h", marker: "name" }, {
 *   name: string("name", text),
 *   tags: set("tags", text),
 * })
 */
export const family = <
  const P extends string,
  const E extends Entries,
  const Q extends AnyParams = {},
  const M extends string = never,
>(
  prefix: Checked<P>,
  notes: GroupNotes<Q> & { readonly ttl: Duration; readonly marker?: M & keyof NoInfer<E> },
  entries: E,
): Family<P, E, Q, M> => {
  const { marker, ...rest } = notes
  toMs(rest.ttl)
  if (marker !== undefined && !Object.hasOwn(entries, marker)) throw familyMarker(prefix as string, marker)
  const made = group("family", prefix as P, entries, rest) as Family<P, E, Q, M>
  return marker === undefined ? made : Object.freeze({ ...made, marker })
}

export const group = <P extends string, E, Q>(
  kind: Group<P, E, Q>["group"],
  prefix: P,
  entries: E,
  notes: GroupNotes<Q> = {},
): Group<P, E, Q> => {
  const inner = Object.entries(entries as Record<string, { db?: number } | undefined>).find(
    ([, entry]) => entry?.db !== undefined,
  )
  if (inner) throw databaseRefused(inner[0], "it is inside another group")
  return Object.freeze({
    ...notes,
    group: kind,
    prefix,
    entries: Object.freeze(entries),
    params: (notes.params ?? {}) as Q,
    "~keys": keysOfGroup,
    ...relatingOf(entries as Record<string, Partial<Relating> | undefined>),
  })
}

/** What checks relations, where some entry has it. */
function relatingOf(entries: Readonly<Record<string, Partial<Relating> | undefined>>): Partial<Relating> {
  const relate = Object.values(entries).find((entry) => entry?.["~relate"])?.["~relate"]
  return relate ? { "~relate": relate } : {}
}

/** The keys of all entries, each under this group's prefix and with its notes where they say nothing themselves. */
export function keysOfGroup(group: Group<string, object, AnyParams>, path: string, around: Inherited): Draft[] {
  const { ttl, deprecated, evictable, when, writes, reads, inferred, db } = group
  // No real schema nests this deep: a group that contains itself, through a getter.
  if (path.length > 1000) throw keyspaceEntry(path.slice(0, 40), "contains itself")
  const family = group.group === "family" ? path : around.notes.family
  const own = { ttl, deprecated, evictable, when, writes, reads, inferred, db, family }
  const late = Object.entries(group.entries as Record<string, Notes | undefined>).find(([, entry]) => entry?.ttl)
  if (late && family !== undefined) throw familyDeadline(`${path}.${late[0]}`, family)
  const keys = keysOf(group.entries, `${path}.`, {
    prefix: around.prefix + group.prefix,
    params: { ...around.params, ...group.params },
    notes: { ...around.notes, ...Object.fromEntries(Object.entries(own).filter(([, note]) => note !== undefined)) },
  })
  const { marker } = group as { marker?: string }
  return marker === undefined
    ? keys
    : keys.map((key) => (key.name === `${path}.${marker}` ? { ...key, marker: true } : key))
}
