/* Codecs that say something more about another codec. */

import { SchemaError } from "../../errors/error.ts"
import { codec, type AnyCodec, type Codec, type OptionalCodec } from "./codec.ts"

/** Redacted wherever it is printed: logs, errors, docs, audit, studio. */
export function secret<C extends AnyCodec>(of: C): C {
  const hide = <A extends unknown[], R>(run: (...args: A) => R, ...args: A): R => {
    try {
      return run(...args)
    } catch (error) {
      // The original message quotes the value.
      throw error instanceof SchemaError ? new SchemaError(error.code, `a secret value is not ${of.name}`) : error
    }
  }
  return codec({
    ...of,
    spec: { codec: "secret", of: of.spec },
    example: "…",
    secret: true,
    encode: (value: unknown) => hide(of.encode, value),
    decode: (raw: string) => hide(of.decode, raw),
    ...(of.decodeBytes && { decodeBytes: (raw: Uint8Array) => hide(of.decodeBytes!, raw) }),
  })
}

/** A hash field that may be absent. */
export const optional = <R, W>(of: Codec<R, W>): OptionalCodec<R, W> =>
  codec({ ...of, spec: { codec: "optional", of: of.spec }, optional: true })
