/* Relations between entities, declared apart from them, so that two entities may
 * refer to each other.
 *
 *   { one: "role", from: "roleId" }                    this record's field holds its id
 *   { one: "role", from: "roleId", inverse: "users" }  … and role gets `users`, through an index on roleId
 *   { one: "cart", by: "user" }                        its unique index is on this record's id
 *   { many: "order", by: "user" }                      its set index is on this record's id
 *   { many: "permission", through: "rolePermissions" } a set of ids, keyed by this record's id
 *
 * Entities in groups are named by their path: "tenant.role". */

import type { Def } from "./define.ts"
import type { Entity } from "./entity.ts"
import type { Key } from "./key.ts"

// oxlint-disable typescript/no-explicit-any -- an entity's record is used in both directions; any is the only bound
// that takes all.
export type EntityNames<E> = {
  [N in keyof E & string]: E[N] extends Entity<any, any, any, any, any>
    ? N
    : E[N] extends { readonly entries: infer G }
      ? `${N}.${EntityNames<G>}`
      : never
}[keyof E & string]
export type RecordOf<T> = T extends Entity<any, infer R, any, any, any> ? R : never
export type UniqueOf<T> = T extends Entity<any, any, any, infer U, any> ? U : never
export type IndexesOf<T> = T extends Entity<any, any, any, any, infer I> ? I : never
type SetNames<E> = {
  [N in keyof E & string]: E[N] extends Def<"set" | "zset", any, any, any>
    ? N
    : E[N] extends { readonly entries: infer G }
      ? `${N}.${SetNames<G>}`
      : never
}[keyof E & string]
// oxlint-enable typescript/no-explicit-any

/** The entry at a dotted path: `"tenant.user"`. */
export type EntryAt<E, P> = P extends keyof E
  ? E[P]
  : P extends `${infer N}.${infer Rest}`
    ? N extends keyof E
      ? E[N] extends { readonly entries: infer G }
        ? EntryAt<G, Rest>
        : never
      : never
    : never

/**
 * The relations that entity `N` may declare: to one record by a field, to one or many by an index, to many through a set.
 * @example
 * const Entries = { user: entity("user:{id}", { id: text }), order: entity("order:{id}", { id: text, userId: text }) }
 * const buyer: Relation<typeof Entries, "order"> = { one: "user", from: "userId", inverse: "orders" }
 */
export type Relation<E, N> = {
  [T in EntityNames<E>]:
    | ({
        readonly one: T
        readonly from: keyof RecordOf<EntryAt<E, N>> & string
        readonly inverse?: string
      } & RelationNotes)
    | ({ readonly one: T; readonly by: keyof UniqueOf<EntryAt<E, T>> & string } & RelationNotes)
    | ({ readonly many: T; readonly by: keyof IndexesOf<EntryAt<E, T>> & string } & RelationNotes)
    | ({ readonly many: T; readonly through: SetNames<E> } & RelationNotes)
}[EntityNames<E>]

export interface RelationNotes {
  readonly doc?: string
  /** Its target may be gone: history, not a fault. */
  readonly mayDangle?: boolean
}

/**
 * The relations of a keyspace, by entity and by name: `keyspace(…, { relations })`.
 * @example
 * const Entries = { user: entity("user:{id}", { id: text }), order: entity("order:{id}", { id: text, userId: text }) }
 * const relations: Relations<typeof Entries> = { order: { user: { one: "user", from: "userId" } } }
 */
export type Relations<E> = { readonly [N in EntityNames<E>]?: { readonly [name: string]: Relation<E, N> } }

/** An entry that can have relations checks them itself. */
export interface Relating {
  readonly "~relate": (relations: object, entries: object, keys: readonly Key[]) => void
}

/**
 * A relation as programs see it, with the inverses spelled out.
 * @example
 * const arrow = ({ entity, name, target, many }: RelationRow) => `${entity}.${name} → ${many ? "many" : "one"} ${target}`
 */
export interface RelationRow extends RelationNotes {
  readonly entity: string
  readonly name: string
  readonly target: string
  readonly many: boolean
  /** How the target is found. */
  readonly via:
    | { readonly field: string }
    | { readonly index: string; readonly unique: boolean }
    | { readonly set: string }
}
