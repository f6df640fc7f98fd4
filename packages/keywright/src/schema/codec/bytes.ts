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
 * How text is compressed: raw deflate, or with the header of gzip or of zlib, as other programs write it.
 * @example
 * const options: CompressedOptions = { format: "gzip" }
 */
export interface CompressedOptions {
  /** Default: raw deflate, the smallest. */
  readonly format?: "gzip" | "zlib"
}

/**
 * Another codec's text, compressed: for large JSON documents, up to 64 MB before compression.
 * @example
 * const Report = z.object({ rows: z.array(z.string()) })
 * const report = string("report:{id}", compressed(json(Report)), { ttl: "1d" })
 * const shared = string("shared:{id}", compressed(json(Report), { format: "gzip" }), { ttl: "1d" })
 */
export const compressed = <R, W>(of: Codec<R, W>, { format }: CompressedOptions = {}): Codec<R, W, Uint8Array> => {
  const decodeBytes = (raw: Uint8Array): R => of.decode(inflate(raw, format))
  const made: Codec<R, W, Uint8Array> = {
    name: `${of.name}, ${format === undefined ? "compressed" : `compressed (${format})`}`,
    spec: { codec: "compressed", of: of.spec, ...(format !== undefined && { format }) },
    example: of.example,
    encode: (value) => deflate(of.encode(value), format),
    decode: (raw) => decodeBytes(Buffer.from(raw, "latin1")),
    decodeBytes,
    stored: (raw) => JSON.parse(inflate(raw, format)),
  }
  return codec(hiddenWith([of], made))
}

type Format = CompressedOptions["format"]

/** What a few bytes may blow up to: a kilobyte can hold a megabyte of zeros. */
const MOST_BYTES = 64 * 1024 * 1024

function deflate(text: string, format: Format): Uint8Array {
  if (Buffer.byteLength(text) > MOST_BYTES) throw codecRefused("COMPRESSED", "at most 64 MB of text", "more")
  const { deflateRawSync, deflateSync, gzipSync } = zlib()
  return (format === undefined ? deflateRawSync : format === "zlib" ? deflateSync : gzipSync)(text)
}

function inflate(raw: Uint8Array, format: Format): string {
  const { inflateRawSync, inflateSync, gunzipSync } = zlib()
  try {
    const read = format === undefined ? inflateRawSync : format === "zlib" ? inflateSync : gunzipSync
    return utf8.decode(read(raw, { maxOutputLength: MOST_BYTES }))
  } catch (cause) {
    const isLarge = (cause as { readonly code?: string }).code === "ERR_BUFFER_TOO_LARGE"
    const expected = isLarge ? "at most 64 MB of text" : format === undefined ? "deflated text" : `text in ${format}`
    throw Object.assign(codecRefused("COMPRESSED", expected, isLarge ? "more" : raw), { cause })
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Asked for when it is needed, so that a schema bundles for the browser. There, `compressed` declares and does not run. */
const zlib = (): typeof Zlib => process.getBuiltinModule("node:zlib")
