/* Places inside keys, by name: what rules between keys refer to.
 *
 *   "{token}"              a segment of the key
 *   "member", "score"      what a set, a list, a map or a string is made of
 *   "user_id"              a field of a hash
 *   "value.category"       a part of the decoded value; also "value.length"
 *   "size"                 how many elements there are */

import type { AnyCodec, CodecFields } from "./codec/codec.ts"
import type { Kind } from "./define.ts"
import type { Key } from "./key.ts"

/**
 * What `at` makes: a place in the keys of an entry.
 * @example
 * const place: At<"settings"> = at("settings", "maxAge")
 */
export interface At<Path extends string = string> {
  readonly key: Path
  readonly place: string
  /** The value to assume when there is none. */
  readonly otherwise?: number | string
}

/**
 * A place in the keys of an entry, for rules between keys: a field, a parameter in braces, or `value` and a path in a document.
 * @example
 * const age = at("settings", "maxAge", { otherwise: 7 })
 * const ofKey = at("cart", "{token}")
 */
export const at = <const P extends string>(
  key: P,
  place: string,
  options: { readonly otherwise?: number | string } = {},
): At<P> => Object.freeze({ key, place, ...options })

/** Where a key keeps ids of this name: `"member"`, `"field"`, `"value"`, a parameter as `"{token}"`, a field of a hash. */
export function placesOf(key: Key, id: string): string[] {
  const { fields = {}, ...parts } = key.shape as Record<string, Partial<AnyCodec> | undefined> & {
    fields?: CodecFields
  }
  const params = Object.entries(key.params)
  return [
    ...Object.entries(parts)
      .filter(([, codec]) => codec?.id === id)
      .map(([part]) => part),
    ...params.filter(([, codec]) => codec.id === id).map(([param]) => `{${param}}`),
    ...Object.entries(fields)
      .filter(([, codec]) => codec.id === id)
      .map(([field]) => field),
  ]
}

/** A parsed place: where the text is, the codec that reads it, and the path into the decoded value. */
export interface Spot {
  readonly in: "param" | "part" | "field" | "size"
  /** The name of the parameter, the part of the shape, or the field. */
  readonly name: string
  readonly codec: AnyCodec | undefined
  /** The path into the decoded value. */
  readonly path: readonly string[]
}

/** Undefined when the key has no such place. */
export function spotOf(
  { kind, params, shape }: Pick<Key, "kind" | "params" | "shape">,
  place: string,
): Spot | undefined {
  const param = /^\{(\w+)\}$/.exec(place)?.[1]
  if (param !== undefined)
    return Object.hasOwn(params, param) ? { in: "param", name: param, codec: params[param]!, path: [] } : undefined
  const { fields = {}, ...parts } = shape as Record<string, AnyCodec> & { fields?: CodecFields }
  if (Object.hasOwn(fields, place)) return { in: "field", name: place, codec: fields[place]!, path: [] }
  const [name = "", ...path] = place.split(".")
  if (Object.hasOwn(fields, name)) return { in: "field", name, codec: fields[name]!, path }
  if (Object.hasOwn(parts, name)) return { in: "part", name, codec: parts[name]!, path }
  return place === "size" && SIZED.includes(kind) ? { in: "size", name: "size", codec: undefined, path: [] } : undefined
}

const SIZED: readonly Kind[] = ["hash", "map", "list", "set", "zset", "geo", "stream"]

/** The part of a decoded value at a path. */
export const partAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (part, name) => (part === null || part === undefined ? part : (part as Record<string, unknown>)[name]),
    value,
  )
