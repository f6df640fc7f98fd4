/* Codecs that add something to another codec. */

import { codecRefused } from "../../errors/codec.ts"
import { SchemaError } from "../../errors/error.ts"
import { codec, type AnyCodec, type Codec, type OptionalCodec } from "./codec.ts"

/**
 * Redacted wherever it is printed: logs, errors, docs, audit, studio.
 * @example
 * const session = string("session:{token}", text, { params: { token: secret(text) }, ttl: "1d" })
 */
export const secret = <C extends AnyCodec>(of: C): C => codec({ ...hidden(of), spec: { codec: "secret", of: of.spec } })

/** The same codec with messages that do not quote the value. Composite codecs are hidden when a part of them is secret. */
function hidden<C extends AnyCodec>(of: C): C {
  const hide = <A extends unknown[], R>(run: (...args: A) => R, ...args: A): R => {
    try {
      return run(...args)
    } catch (error) {
      const code = error instanceof SchemaError ? error.code : "CODEC.REFUSED"
      throw new SchemaError(code, `a secret value is not ${of.name}`)
    }
  }
  return codec({
    ...of,
    secret: true,
    encode: (value: unknown) => hide(of.encode, value),
    decode: (raw: string) => hide(of.decode, raw),
    ...(of.unbounded && { unbounded: hidden(of.unbounded) }),
    ...(of.decodeBytes && { decodeBytes: (raw: Uint8Array) => hide(of.decodeBytes!, raw) }),
    ...(of.document && {
      document: {
        read: (document: unknown) => hide(of.document!.read, document),
        accept: (document: unknown) => hide(of.document!.accept, document),
      },
    }),
  })
}

/** Hidden when one of its parts is. */
export const hiddenWith = <C extends AnyCodec>(parts: readonly AnyCodec[], of: C): C =>
  parts.some((part) => part.secret) ? hidden(of) : of

/**
 * Reads a value with white space around it too: for texts that another program, or a person, wrote as `0, True, 21`.
 * @example
 * console.log(trimmed(int).decode(" 21")) // → 21
 */
export const trimmed = <R, W>(of: Codec<R, W>): Codec<R, W> =>
  codec({
    ...of,
    spec: { codec: "trimmed", of: of.spec },
    encode(value) {
      const raw = of.encode(value)
      if (raw.trim() !== raw) throw codecRefused("TRIMMED", "a text without white space around it", raw)
      return raw
    },
    decode: (raw) => of.decode(raw.trim()),
  })

/**
 * A hash field that may be absent.
 * @example
 * const profile = hash("profile:{user}", { name: text, nickname: optional(text) }, { ttl: "never" })
 */
export const optional = <R, W, X extends string | Uint8Array>(of: Codec<R, W, X>): OptionalCodec<R, W, X> =>
  codec({ ...of, spec: { codec: "optional", of: of.spec }, optional: true })
