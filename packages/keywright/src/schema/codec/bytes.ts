/* Values that are not text: bytes as they are, and compressed text. */

import { deflateRawSync, inflateRawSync } from "node:zlib"
import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"

/** Any bytes. */
export const bytes: Codec<Uint8Array, Uint8Array, Uint8Array> = codec({
  name: "bytes",
  spec: { codec: "bytes" },
  example: "\u0000",
  encode(value) {
    if (!(value instanceof Uint8Array)) throw codecRefused("BYTES", "a Uint8Array", value)
    return value
  },
  decode: (raw) => Buffer.from(raw),
  decodeBytes: (raw) => raw,
})

/** Another codec's text, compressed (raw deflate): for large JSON documents. */
export const compressed = <R, W>(of: Codec<R, W>): Codec<R, W, Uint8Array> => {
  const decodeBytes = (raw: Uint8Array): R => {
    let inflated: Buffer
    try {
      // A bound on what a few bytes may blow up to.
      inflated = inflateRawSync(raw, { maxOutputLength: 256 * 1024 * 1024 })
    } catch (cause) {
      throw Object.assign(codecRefused("COMPRESSED", "deflated text", raw), { cause })
    }
    return of.decode(inflated.toString())
  }
  return codec({
    name: `${of.name}, compressed`,
    spec: { codec: "compressed", of: of.spec },
    example: of.example,
    encode: (value) => deflateRawSync(of.encode(value)),
    decode: (raw) => decodeBytes(Buffer.from(raw, "latin1")),
    decodeBytes,
  })
}
