/* An application's own atomic steps: a Lua script, declared with the keys that it
 * touches, its arguments and its result, so that calling it is as typed as a handle.
 *
 *   claimRow: step({
 *     script: new URL("./claim-row.lua", import.meta.url),
 *     keys: ["delay", "schedule", "row"],
 *     args: { now: unixSeconds },
 *     returns: maybe(text),
 *   })
 *   await db.$steps.claimRow({ row: "237", now: Date.now() / 1000 })
 *
 * What the script gets:
 *   KEYS   the keys in the declared order. A path that ends in [] means any
 *          number of keys: the call hands over an array of parameters for it.
 *   ARGV   first how many keys each [] path has, in order; then the arguments in
 *          order, each as its codec writes it; arrayOf(…) as its length and items.
 * What it returns is read by `returns`: a codec reads text and integers; nil (or
 * false) is refused unless it is `maybe(…)`. Redis cuts the fraction off a number
 * that a script returns: return tostring(n) and read it with float.
 * redis.error_reply("AREA.REASON what happened") becomes a Conflict with that code.
 *
 * The script begins with a comment that says what KEYS and ARGV are. It checks first and
 * then writes, so that an error leaves nothing half done. */

import { keyspaceEntry } from "../errors/keyspace.ts"
import { stepDatabases, stepHeader, stepNames } from "../errors/step.ts"
import type { AnyCodec, ReadOf, WriteOf } from "./codec/codec.ts"
import type { Durability } from "./entity.ts"
import type { Key } from "./key.ts"
import { keyNamed, requireName } from "./keys-of.ts"

/**
 * What `arrayOf` makes.
 * @example
 * const items: ArrayOf<Codec<string>> = arrayOf(text)
 */
export interface ArrayOf<S> {
  readonly shape: "array"
  readonly of: S
}
/**
 * What `tupleOf` makes.
 * @example
 * const parts: TupleOf<readonly [Codec<string>, Codec<boolean>]> = tupleOf(text, flag)
 */
export interface TupleOf<T> {
  readonly shape: "tuple"
  readonly of: T
}
/**
 * What `pairsOf` makes.
 * @example
 * const scores: PairsOf<Codec<string>, NumericCodec<number>> = pairsOf(text, int)
 */
export interface PairsOf<F, V> {
  readonly shape: "pairs"
  readonly of: readonly [F, V]
}
/**
 * What `maybe` makes.
 * @example
 * const item: Maybe<Codec<string>> = maybe(text)
 */
export interface Maybe<S> {
  readonly shape: "maybe"
  readonly of: S
}

export type Result =
  | AnyCodec
  | ArrayOf<unknown>
  | TupleOf<readonly unknown[]>
  | PairsOf<unknown, unknown>
  | Maybe<unknown>
  | undefined
export type Argument = AnyCodec | ArrayOf<AnyCodec>

const shaped = <K extends string, T>(shape: K, of: T) => Object.freeze({ shape, of })

/**
 * Any number of values: an argument or a result of a step.
 * @example
 * const addAll = step({
 *   script: "-- KEYS cart  ARGV the number of items, the items\nreturn ARGV",
 *   keys: ["cart"],
 *   args: { items: arrayOf(text) },
 * })
 */
export const arrayOf = <S extends Result>(of: S): ArrayOf<S> => shaped("array", of)

/**
 * A result of a step with fixed parts: `return { a, b }` in Lua.
 * @example
 * const totals = step({
 *   script: "-- KEYS cart\nreturn { redis.call('HLEN', KEYS[1]), 'cart' }",
 *   keys: ["cart"],
 *   returns: tupleOf(int, text),
 * })
 */
export const tupleOf = <const T extends readonly Result[]>(...of: T): TupleOf<T> => shaped("tuple", of)

/**
 * A result of a step as HGETALL or ZRANGE WITHSCORES return it: a flat list of pairs.
 * @example
 * const top = step({
 *   script: "-- KEYS board\nreturn redis.call('ZRANGE', KEYS[1], 0, 9, 'REV', 'WITHSCORES')",
 *   keys: ["board"],
 *   returns: pairsOf(text, int),
 * })
 */
export const pairsOf = <F extends AnyCodec, V extends AnyCodec>(first: F, second: V): PairsOf<F, V> =>
  shaped("pairs", [first, second] as const)

/**
 * A result of a step that may be nil: undefined.
 * @example
 * const claim = step({ script: "-- KEYS queue\nreturn redis.call('LPOP', KEYS[1])", keys: ["queue"], returns: maybe(text) })
 */
export const maybe = <S extends Result>(of: S): Maybe<S> => shaped("maybe", of)

/** `arrayOf(int)` → `number[]` */
export type ResultOf<S> = S extends undefined
  ? void
  : S extends Maybe<infer I>
    ? ResultOf<I> | undefined
    : S extends ArrayOf<infer I>
      ? ResultOf<I>[]
      : S extends TupleOf<infer T>
        ? { -readonly [N in keyof T]: ResultOf<T[N]> }
        : S extends PairsOf<infer F, infer V>
          ? [ReadOf<F>, ReadOf<V>][]
          : ReadOf<S>

/** `arrayOf(int)` → `readonly number[]` */
export type ArgumentOf<A> = A extends ArrayOf<infer I> ? readonly WriteOf<I>[] : WriteOf<A>

/* What a keyspace asks of a step. Deliberately loose: a tighter bound becomes the
 * contextual return type of step(), and args and results that are left out are then
 * inferred as unknown. */
export interface Stepping<K> {
  /** Paths of keys; with [] for any number of them. */
  readonly keys: readonly K[]
  readonly "~check": (step: never, keys: readonly Key[], name: string) => void
}

/**
 * What `step` makes: for `keyspace(…, { steps })`.
 * @example
 * const scriptOf = (of: Step) => ("source" in of.script ? of.script.source : of.script.url)
 */
export interface Step<K extends string = string, A = unknown, R = unknown> extends Stepping<K> {
  /** Its text, or where it is. */
  readonly script: { readonly source: string } | { readonly url: string }
  readonly args: A
  readonly returns: R
  readonly once: boolean
  /** It applies records behind a fence, its last key: see fence.ts. */
  readonly fenced?: true
  /** Whether a call also waits for replicas. Without it: "fast". */
  readonly durability?: Durability
  readonly doc?: string
}

/** The steps that a keyspace with these paths may have. */
export type Steps<Path extends string> = { readonly [name: string]: Stepping<Path | `${Path}[]`> }

export interface StepOptions<K, A, R> {
  /** A file beside the schema, `new URL("./claim.lua", import.meta.url)`, or the text itself. */
  readonly script: URL | string
  readonly keys: readonly K[]
  readonly args?: A
  readonly returns?: R
  /** Doing it twice would do harm: calls take an operation id, and are carried out once. */
  readonly once?: boolean
  /** `replicated(1)`: a call is over when a replica has what it wrote; where none has it in time, it rejects. Default: "fast". */
  readonly durability?: Durability
  readonly doc?: string
}

/**
 * An atomic step of an application's own: a Lua script with its keys, arguments and result declared, so that a call of it
 * is as typed as a handle.
 * @example
 * const take = step({
 *   script: "-- KEYS cart  ARGV item\nreturn redis.call('HINCRBY', KEYS[1], ARGV[1], -1)",
 *   keys: ["cart"],
 *   args: { item: text },
 *   returns: int,
 * })
 * const shop = keyspace({ cart: map("cart:{token}", text, int, { ttl: "30d" }) }, { steps: { take } })
 */
export function step<
  const K extends string,
  const A extends Readonly<Record<string, Argument>> = {},
  const R extends Result = undefined,
>({ script, args, returns, once = false, ...rest }: StepOptions<K, A, R>): Step<K, A, R> {
  return Object.freeze({
    ...rest,
    script: Object.freeze(typeof script === "string" ? { source: script } : { url: script.href }),
    args: (args ?? {}) as A,
    returns: returns as R,
    once,
    "~check": check,
  })
}

/** `"service.status[]"` → `{ path: "service.status", many: "status" }` */
export function stepKey(given: string): { readonly path: string; readonly many: string | undefined } {
  const path = given.replace(/\[\]$/, "")
  return { path, many: path === given ? undefined : path.slice(path.lastIndexOf(".") + 1) }
}

/** Checks that the script begins with a comment on what it gets. */
export function checkHeader(source: string, { keys, args }: Step): void {
  const head = /^(\s*--.*\n)*/.exec(source)![0]
  const takes = [keys.length > 0 && "KEYS", Object.keys(args as object).length > 0 && "ARGV"]
  for (const word of takes) if (word && !head.includes(word)) throw stepHeader(keys, word)
}

/** The keys exist and share a database, and every name in a call means one thing. */
function check(step: Step, keys: readonly Key[], name: string): void {
  requireName("steps.", name)
  const names = new Set<string>()
  const rows = step.keys.map((given) => {
    const { path, many } = stepKey(given)
    const row = keyNamed(keys, path, `the step on ${step.keys.join(", ")}`)
    if (many === undefined) for (const param in row.params) names.add(param)
    return row
  })
  const databases = [...new Set(rows.map(({ db }) => db))]
  if (databases.length > 1) throw stepDatabases(step.keys, databases)
  const others = [...step.keys.flatMap((given) => stepKey(given).many ?? []), ...Object.keys(step.args as object)]
  for (const other of others) {
    if (other in {}) throw keyspaceEntry(`steps.${name}.${other}`, "is not a name") // constructor, __proto__: every object has them.
    if (names.has(other)) throw stepNames(step.keys, other)
    names.add(other)
  }
  if ("source" in step.script) checkHeader(step.script.source, step)
}
