/* Values that other programs packed: named for what they are, by their first bytes. */

import { inflateRawSync } from "node:zlib"
import type { Wire } from "../../../driver/driver.ts"
import { isText } from "../../walk/wire.ts"
import { wireFormat } from "./wire-formats.ts"

export const blobNames = {
  java: "Java-serialised",
  pickle: "pickled by Python",
  marshal: "marshalled by Ruby",
  php: "serialised by PHP",
  phpSession: "a session of PHP",
  igbinary: "serialised by PHP (igbinary)",
  dotnet: "serialised by .NET",
  messagePack: "MessagePack",
  bson: "BSON",
  protobuf: "binary, probably Protocol Buffers",
  gzip: "gzip",
  zlib: "zlib-compressed",
  zstd: "zstd-compressed",
  lz4: "LZ4-compressed",
  snappy: "Snappy-compressed",
  deflate: "deflated text",
  hyperloglog: "a HyperLogLog",
  image: "an image",
  html: "HTML",
  xml: "XML",
  jwt: "a signed token (JWT)",
  binary: "binary",
} as const

export type Blob = keyof typeof blobNames

const MAGIC: readonly (readonly [Blob, readonly number[]])[] = [
  ["java", [0xac, 0xed, 0x00, 0x05]],
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["lz4", [0x04, 0x22, 0x4d, 0x18]],
  ["igbinary", [0x00, 0x00, 0x00, 0x02]],
  ["dotnet", [0x00, 0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff]],
  ["snappy", [0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]],
  ["image", [0x89, 0x50, 0x4e, 0x47]],
  ["image", [0xff, 0xd8, 0xff]],
  ["marshal", [0x04, 0x08]],
  ["zlib", [0x78, 0x01]],
  ["zlib", [0x78, 0x5e]],
  ["zlib", [0x78, 0x9c]],
  ["zlib", [0x78, 0xda]],
]
const PHP = /^(?:[aO]:\d+:(?:\{|")|s:\d+:"|[bid]:-?[\d.]+;$|N;$)/

const TEXTS: readonly (readonly [Blob, RegExp])[] = [
  ["hyperloglog", /^HYLL/],
  ["php", new RegExp(`(?=[^]*[;}]$)${PHP.source}`)],
  ["phpSession", /^\w{1,64}\|(?:[aO]:\d+:[{"]|s:\d+:"|[bid]:-?[\d.]+;|N;)/],
  ["pickle", /^(?:\([dlt]p?\d*\n|ccopy_reg\n)[^]*\.$/],
  ["jwt", /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*$/],
  ["html", /^\s*<(?:!doctype html|html[\s>])/i],
  ["xml", /^\s*<\?xml\s/],
]

// oxlint-disable-next-line no-control-regex -- what is not text has them.
const CONTROL = /[\x00-\x08\x0e-\x1a]/

/** What packed it; undefined for plain text. */
export function blobOf(raw: Wire): Blob | undefined {
  if (!isText(raw)) return packedOf(raw)
  const found = TEXTS.find(([, form]) => form.test(raw))?.[0]
  return found ?? (CONTROL.test(raw) ? packedOf(Buffer.from(raw)) : undefined)
}

function packedOf(raw: Uint8Array): Blob {
  const found = MAGIC.find(([, bytes]) => bytes.every((byte, i) => raw[i] === byte))?.[0]
  if (found !== undefined) return found
  if (raw[0] === 0x80 && raw[1]! >= 2 && raw[1]! <= 5 && raw.at(-1) === 0x2e) return "pickle"
  if (raw[0] === 0x48 && raw[1] === 0x59 && raw[2] === 0x4c && raw[3] === 0x4c) return "hyperloglog"
  if (PHP.test(Buffer.from(raw.subarray(0, 32)).toString("latin1"))) return "php"
  return wireFormat(raw) ?? (isDeflated(raw) ? "deflate" : "binary")
}

function isDeflated(raw: Uint8Array): boolean {
  if (raw.length < 8 || raw.length > 65_536) return false
  try {
    const text = inflateRawSync(raw, { maxOutputLength: 1 << 20 })
    return text.length > 0 && Buffer.from(text.toString()).equals(text)
  } catch {
    return false // What cannot be inflated is something else.
  }
}
