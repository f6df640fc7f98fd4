/* Words of commands as plain JSON: text where it may be read, else base64. */

import type { Wire } from "../../driver/driver.ts"
import { asWire, wireName } from "../../inspect/walk/wire.ts"

export type Word = string | { readonly base64: string }

/** Bytes that are not text, and what must not be read by chance, become base64. */
export const wordOf = (wire: Wire, hidden = false): Word =>
  typeof wire === "string" && !hidden ? wire : { base64: Buffer.from(wire as Uint8Array).toString("base64") }

export const wireOf = (word: Word): Wire => (typeof word === "string" ? word : Buffer.from(word.base64, "base64"))

/** A word that is a key: text where it can be, so that its pattern can be found. */
export const keyOf = (word: Word): Wire => (typeof word === "string" ? word : asWire(wireOf(word)))

/** A word as a text that no other word has, whatever its bytes; empty for one that is not there. */
export const nameOf = (word: Word | undefined): string => (word === undefined ? "" : wireName(keyOf(word)))
