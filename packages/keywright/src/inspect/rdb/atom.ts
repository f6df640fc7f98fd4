/* An element as the file holds it: bytes, or a number where the file holds a small integer. */

import { isUtf8 } from "node:buffer"
import { maybeMangled } from "../walk/wire.ts"

/** Text only where it was requested. */
export type Atom = Buffer | number | string

/** The bytes of an element: a number is written as Redis would print it. */
export function bytesOf(atom: Atom): Buffer {
  return typeof atom === "object" ? atom : Buffer.from(String(atom))
}

/** `bytes[start, end)` as text, where that is possible without loss. */
export function textAt(bytes: Buffer, start: number, end: number): Buffer | string {
  const text = bytes.toString("utf8", start, end)
  return maybeMangled(text) && !isUtf8(bytes.subarray(start, end)) ? bytes.subarray(start, end) : text
}
