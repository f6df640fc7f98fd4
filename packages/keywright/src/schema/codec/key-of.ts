/* A value that is the key of something else, taken apart and put together by that
 * key's own pattern: a token's map field that holds the token's real key. */

import { codecRefused } from "../../errors/codec.ts"
import { definitionRefused } from "../../errors/define.ts"
import { type Duration, toMs } from "../duration.ts"
import { keyFormat } from "../key-format.ts"
import type { ParamNames } from "../pattern.ts"
import { codec, type Codec } from "./codec.ts"

/**
 * What `keyOf` reads and writes: which definition, and the parameters of its key.
 * @example
 * const held: KeyRef<{ access: "AccTok:{token}" }> = { to: "access", params: { token: "9f86" } }
 */
export type KeyRef<K> = {
  [Name in keyof K & string]: {
    readonly to: Name
    readonly params: { readonly [N in ParamNames<K[Name] & string>]: string }
  }
}[keyof K & string]

export interface KeyOfOptions {
  /** How long it may outlive the key, until a job removes it: audit looks again after this time. */
  readonly grace?: Duration
}

/**
 * The key of another definition, held as a value: named by its pattern, read as its parameters.
 * @example
 * const token = keyOf({ refresh: "RefTok:{token}", access: "AccTok:{token}" })
 * console.log(token.encode({ to: "access", params: { token: "9f86" } })) // → AccTok:9f86
 */
export function keyOf<const K extends Readonly<Record<string, string>>>(
  keys: K,
  { grace }: KeyOfOptions = {},
): Codec<KeyRef<K>> {
  if (grace !== undefined) toMs(grace)
  // The longest beginning first, so that "cart:list" is not mistaken for "cart:{id}".
  const formats = Object.entries(keys)
    .map(([to, pattern]) => ({ to, format: keyFormat(pattern), literal: `${pattern}{`.indexOf("{") }))
    .sort((a, b) => b.literal - a.literal)
  const expected = `a key of ${Object.values(keys).join(" or ")}`
  if (formats.length === 0) throw definitionRefused("keyOf", "no patterns")
  const read = (raw: string) => {
    for (const { to, format } of formats) {
      const params = format.parse(raw)
      if (params) return { to, params } as KeyRef<K>
    }
    throw codecRefused("KEY_OF", expected, raw)
  }
  return codec({
    name: expected,
    spec: { codec: "keyOf", keys: Object.freeze({ ...keys }), ...(grace === undefined ? {} : { grace }) },
    example: formats[0]!.format.pattern.replace(/\{(\w+)\}/g, "abc"),
    encode(value) {
      const found = formats.find(({ to }) => to === value?.to)
      if (!found || Object(value.params) !== value.params) throw codecRefused("KEY_OF", expected, value?.to)
      const raw = found.format.build(value.params)
      if (read(raw).to !== found.to) throw codecRefused("KEY_OF", `a key that only ${found.to} has`, raw)
      return raw
    },
    decode: read,
  })
}
