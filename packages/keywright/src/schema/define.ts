/* Definitions: one function per kind of key, each returning plain frozen data.
 *
 * Everything the compiler knows about a key sits in four type parameters (kind,
 * pattern, codecs of its parameters, shape of its value), so that a hover shows
 * it whole and no conditional type runs until a client is made. */

import { shown } from "../errors/codec.ts"
import { definitionRefused } from "../errors/define.ts"
import type { AnyCodec, AnyNumericCodec, NumericCodec, TextCodec } from "./codec/codec.ts"
import { float, int } from "./codec/number.ts"
import type { Codable, CodableFields, Coded, CodedFields } from "./coded.ts"
import { draft, type Draft, type Inherited } from "./draft.ts"
import type { Checked, ParamNames } from "./pattern.ts"
import type { Ttl } from "./ttl.ts"

/** What TYPE answers for each kind. */
export const redisTypes = {
  string: "string",
  counter: "string",
  hash: "hash",
  map: "hash",
  list: "list",
  set: "set",
  zset: "zset",
  stream: "stream",
  bitmap: "string",
  hyperloglog: "string",
  geo: "zset",
} as const

/**
 * The kinds of keys, apart from entities.
 * @example
 * const kinds: Kind[] = shop.keys.map((key) => key.kind)
 */
export type Kind = keyof typeof redisTypes

export type RedisType = (typeof redisTypes)[Kind]

/**
 * What can be said about every definition besides its pattern and its codecs: how long it lives, what it is for, what is
 * secret in it.
 * @example
 * const notes: Notes = { ttl: "30d", doc: "What a session wants to buy.", evictable: false }
 * const cart = map("cart:{token}", text, int, notes)
 */
export interface Notes {
  /** One sentence for the generated docs. */
  readonly doc?: string
  /** When a key expires. If left out, `check` reports it as undecided. */
  readonly ttl?: Ttl
  /** Why it should not be used any more. */
  readonly deprecated?: string
  /** Fields of a document, at any depth, that are redacted wherever they are printed; `true` hides the whole value. */
  readonly secret?: true | readonly string[]
  /** It may be evicted without harm when memory runs out. */
  readonly evictable?: boolean
  /** When it exists at all: `"the setting queriesLog is on"`. */
  readonly when?: string
  /** Who writes and who reads it, for the docs. */
  readonly writes?: readonly string[]
  readonly reads?: readonly string[]
  /** What this entry was called before, for `diff`: its path in the old schema, or several that became this one. */
  readonly was?: string | readonly string[]
  /** Fields that are gone and may not come back with another meaning. */
  readonly reserved?: readonly string[]
  /**
   * Proposed by `infer` and not confirmed yet: audit reports what differs, but repair changes nothing because of it.
   * Once you know that the proposal is right, delete this note, or set it to `false` for a single entry.
   */
  readonly inferred?: boolean
}

/**
 * The definition of a key: its kind, pattern, parameters' codecs and value's shape.
 * @example
 * const page: Def<"string"> = string("cache:{hash}", text, { ttl: "5m" })
 * console.log(page.pattern) // → cache:{hash}
 */
export interface Def<K extends Kind = Kind, P extends string = string, Q = unknown, S = unknown> extends Notes {
  readonly kind: K
  readonly pattern: P
  readonly params: Q
  readonly shape: S
  /** Only this many elements are kept, the newest: every write trims. */
  readonly keep?: number
  readonly "~keys": (def: never, path: string, around: Inherited) => Draft[]
}

export type ParamCodecs<P extends string> = { readonly [N in ParamNames<P>]?: TextCodec }

export interface Keyed<Q> extends Notes {
  /** Codecs for parameters that are more than text. */
  readonly params?: Q
}

export interface Capped<Q> extends Keyed<Q> {
  /** Keeps the newest n elements: trimmed in the same atomic step as the write. */
  readonly keep?: number
}

const define = <K extends Kind, P extends string, Q, S>(
  kind: K,
  pattern: unknown,
  shape: object,
  { params, ...notes }: Capped<Q> = {},
): Def<K, P, Q, S> => {
  checkCodec(pattern, { ...shape, ...params })
  return Object.freeze({
    ...notes,
    kind,
    pattern: pattern as P,
    params: (params ?? {}) as Q,
    shape: shape as S,
    "~keys": keysOfDef,
  })
}

/** Checks `keep`: for the kinds that have an order. */
const capped = <Q>(pattern: unknown, options: Capped<Q> | undefined): Capped<Q> | undefined => {
  const keep = options?.keep ?? 1
  if (!Number.isSafeInteger(keep) || keep < 1) throw definitionRefused(pattern, "keep is not a whole number above 0")
  return options
}

const keysOfDef = (def: Def, path: string, around: Inherited) => [draft(def, path, around)]

/** A codec, or a record of codecs (the fields of a hash). A schema of zod has methods of the same names. */
export function checkCodec(pattern: unknown, value: unknown): void {
  if ("~standard" in Object(value)) throw definitionRefused(pattern, "a schema is not a codec: wrap it in json()")
  if (typeof (value as Partial<AnyCodec> | undefined)?.decode === "function") return
  if (Object(value) !== value) throw definitionRefused(pattern, `${shown(value)} is not a codec; use text, int …`)
  for (const field of Object.values(value as object)) checkCodec(pattern, field)
}

/**
 * A string that holds one value: GET, SET.
 * @example
 * const page = string("cache:{hash}", text, { ttl: "5m", doc: "A rendered page." })
 */
export const string = <const P extends string, V extends Codable, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  value: Coded<V>,
  options?: Keyed<Q>,
): Def<"string", P, Q, { value: V }> => define("string", pattern, { value }, options)

/**
 * A number that goes up and down: INCRBY; with `value: float`, INCRBYFLOAT.
 * @example
 * const hits = counter("hits:{ip}", { ttl: fixed("1m") })
 */
export const counter = <
  const P extends string,
  V extends AnyNumericCodec = NumericCodec<number>,
  const Q extends ParamCodecs<P> = {},
>(
  pattern: Checked<P>,
  options: Keyed<Q> & { readonly value?: V } = {},
): Def<"counter", P, Q, { value: V }> => {
  const { value = int, ...rest } = options
  return define("counter", pattern, { value: value as V }, rest as Keyed<Q>)
}

/**
 * A hash whose fields are known: a record without indexes. For a dictionary, use `map`.
 * @example
 * const session = hash("session:{token}", { user: text, theme: optional(text) }, { ttl: sliding("30m") })
 */
export const hash = <const P extends string, const F extends CodableFields, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  fields: F & CodedFields<F>,
  options?: Keyed<Q>,
): Def<"hash", P, Q, { fields: F }> => define("hash", pattern, { fields }, options)

/**
 * A hash whose fields are data: a dictionary. For known fields, use `hash`.
 * @example
 * const cart = map("cart:{token}", text, int, { ttl: "30d", doc: "How many of each item a session wants." })
 */
export const map = <
  const P extends string,
  F extends TextCodec,
  V extends Codable,
  const Q extends ParamCodecs<P> = {},
>(
  pattern: Checked<P>,
  field: F,
  value: Coded<V>,
  options?: Keyed<Q>,
): Def<"map", P, Q, { field: F; value: V }> => define("map", pattern, { field, value }, options)

/**
 * A list: LPUSH, RPUSH, LRANGE. `keep` keeps the newest n, at the end that was pushed to.
 * @example
 * const recent = list("recent:{user}", text, { keep: 100, ttl: "30d" })
 */
export const list = <const P extends string, V extends Codable, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  item: Coded<V>,
  options?: Capped<Q>,
): Def<"list", P, Q, { item: V }> => define("list", pattern, { item }, capped(pattern, options))

/**
 * A set of members: SADD, SISMEMBER, SMEMBERS.
 * @example
 * const followers = set("followers:{user}", id("user"), { ttl: "never" })
 */
export const set = <const P extends string, M extends Codable, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  member: Coded<M>,
  options?: Keyed<Q>,
): Def<"set", P, Q, { member: M }> => define("set", pattern, { member }, options)

/**
 * A sorted set: members with scores. `keep` keeps those with the highest scores.
 * @example
 * const board = zset("board:{game}", id("player"), { score: int, keep: 1000, ttl: "never" })
 */
export const zset = <
  const P extends string,
  M extends Codable,
  S extends AnyNumericCodec = NumericCodec<number>,
  const Q extends ParamCodecs<P> = {},
>(
  pattern: Checked<P>,
  member: Coded<M>,
  options: Capped<Q> & { readonly score?: S } = {},
): Def<"zset", P, Q, { member: M; score: S }> => {
  const { score = float, ...rest } = options
  return define("zset", pattern, { member, score: score as S }, capped(pattern, rest as Capped<Q>))
}

/**
 * A stream of entries with known fields: XADD, XREADGROUP. `keep` keeps the newest n.
 * @example
 * const mails = stream("mails", { to: text, body: text }, { keep: 10_000, ttl: "never" })
 */
export const stream = <const P extends string, const F extends CodableFields, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  fields: F & CodedFields<F>,
  options?: Capped<Q>,
): Def<"stream", P, Q, { fields: F }> => define("stream", pattern, { fields }, capped(pattern, options))

/**
 * A string of bits: SETBIT, GETBIT, BITCOUNT. One bit for each small number, such as who was there on a day.
 * @example
 * const active = bitmap("active:{day}", { params: { day }, ttl: "90d" })
 */
export const bitmap = <const P extends string, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  options?: Keyed<Q>,
): Def<"bitmap", P, Q, {}> => define("bitmap", pattern, {}, options)

/**
 * An estimate of how many different members were seen, in at most 12 KB: PFADD, PFCOUNT.
 * @example
 * const visitors = hyperloglog("visitors:{day}", text, { params: { day }, ttl: "90d" })
 */
export const hyperloglog = <const P extends string, M extends Codable, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  member: Coded<M>,
  options?: Keyed<Q>,
): Def<"hyperloglog", P, Q, { member: M }> => define("hyperloglog", pattern, { member }, options)

/**
 * Members at places on the globe: GEOADD, GEOSEARCH.
 * @example
 * const drivers = geo("drivers:{city}", id("driver"), { ttl: "1h" })
 */
export const geo = <const P extends string, M extends Codable, const Q extends ParamCodecs<P> = {}>(
  pattern: Checked<P>,
  member: Coded<M>,
  options?: Keyed<Q>,
): Def<"geo", P, Q, { member: M }> => define("geo", pattern, { member }, options)
