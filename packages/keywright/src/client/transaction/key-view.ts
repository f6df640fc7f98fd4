/* What a transaction knows about a key that it has written: so that the answer of a later
 * write takes the earlier ones into account. Nothing is known beyond what was read or
 * follows from the transaction's own writes. */

import { isUtf8 } from "node:buffer"
import type { Wire } from "../../driver/driver.ts"

export class KeyView {
  /** It was written by this transaction. */
  isWritten = false
  /** It was written in a way that was not followed: its content is unknown until the commit. */
  isUnknown = false
  /** It was deleted by this transaction: what is not noted here is not there. */
  isNew = false
  exists: boolean | undefined
  value: string | null | undefined
  length: number | undefined
  /** Fields of a hash, members of a set ("1"), scores of a sorted set: null for those that are not there. */
  readonly elements = new Map<string, string | null>()

  /** All that is known is that it was deleted. */
  clear(): void {
    this.isNew = true
    this.isUnknown = false
    this.exists = false
    this.value = null
    this.length = 0
    this.elements.clear()
  }

  /** An element was written, or removed. */
  put(element: Wire, value: string | null): void {
    this.elements.set(exactName(element), value)
    // Redis removes a collection with its last element: whether one is left was not looked at.
    this.exists = value === null ? undefined : true
  }

  /** An element as it was read. */
  learn(element: Wire, value: string | null): void {
    this.elements.set(exactName(element), value)
  }

  /** An element, or null where there is none; undefined: it is not known. */
  get(element: Wire): string | null | undefined {
    const known = this.elements.get(exactName(element))
    return known === undefined && this.isNew ? null : known
  }
}

/** A name that no other element has: bytes that are text are that text, and others begin with a character that no text has. */
function exactName(element: Wire): string {
  if (typeof element === "string") return element
  const bytes = Buffer.from(element)
  return isUtf8(bytes) ? bytes.toString() : `\ud800${bytes.toString("latin1")}`
}
