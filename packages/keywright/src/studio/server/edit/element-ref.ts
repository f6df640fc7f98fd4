/* What identifies an element on the page. Of a map or a sorted set that is its name, and a digest of the value or score
 * that it was shown with: an edit of it is based on both. */

import { createHash } from "node:crypto"
import type { Reply, Wire } from "../../../driver/driver.ts"
import { editRefused } from "../../../errors/studio.ts"
import type { Kind } from "../../../schema/define.ts"
import { asWire } from "../../../inspect/walk/wire.ts"

/** An element of an edit. */
export interface ElementRef {
  /** For the commands: a member, a field; of a list its position and its item. */
  readonly element: Wire
  /** The digest of what it was shown with, where it has a value. */
  readonly shown?: string
}

export const shownWith = (value: Reply): string => createHash("sha1").update(asWire(value)).digest("hex").slice(0, 16)

/** A field with its value, or a member with its score. */
export const withValue = (name: Reply, value: Reply): Uint8Array =>
  Buffer.concat([Buffer.from(`${shownWith(value)}:`), Buffer.from(asWire(name))])

export function readElementRef(kind: Kind, ref: Wire): ElementRef {
  if (kind !== "map" && kind !== "zset") return { element: ref }
  const bytes = Buffer.from(ref)
  if (bytes.indexOf(":") !== 16) throw editRefused("the element is not understood", [])
  return { element: asWire(bytes.subarray(17)), shown: bytes.subarray(0, 16).toString() }
}
