/* Relations, for the compiler: which ones an entity has, inverses included, and the types
 * that loading them returns. */

import type { EntryAt, RecordOf, UniqueOf } from "../../schema/relation.ts"

type Own<Rel, N> = N extends keyof Rel ? Rel[N] : {}

/** `[name, entity, field]` of every relation that points at N and names its inverse. */
type InverseRows<Rel, N> = {
  [M in keyof Rel]: {
    [R in keyof Rel[M]]: Rel[M][R] extends { readonly one: N; readonly from: infer F; readonly inverse: infer X }
      ? [X, M, F]
      : never
  }[keyof Rel[M]]
}[keyof Rel]

/** Whether an entity has a unique index on just this field: then its inverse is a single record, not many. */
type IsUnique<T, F> = F extends { [N in keyof UniqueOf<T>]: UniqueOf<T>[N] }[keyof UniqueOf<T>] ? true : false

/**
 * The relations of an entity, declared ones and inverses: each name with its target, and whether that is many records.
 * @example
 * type OfOrder = RelationMap<(typeof shop)["entries"], (typeof shop)["relations"], "order"> // { user: ["user", false] }
 */
export type RelationMap<All, Rel, N> = {
  [R in keyof Own<Rel, N>]: Own<Rel, N>[R] extends { readonly one: infer T }
    ? [T, false]
    : Own<Rel, N>[R] extends { readonly many: infer T }
      ? [T, true]
      : never
} & {
  [Row in InverseRows<Rel, N> as Row extends [infer X extends string, unknown, unknown] ? X : never]: Row extends [
    unknown,
    infer M,
    infer F,
  ]
    ? [M, IsUnique<EntryAt<All, M>, F> extends true ? false : true]
    : never
}

/**
 * Which relations to load along with a record.
 * @example
 * const wanted: With<(typeof shop)["entries"], (typeof shop)["relations"], "order"> = { user: true }
 * const order = await db.order.get("1", { with: wanted })
 */
export type With<All, Rel, N> = {
  readonly [R in keyof RelationMap<All, Rel, N>]?: RelationMap<All, Rel, N>[R] extends [infer T, boolean]
    ? true | With<All, Rel, T>
    : never
}

/**
 * A record together with the relations that were asked for.
 * @example
 * type Shown = WithRelations<(typeof shop)["entries"], (typeof shop)["relations"], "order", { user: true }>
 * const buyer = (order: Shown) => order.user?.name
 */
export type WithRelations<All, Rel, N, A> = RecordOf<EntryAt<All, N>> & {
  [R in keyof A & keyof RelationMap<All, Rel, N>]: RelationMap<All, Rel, N>[R] extends [infer T, infer Many]
    ? Many extends true
      ? WithRelations<All, Rel, T, A[R]>[]
      : WithRelations<All, Rel, T, A[R]> | undefined
    : never
}
