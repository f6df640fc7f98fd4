/* The typed client, as types: what `connect(keyspace)` returns.
 *
 * Each entry of the keyspace becomes a function from its parameters to a handle
 * with the methods of its kind. A group with parameters can be bound once:
 * `db.service({ project, service }).status({ user })`. Prefixes and codecs of the
 * groups are joined here, lazily, when an entry is looked at. */

import type { WriteOf, ReadOf } from "../schema/codec/codec.ts"
import type { Def, Kind } from "../schema/define.ts"
import type { Entity } from "../schema/entity.ts"
import type { Group } from "../schema/group.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import type { KeyText, ParamNames } from "../schema/pattern.ts"
import type { EntityClient } from "./entity-client.ts"
import type { FamilyMethods } from "./kinds/family.ts"
import type { Handles } from "./kinds/handles.ts"
import type { MergedHandles } from "./shards/merged.ts"
import type { Toolbox } from "./toolbox.ts"
import type { Blind, InTransaction } from "./transaction/methods.ts"

/**
 * The codecs of a group and of a definition in it, put together: the definition's own win.
 * @example
 * type Codecs = Merge<{ project: Codec<string> }, { day: typeof day }> // { project: Codec<string>; day: Codec<Day> }
 */
export type Merge<Inherited, Own> = {
  [N in keyof Inherited | keyof Own]: N extends keyof Own ? Own[N] : N extends keyof Inherited ? Inherited[N] : never
}

/**
 * The parameters of a pattern, with the types of their codecs; bound ones are left out.
 * @example
 * const today: Params<"log-{date}", { date: typeof day }> = { date: "2011-10-03" }
 */
export type Params<P extends string, Q, Bound = never> = {
  [N in Exclude<ParamNames<P>, Bound>]: N extends keyof Q ? WriteOf<Q[N]> : string
}
type ParamArgs<P extends string, Q, Bound> = [Exclude<ParamNames<P>, Bound>] extends [never]
  ? []
  : [params: Params<P, Q, Bound>]

/** The parameters of a key that was found, decoded. */
export type FoundParams<P extends string, Q> = { [N in ParamNames<P>]: N extends keyof Q ? ReadOf<Q[N]> : string }

/**
 * A key that a scan came upon: its text, its parameters and its handle.
 * @example
 * for await (const { params, handle } of db.cart.scan()) console.log(params.token, await handle.size())
 */
export interface Found<P extends string, Q, H> {
  readonly key: KeyText<P>
  readonly params: FoundParams<P, Q>
  readonly handle: H
}

/** How the calls of a client are made: directly, recorded, inside a transaction, or blindly inside one. */
export type Mode = "direct" | "transaction" | "blind"

/** The methods that a kind has in a mode. */
type HandleIn<M, K extends Kind, S> = M extends "direct"
  ? Handles<S>[K]
  : M extends "transaction"
    ? InTransaction<K, Handles<S>[K]>
    : Blind<K, Handles<S>[K]>

/** An entry inside a transaction: methods whose results could not be compared at the commit are left out. */
export interface TransactionEntry<K extends Kind, P extends string, Q, S, Bound, M> {
  (...params: ParamArgs<P, Q, Bound>): HandleIn<M, K, S> & { readonly key: KeyText<P> }
  readonly pattern: P
  /** The parameters of a key of this pattern, or undefined. */
  parse(key: string): FoundParams<P, Q> | undefined
}

/**
 * An entry of a client: called with parameters it is a handle; `scan` and `parse` concern all keys of the pattern.
 * @example
 * console.log(db.cart.pattern, db.cart.parse("cart:EB93")?.token) // → cart:{token} EB93
 */
export interface KeyEntry<K extends Kind, P extends string, Q, S, Bound> {
  (...params: ParamArgs<P, Q, Bound>): Handles<S>[K] & { readonly key: KeyText<P> }
  readonly pattern: P
  /** All keys of the pattern, by SCAN: each once, in no order; those that come and go meanwhile may or may not be there. */
  scan(known?: Partial<Params<P, Q, Bound>>): AsyncIterable<Found<P, Q, Handles<S>[K] & { readonly key: KeyText<P> }>>
  /** The parameters of a key of this pattern, or undefined. */
  parse(key: string): FoundParams<P, Q> | undefined
}

/** `"t:{tenant}:user:{id}"` → `"id"`: the record's field that is its id. */
type LastParam<P extends string> = P extends `${string}{${infer Rest}`
  ? LastParam<Rest> extends never
    ? NameOf<Rest>
    : LastParam<Rest>
  : never
type NameOf<Rest extends string> = Rest extends `${infer Name}}${string}` ? Name : never

/**
 * The entries of a keyspace or group, as a client has them. To name the type of a whole client, use `ClientOf`.
 * @example
 * type Entries = Client<{ page: Def<"string", "cache:{hash}", {}, { value: Codec<string> }> }>
 * const read = (db: Entries, hash: string) => db.page({ hash }).get()
 */
export type Client<
  E,
  P extends string = "",
  Q = {},
  Bound = never,
  All = E,
  Rel = {},
  Path extends string = "",
  M extends Mode = "direct",
> = {
  readonly [N in keyof E]: E[N] extends Def<infer K, infer T, infer Own, infer S>
    ? M extends "direct"
      ? KeyEntry<K, `${P}${T}`, Merge<Q, Own>, S, Bound>
      : TransactionEntry<K, `${P}${T}`, Merge<Q, Own>, S, Bound, M>
    : E[N] extends Entity<infer T, infer R extends object, infer W, infer U, infer I, infer L>
      ? EntityIn<M, EntityClient<R, W, U, I, `${Path}${N & string}`, All, Rel, LastParam<T>, L>>
      : E[N] extends Group<infer T, infer G, infer Own>
        ? ShardsOf<E[N], Client<G, `${P}${T}`, Merge<Q, Own>, Bound | ParamNames<`${P}${T}`>, All, Rel, Path, M>> &
            MergedOf<E[N], M, G, Merge<Q, Own>, Bound> &
            GroupClient<G, `${P}${T}`, Merge<Q, Own>, Bound, FamilyIn<M, E[N], G>, All, Rel, `${Path}${N & string}.`, M>
        : never
}

/** What a sharded group has in addition: each of its shards, for jobs and sums. */
type ShardsOf<D, C> = D extends { readonly group: "sharded" }
  ? {
      /** The entries of each shard; with 0 shards, those of the plain names. A job walks through them. */
      shards(): readonly C[]
    }
  : unknown

/** What a sharded group has in addition: its keys over all shards. */
type MergedOf<D, M, G, Q, Bound> = D extends {
  readonly group: "sharded"
  readonly by: infer By extends string
  readonly checksumOf?: readonly (infer Of)[]
  readonly startOf?: readonly (infer Start)[]
}
  ? M extends "direct"
    ? {
        /** Keys that each shard has, read over all of them: sums, the first of all, every element. Each shard at its own moment. */
        readonly merged: MergedEntries<G, Q, Bound, [Of] extends [never] ? By : Of, Start>
      }
    : unknown
  : unknown

type MergedEntries<G, Q, Bound, Of, Start> = {
  readonly [N in keyof G as MergedName<N, G[N], Of, Start>]: G[N] extends Def<infer K, infer T, infer Own, infer S>
    ? K extends keyof MergedHandles<S>
      ? (...params: ParamArgs<T, Merge<Q, Own>, Bound>) => MergedHandles<S>[K]
      : never
    : never
}

/** A key that contains what decides is in one shard: there is nothing to merge. */
type MergedName<N, D, Of, Start> =
  D extends Def<infer K, infer T, infer _Q, infer _S>
    ? K extends keyof MergedHandles<never>
      ? [Exclude<Of, ParamNames<T>>] extends [never]
        ? never
        : [Start & ParamNames<T>] extends [never]
          ? N
          : never
      : never
    : never

/** Records take part in transactions; they are never written blindly. */
type EntityIn<M, C> = M extends "direct" ? C : M extends "transaction" ? Omit<C, "scan"> : never
/** Families are filled and touched by scripts of their own. */
type FamilyIn<M, D, G> = M extends "direct" ? OfFamily<D, G> : unknown

/** What the work of a transaction is given. */
export type TransactionClient<E, Q, R> = Client<E, "", Q, never, E, R, "", "transaction"> & {
  /**
   * Plain keys, for writes whose answer nobody needs: they are carried out at the commit whatever the keys hold
   * then, return nothing, and never make the transaction retry.
   *
   *     await t.$blind.sold().increment()
   */
  readonly $blind: Client<E, "", Q, never, E, R, "", "blind">
}

/** A group's entries; where its prefix has parameters that are not bound yet, also a function that binds them. */
type GroupClient<G, P extends string, Q, Bound, More, All, Rel, Path extends string, M extends Mode> = Client<
  G,
  P,
  Q,
  Bound,
  All,
  Rel,
  Path,
  M
> &
  ([Exclude<ParamNames<P>, Bound>] extends [never]
    ? More
    : (params: Params<P, Q, Bound>) => Client<G, P, Q, Bound | ParamNames<P>, All, Rel, Path, M> & More)

type OfFamily<D, G> = D extends { readonly group: "family"; readonly marker?: infer M } ? FamilyMethods<G, M> : unknown

/**
 * What `connect` returns: the entries, and the client's own tools under names that begin with `$`. `ClientOf` is shorter.
 * @example
 * const close = <E, R, Q, S>(db: Connected<E, R, Q, S>) => db.$close()
 */
export type Connected<E, R, Q, S, D = {}> = Client<E, "", Q, never, E, R> & Toolbox<E, R, Q, S, D>

/**
 * The type of a keyspace's client: for functions that take one.
 * @example
 * const addToCart = (db: ClientOf<typeof shop>, token: string, item: string) => db.cart({ token }).increment(item, 1)
 */
export type ClientOf<K> =
  K extends Keyspace<infer E, infer R, infer Q, infer S, infer D> ? Connected<E, R, Q, S, D> : never
