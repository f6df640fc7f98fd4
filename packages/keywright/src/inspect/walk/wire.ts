/* Keys and values as they are on the server: text where the bytes are UTF-8, else
 * the bytes. Text is what codecs read and what is fast; bytes that are not text
 * must not be mangled on the way, or nobody could ask for that key again. */

import { isUtf8 } from "node:buffer"
import type { Reply, Wire } from "../../driver/driver.ts"

/** Occurs in every text that was decoded from bytes which are not UTF-8 (and in a few that are). */
const REPLACEMENT = "\ufffd"

/** The text may be mangled: read it again as bytes. */
export const maybeMangled = (text: string): boolean => text.includes(REPLACEMENT)

/** Bytes as text where that is possible without loss. */
export function asWire(reply: Reply): Wire {
  if (!(reply instanceof Uint8Array)) return String(reply)
  const text = utf8Text(reply)
  return maybeMangled(text) && !isUtf8(reply) ? reply : text
}

/** About how much a reply holds: in characters, or bytes. */
export function sizeOfReply(reply: Reply): number {
  if (typeof reply === "string" || reply instanceof Uint8Array) return reply.length
  let size = 0
  if (Array.isArray(reply)) for (const one of reply) size += 1 + sizeOfReply(one)
  return size
}

export const isText = (wire: Wire): wire is string => typeof wire === "string"

/** A name that no other has: bytes that are text have become text, and others begin with a character that no text has. */
export const wireName = (wire: Wire): string =>
  typeof wire === "string" ? wire : `\ud800${Buffer.from(wire).toString("latin1")}`

/** For people: text as it is, bytes as `\xff`. A text may look like that, too: see `wireName`. */
export const showWire = (wire: Wire): string =>
  typeof wire === "string"
    ? wire
    : Array.from(wire, (byte) =>
        byte > 31 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
      ).join("")

const utf8Text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
