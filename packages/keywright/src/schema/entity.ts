/* Entities: a record, its ids, and every key that must move with it.
 *
 * An index pattern names the fields it is made of, so nothing is said twice:
 * "user:index:email:{email}" can only be an index on `email`. Several patterns in
 * one array are mirrors: the first is read, all of them are written. A record
 * whose field is absent has no entry in that index. */

import { definitionRefused } from "../errors/define.ts"
import { entityIdParam, entityIndexTwice } from "../errors/entity.ts"
import type {
  AnyCodec,
  Codec,
  CodecFields,
  ReadFields,
  ReadOf,
  TextCodec,
  WriteFields,
  WriteOf,
} from "./codec/codec.ts"
import type { BareSchema, CodableFields, Coded, CodedFields } from "./coded.ts"
import { checkCodec, type Kind, type Notes } from "./define.ts"
import type { Draft, Inherited } from "./draft.ts"
import { entityKeys, keysOfEntity } from "./entity-keys.ts"
import { checkRelations } from "./entity-relations.ts"
import type { EntityRole, Key } from "./key.ts"
import { paramNames } from "./locate.ts"
import type { Checked, Invalid, ParamNames } from "./pattern.ts"
import type { Ttl } from "./ttl.ts"

/**
 * Fields that every save maintains by itself, where an entity asks for them.
 * @example
 * const kept: readonly Stamp[] = ["createdAt", "updatedAt"]
 * const note = entity("note:{id}", { id: text, createdAt: isoInstant, updatedAt: isoInstant }, { stamps: kept })
 */
export type Stamp = "createdAt" | "updatedAt" | "createdBy" | "updatedBy"
const allStamps: readonly Stamp[] = Object.freeze(["createdAt", "updatedAt", "createdBy", "updatedBy"])

/** How the ids of new records are made. */
export type IdSource = "counter" | "uuid" | "given"

/** An index as it is declared: its pattern, its mirrors, or these with a condition or a score. */
export type IndexInput = string | readonly [string, ...string[]] | IndexOptions

export interface IndexOptions {
  /** The first is read, all of them are written. */
  readonly patterns: string | readonly [string, ...string[]]
  /** Only records with these values are in it. */
  readonly where?: Readonly<Record<string, string | number | boolean>>
  /** A sorted set, ordered by this field: a number, or an instant. */
  readonly score?: string
}

/** An index as everything else sees it. */
export interface Index extends Pick<IndexOptions, "where" | "score"> {
  readonly patterns: readonly string[]
  readonly fields: readonly string[]
}

export type IndexInputs = { readonly [name: string]: IndexInput }

/** `["cart:index:user:{userId}", "user:{userId}:cart"]` → their union. */
export type PatternsOf<M> = M extends string
  ? M
  : M extends readonly (infer P extends string)[]
    ? P
    : M extends { readonly patterns: infer K }
      ? PatternsOf<K>
      : never

/**
 * The fields that each index is made of, by its name.
 * @example
 * type Fields = FieldsOf<{ email: "user:email:{email}" }> // { email: "email" }
 */
export type FieldsOf<I> = { readonly [N in keyof I]: ParamNames<PatternsOf<I[N]>> }

/** The fields that a condition or a score of an index refers to. */
export type Needed<X> =
  | (X extends { readonly score: infer S extends string } ? S : never)
  | (X extends { readonly where: infer W } ? keyof W & string : never)

/** Refuses an index that refers to a field the record does not have. */
type OnFieldsOf<R, I> = {
  [N in keyof I]: [Exclude<ParamNames<PatternsOf<I[N]>> | Needed<I[N]>, keyof R & string>] extends [never]
    ? I[N]
    : Invalid<`{${Exclude<ParamNames<PatternsOf<I[N]>> | Needed<I[N]>, keyof R & string>}} is not a field of this entity`>
}

/**
 * The definition of a record, as `entity` and `layout` make it: its type `R`, what may be written `W`, the fields of its
 * unique and set indexes by index name, and its TTL `T`.
 * @example
 * const team: Entity = entity("team:{id}", { id: text, name: text })
 * console.log(team.idField) // → id
 */
export interface Entity<
  P extends string = string,
  R = unknown,
  W = unknown,
  U = unknown,
  I = unknown,
  T = unknown,
> extends Notes {
  readonly kind: "entity"
  readonly pattern: P
  /** The record's field that is also the last parameter of its key. */
  readonly idField: string
  readonly ids: IdSource
  readonly params: Readonly<Record<string, TextCodec>>
  readonly store: EntityStore<R, W>
  readonly counter?: string
  readonly all?: string
  readonly unique: Readonly<Record<string, Index>>
  readonly index: Readonly<Record<string, Index>>
  readonly stamps: readonly Stamp[]
  /** Its ids are stored in quotes wherever they are held: in the list, in sets and in unique indexes. */
  readonly quoted?: true
  readonly durability: Durability
  /** Every key that the entity owns, as a definition. */
  readonly keys: readonly EntityKey[]
  readonly "~keys": (entity: never, path: string, around: Inherited) => Draft[]
  readonly "~relate": (relations: object, entries: object, keys: readonly Key[]) => void
  /** For the compiler only: never there at run time. */
  readonly "~indexes"?: { readonly unique: U; readonly index: I }
  readonly "~life"?: T
}

/** One key of an entity: what it is there, and its definition. Its shape holds ids where `holds` says so. */
export interface EntityKey extends Notes {
  readonly role: EntityRole
  /** The index that it belongs to. */
  readonly index?: string
  readonly label: string
  readonly kind: Kind
  readonly pattern: string
  readonly shape: Readonly<Record<string, unknown>>
  readonly holds?: "member" | "value"
  /** It outlives single records, so a ttl does not apply to it. */
  readonly lasts?: true
}

export type EntityStore<R, W> =
  | { readonly as: "json"; readonly value: Codec<R, W> }
  | { readonly as: "hash"; readonly fields: CodecFields }

/** `"fast"`: acknowledged by the primary. `replicated(n)`: also by n replicas, checked. */
export type Durability = "fast" | { readonly replicas: number }

/**
 * Saves of an entity wait until this many replicas have them (WAIT), and fail when they have not.
 * @example
 * const order = entity("order:{id}", { id: text, total: int }, { durability: replicated(1) })
 */
export const replicated = (replicas: number): Durability => {
  if (!Number.isSafeInteger(replicas) || replicas < 1)
    throw definitionRefused("replicated", "not a whole number above 0")
  return Object.freeze({ replicas })
}

/** What a record can be stored by: the codec of a document. A bare schema is refused with a sentence. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Storable = Codec<object, any> | BareSchema

/** A document, or the fields of a hash: one signature for both, so that the compiler speaks of what was meant. */
type CodedRecord<V> = V extends BareSchema ? Coded<V> : V extends AnyCodec ? V : V & CodedFields<V>
type ReadRecord<V> = V extends AnyCodec ? ReadOf<V> : ReadFields<V>
type WriteRecord<V> = V extends AnyCodec ? WriteOf<V> : WriteFields<V>

export interface EntityOptions<R, U, I> extends Notes {
  /** INCR'd for a new id. */
  readonly counter?: string
  /** A set of every id. */
  readonly all?: string
  /** `counter` when there is one; else ids are made (`uuid`, version 7) or handed over (`given`, the default). */
  readonly ids?: IdSource
  /** One record per value: a string key that holds the id. */
  readonly unique?: U & OnFieldsOf<R, U>
  /** Many records per value: a set (with `score`, a sorted set) that holds ids. */
  readonly index?: I & OnFieldsOf<R, I>
  /** Codecs for the id and for fields that appear in index keys. */
  readonly params?: Readonly<Record<string, TextCodec>>
  /**
   * Keep createdAt and updatedAt, and, when the caller says who makes the change, createdBy and updatedBy; or only
   * some of them.
   */
  readonly stamps?: true | readonly Stamp[]
  /**
   * Ids in the list, in sets and in unique indexes are stored in quotes, as a RedisTemplate of Spring's with
   * GenericJackson2JsonRedisSerializer stores them; keys and the counter are not. See `quoted()`.
   */
  readonly quoted?: boolean
  readonly durability?: Durability
}

/**
 * A record with an id, its indexes and its list of ids: a JSON document, or a hash when its fields are given as codecs.
 * @example
 * const User = z.object({ id: z.string(), email: z.string(), team: z.string() })
 * const user = entity("user:{id}", json(User), {
 *   counter: "user:counter",
 *   unique: { email: "user:email:{email}" },
 *   index: { team: "team:{team}:users" },
 * })
 */
export function entity<
  const P extends string,
  const V extends Storable | CodableFields,
  const U extends IndexInputs = {},
  const I extends IndexInputs = {},
  const T extends Ttl = "never",
>(
  pattern: Checked<P>,
  value: CodedRecord<V>,
  options?: EntityOptions<ReadRecord<V>, U, I> & { readonly ttl?: T },
): Entity<P, ReadRecord<V>, WriteRecord<V>, FieldsOf<U>, FieldsOf<I>, T>
export function entity(
  pattern: unknown,
  value: Codec<object, unknown> | CodecFields,
  options: EntityOptions<object, IndexInputs, IndexInputs> = {},
): Entity {
  const { unique, index, ids, stamps = [], durability = "fast", params = {}, quoted: inQuotes, ...rest } = options
  checkCodec(pattern, value)
  const idField = paramNames(pattern as string).at(-1)
  if (idField === undefined) throw entityIdParam(pattern as string)
  const twice = Object.keys(unique ?? {}).find((name) => Object.hasOwn(index ?? {}, name))
  if (twice !== undefined) throw entityIndexTwice(pattern as string, twice)
  const parts = {
    ...rest,
    kind: "entity" as const,
    pattern: pattern as string,
    idField,
    ids: ids ?? (rest.counter === undefined ? ("given" as const) : ("counter" as const)),
    params: Object.freeze(params),
    store: Object.freeze<EntityStore<unknown, unknown>>(
      isCodec(value) ? { as: "json", value } : { as: "hash", fields: Object.freeze(value) },
    ),
    unique: indexes(unique),
    index: indexes(index),
    stamps: stamps === true ? allStamps : Object.freeze(stamps),
    ...(inQuotes && { quoted: true as const }),
    durability,
  }
  return Object.freeze({
    ...parts,
    keys: Object.freeze(entityKeys(parts)),
    "~keys": keysOfEntity,
    "~relate": checkRelations,
  })
}

const isCodec = (value: object): value is Codec<object, unknown> =>
  "encode" in value && typeof value.encode === "function"

const indexes = (inputs: IndexInputs = {}): Readonly<Record<string, Index>> =>
  Object.freeze(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, toIndex(input)])))

function toIndex(input: IndexInput): Index {
  const { patterns: given, ...rest } = typeof input === "object" && "patterns" in input ? input : { patterns: input }
  const patterns = typeof given === "string" ? [given] : [...given]
  return Object.freeze({ ...rest, patterns: Object.freeze(patterns), fields: Object.freeze(paramNames(patterns[0]!)) })
}
