/* A key of the keyspace: one pattern with everything that is known of it, groups
 * and entities resolved. Client, docs, audit and studio work on these. */

import type { TextCodec } from "./codec/codec.ts"
import type { Kind, Notes } from "./define.ts"
import type { ShardBy } from "./shard.ts"
import type { TtlRule } from "./ttl.ts"

/**
 * One key pattern of a keyspace, with groups and entities resolved: what tools that walk a schema work with.
 * @example
 * const forever = shop.keys.filter((key: Key) => key.ttl === undefined).map((key) => key.name)
 */
export interface Key extends Omit<Notes, "ttl"> {
  /** Unique: the path of names, and for a key of an entity its role: `"service.status"`, `"user#email"`. */
  readonly name: string
  readonly db: number
  readonly pattern: string
  readonly kind: Kind
  readonly params: Readonly<Record<string, TextCodec>>
  readonly shape: Readonly<Record<string, unknown>>
  readonly keep?: number
  /** Undefined when the schema does not say. */
  readonly ttl: TtlRule | undefined
  /** The path of the family that it lives and dies with. */
  readonly family?: string
  /** The parameter that decides on its shard, and how many shards there are; 0: the plain names. See ShardedNotes. */
  readonly sharded?: ShardBy & { readonly shards: number }
  /** It says that its family is loaded. */
  readonly marker?: boolean
  /** The entity that it belongs to, and what it is there. */
  readonly entity?: { readonly name: string; readonly role: EntityRole; readonly index?: string }
  /** Names of more literal keys: where they match, they own the key and this one may not be written. */
  readonly rivals: readonly string[]
}

export type EntityRole = "record" | "counter" | "all" | "unique" | "index" | "mirror"
