/* Names of keys that are longer than any program's. A file of a few megabytes can have gigabytes
 * of them, because they are compressed: so such a name is kept as its beginning, its length and
 * its digest, which still tell it apart from others. Only an export reads it as it is. */

import { createHash } from "node:crypto"

/** Bytes of a name that is kept whole. */
export const LONGEST_NAME = 4 * 1024

const HEAD = 1024

/** `"user:"` and a megabyte of letters → `"user:aaaa…1048581-bytes-0123456789abcdef0123456789abcdef"` */
export function shortName(name: Uint8Array): Buffer {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 32)
  return Buffer.concat([name.subarray(0, headEnd(name)), Buffer.from(`…${name.length}-bytes-${digest}`)])
}

const SHORTENED = /…\d+-bytes-[0-9a-f]{32}$/

/** What is left of the name itself, where it was shortened. */
export const beginningOfName = (name: string): string => name.replace(SHORTENED, "")

/** Where the head of a long key ends: never inside a character, so that text stays text. */
function headEnd(name: Uint8Array): number {
  let end = HEAD
  while (end > HEAD - 4 && (name[end]! & 0xc0) === 0x80) end--
  return end
}
