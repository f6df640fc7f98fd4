/* The type of a module's value is a 64-bit number: nine characters of six bits
 * each, and ten bits for the version of the encoding. */

import type { Cursor } from "./cursor.ts"

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Reads the number and returns the name in it, e.g. "ReJSON-RL". */
export function moduleName(cursor: Cursor): string {
  const start = cursor.at
  cursor.count()
  if (cursor.at - start !== 9) return "module"
  let id = cursor.bytes.readBigUInt64BE(start + 1) >> 10n
  let name = ""
  for (let at = 0; at < 9; at++) {
    name = ALPHABET[Number(id & 63n)]! + name
    id >>= 6n
  }
  return name
}
