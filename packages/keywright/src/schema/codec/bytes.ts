/* Values that are not text: bytes as they are, and compressed text. */

import type * as Zlib from "node:zlib"
import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"
import { hiddenWith } from "./wrap.ts"

/**
 * Any bytes, as they are: pictures, packed data, what another program wrote in a format of its own.
 * @example
 * const shop = keyspace({ photo: string("photo:{item}", bytes, { ttl: "1d" }) })
 */
export const bytes: Codec<Uint8Array, Uint8Array, Uint8Array> = codec({
  name: "bytes",
  spec: { codec: "bytes" },
  example: "\u0000",
  encode(value) {
    if (!(value instanceof Uint8Array)) throw codecRefused("BYTES", "a Uint8Array", value)
    return value
  },
  decode: (raw) => Buffer.from(raw, "latin1"),
  decodeBytes: (raw) => raw,
})

/**
 * Another codec's text, compressed (raw deflate): for large JSON documents.
 * @example
 * const report = string("report:{id}", compressed(json(z.object({ rows: z.array(z.string()) }))), { ttl: "1d" })
 */
export const compressed = <R, W>(of: Codec<R, W>): Codec<R, W, Uint8Array> => {
  const decodeBytes = (raw: Uint8Array): R => of.decode(inflate(raw))
  const made: Codec<R, W, Uint8Array> = {
    name: `${of.name}, compressed`,
    spec: { codec: "compressed", of: of.spec },
    example: of.example,
    encode: (value) => zlib().deflateRawSync(of.encode(value)),
    decode: (raw) => decodeBytes(Buffer.from(raw, "latin1")),
    decodeBytes,
  }
  return codec(hiddenWith([of], made))
}

function inflate(raw: Uint8Array): string {
  try {
    // A bound on what a few bytes may blow up to.
    return utf8.decode(zlib().inflateRawSync(raw, { maxOutputLength: 256 * 1024 * 1024 }))
  } catch (cause) {
    throw Object.assign(codecRefused("COMPRESSED", "deflated text", raw), { cause })
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Asked for when it is needed, so that a schema bundles for the browser. There, `compressed` declares and does not run. */
const zlib = (): typeof Zlib => process.getBuiltinModule("node:zlib")
