/* A value that is the key of something else, taken apart and put together by that
 * key's own pattern: a token's map field that holds the token's real key. */

import { codecRefused } from "../../errors/codec.ts"
import { keyFormat } from "../key-format.ts"
import type { ParamNames } from "../pattern.ts"
import { codec, type Codec } from "./codec.ts"

/** `{ to: "access", params: { token: "…" } }` */
export type KeyRef<K> = {
  [Name in keyof K & string]: {
    readonly to: Name
    readonly params: { readonly [N in ParamNames<K[Name] & string>]: string }
  }
}[keyof K & string]

/** The key of another definition, by its pattern: `keyOf({ refresh: "RefTok:{token}", access: "AccTok:{token}" })`. */
export function keyOf<const K extends Readonly<Record<string, string>>>(keys: K): Codec<KeyRef<K>> {
  const formats = Object.entries(keys).map(([to, pattern]) => ({ to, format: keyFormat(pattern) }))
  const expected = `a key of ${Object.values(keys).join(" or ")}`
  return codec({
    name: expected,
    spec: { codec: "keyOf", keys },
    example: formats[0]!.format.pattern,
    encode(value) {
      const found = formats.find(({ to }) => to === value?.to)
      if (!found) throw codecRefused("KEY_OF", expected, value?.to)
      return found.format.build(value.params)
    },
    decode(raw) {
      for (const { to, format } of formats) {
        const params = format.parse(raw)
        if (params) return { to, params } as KeyRef<K>
      }
      throw codecRefused("KEY_OF", expected, raw)
    },
  })
}
