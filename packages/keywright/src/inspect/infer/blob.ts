/* Values that other programs packed: named for what they are, by their first bytes. */

import { inflateRawSync } from "node:zlib"
import type { Wire } from "../../driver/driver.ts"
import { isText } from "../wire.ts"

export type Blob =
  | "java"
  | "pickle"
  | "marshal"
  | "php"
  | "igbinary"
  | "gzip"
  | "zlib"
  | "zstd"
  | "lz4"
  | "deflate"
  | "hyperloglog"
  | "image"
  | "binary"

export const blobNames: Readonly<Record<Blob, string>> = {
  java: "Java-serialised",
  pickle: "pickled by Python",
  marshal: "marshalled by Ruby",
  php: "serialised by PHP",
  igbinary: "serialised by PHP (igbinary)",
  gzip: "gzip",
  zlib: "zlib-compressed",
  zstd: "zstd-compressed",
  lz4: "LZ4-compressed",
  deflate: "deflated text",
  hyperloglog: "a HyperLogLog",
  image: "an image",
  binary: "binary",
}

const MAGIC: readonly (readonly [Blob, readonly number[]])[] = [
  ["java", [0xac, 0xed, 0x00, 0x05]],
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["lz4", [0x04, 0x22, 0x4d, 0x18]],
  ["igbinary", [0x00, 0x00, 0x00, 0x02]],
  ["image", [0x89, 0x50, 0x4e, 0x47]],
  ["image", [0xff, 0xd8, 0xff]],
  ["marshal", [0x04, 0x08]],
  ["zlib", [0x78, 0x01]],
  ["zlib", [0x78, 0x5e]],
  ["zlib", [0x78, 0x9c]],
  ["zlib", [0x78, 0xda]],
]
const PHP = /^(?:[aO]:\d+:(?:\{|")|s:\d+:"|[bid]:-?[\d.]+;$|N;$)/

/** What packed it; undefined for plain text. */
export function blobOf(raw: Wire): Blob | undefined {
  if (isText(raw)) {
    if (raw.startsWith("HYLL")) return "hyperloglog"
    if (PHP.test(raw) && /[;}]$/.test(raw)) return "php"
    if (raw.startsWith("\x04\b")) return "marshal"
    // oxlint-disable-next-line no-control-regex -- what is not text has them.
    return /[\x00-\x08\x0e-\x1a]/.test(raw) ? "binary" : undefined
  }
  const found = MAGIC.find(([, bytes]) => bytes.every((byte, i) => raw[i] === byte))?.[0]
  if (found !== undefined) return found
  if (raw[0] === 0x80 && raw[1]! >= 2 && raw[1]! <= 5 && raw.at(-1) === 0x2e) return "pickle"
  if (raw[0] === 0x48 && raw[1] === 0x59 && raw[2] === 0x4c && raw[3] === 0x4c) return "hyperloglog"
  if (PHP.test(Buffer.from(raw.subarray(0, 32)).toString("latin1"))) return "php"
  return isDeflated(raw) ? "deflate" : "binary"
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
