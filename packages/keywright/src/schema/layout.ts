/* A layout states a naming convention once, so that nine entities need not spell
 * it nine times. In its patterns {entity} is the entity's name, and {index} and
 * {value} are an index's name and the field it is on:
 *
 *   const record = layout({ key: "{entity}:{id}", all: "{entity}:list",
 *                           counter: "{entity}:counter", index: "{entity}:index:{index}:{value}" })
 *   const user = record("user", json(User), { unique: { email: "email" } })
 *
 * yields user:{id}, user:list, user:counter and user:index:email:{email}. An index is a
 * field's name; an array of a field's name and of the mirrors' patterns; or an object,
 * for several fields, a condition or a score:
 *
 *   { on: ["userId", "status"], where: { paid: true }, score: "createdAt", mirrors: [] } */

import type { Codec, ReadOf, WriteOf } from "./codec/codec.ts"
import type { Coded } from "./coded.ts"
import {
  entity,
  type Entity,
  type EntityOptions,
  type IndexInputs,
  type IndexOptions,
  type Needed,
  type Storable,
} from "./entity.ts"
import type { Invalid, ParamNames } from "./pattern.ts"
import type { Ttl } from "./ttl.ts"

export interface LayoutPatterns {
  readonly key: string
  readonly counter?: string
  readonly all?: string
  readonly index?: string
  /** Ids are stored in quotes wherever they are held (see `entity`). */
  readonly quoted?: boolean
}

/** A field's name, and the patterns of mirrors after it; or all that an index can be. */
export type LayoutIndex = string | readonly [string, ...string[]] | LayoutIndexOptions
export type LayoutIndexes = { readonly [name: string]: LayoutIndex }

export interface LayoutIndexOptions extends Omit<IndexOptions, "patterns"> {
  /** The field, or several, in the order in which they appear in the key. */
  readonly on: string | readonly [string, ...string[]]
  readonly mirrors?: readonly string[]
}

type FieldOf<X> = X extends string
  ? X
  : X extends readonly [infer F extends string, ...string[]]
    ? F
    : X extends { readonly on: infer F }
      ? F extends readonly (infer G extends string)[]
        ? G
        : F & string
      : never
type MirrorsOf<X> = X extends readonly [string, ...infer M extends string[]]
  ? M[number]
  : X extends { readonly mirrors: readonly (infer M extends string)[] }
    ? M
    : never

type OnFields<R, X> = {
  [N in keyof X]: [FieldOf<X[N]> | Needed<X[N]>] extends [keyof R & string]
    ? [Exclude<ParamNames<MirrorsOf<X[N]>>, FieldOf<X[N]>>] extends [never]
      ? X[N]
      : Invalid<`a mirror of this index may only name {${FieldOf<X[N]>}}`>
    : Invalid<`"${Exclude<FieldOf<X[N]> | Needed<X[N]>, keyof R & string>}" is not a field of this entity`>
}

type FieldsByIndex<X> = { readonly [N in keyof X]: FieldOf<X[N]> }

export interface LayoutOptions<R, U, I> extends Omit<EntityOptions<R, {}, {}>, "counter" | "all" | "unique" | "index"> {
  readonly unique?: U & OnFields<R, U>
  readonly index?: I & OnFields<R, I>
}

/** `"{entity}:{id}"` of `"user"` → `"user:{id}"` */
export type Named<P extends string, Name extends string> = P extends `${infer A}{entity}${infer B}`
  ? `${A}${Name}${Named<B, Name>}`
  : P

/**
 * Makes an `entity` function for one naming convention, so that nine entities do not spell it nine times.
 * @example
 * const record = layout({ key: "{entity}:{id}", counter: "{entity}:counter", index: "{entity}:index:{index}:{value}" })
 * const Dish = z.object({ id: z.string(), category: z.string() })
 * const dish = record("dish", json(Dish), { index: { category: "category" } })
 */
export const layout =
  <const L extends LayoutPatterns>(patterns: L) =>
  <
    const Name extends string,
    V extends Storable,
    const U extends LayoutIndexes = {},
    const I extends LayoutIndexes = {},
    const T extends Ttl = "never",
  >(
    name: Name,
    value: Coded<V>,
    options: LayoutOptions<ReadOf<V>, U, I> & { readonly ttl?: T } = {},
  ): Entity<Named<L["key"], Name>, ReadOf<V>, WriteOf<V>, FieldsByIndex<U>, FieldsByIndex<I>, T> => {
    const { unique, index, ...rest } = options
    const { counter, all, quoted } = patterns
    const named = (pattern: string) => pattern.replaceAll("{entity}", () => name)
    const indexes = (inputs: LayoutIndexes = {}): IndexInputs =>
      Object.fromEntries(
        Object.entries(inputs).map(([label, input]) => {
          const { on, mirrors = [], ...more } = optionsOf(input)
          const fields = (typeof on === "string" ? [on] : on).map((field) => `{${field}}`).join(":")
          const pattern = named(patterns.index ?? "{entity}:{index}:{value}")
            .replaceAll("{index}", () => label)
            .replace("{value}", () => fields)
          return [label, { ...more, patterns: [pattern, ...mirrors] }]
        }),
      )
    return entity(named(patterns.key) as never, value as Codec<object, unknown>, {
      ...(quoted && { quoted }),
      ...rest,
      ...(counter === undefined || (rest.ids ?? "counter") !== "counter" ? {} : { counter: named(counter) }),
      ...(all === undefined ? {} : { all: named(all) }),
      unique: indexes(unique) as never,
      index: indexes(index) as never,
    }) as never
  }

function optionsOf(input: LayoutIndex): LayoutIndexOptions {
  if (typeof input === "string") return { on: input }
  if ("on" in input) return input
  const [on, ...mirrors] = input
  return { on, mirrors }
}
