/* What is known of records that were handed out: the bytes they came from. A save
 * of such a record can compare with them at once, without reading first. Only the
 * bytes: the record itself may have been changed since. */

import { createHash } from "node:crypto"
import type { Reply } from "../../driver/driver.ts"
import { pairs, type Loaded } from "./record-store.ts"

interface Known {
  readonly id: string
  readonly raw: Reply
}

const knownOf = new WeakMap<object, Known>()

/** The record, which from now on is its reader's. */
export function remember(loaded: Loaded): object {
  const { id, raw, record } = loaded
  knownOf.set(record, { id, raw })
  return record
}

export const recall = (record: object): Known | undefined => knownOf.get(record)

/** A short text that changes whenever the stored record does. Undefined for an object that no repository gave. */
export const versionOf = (record: object): string | undefined => {
  const known = knownOf.get(record)
  return known && version(known.raw)
}

export const version = (raw: Reply): string =>
  createHash("sha1")
    .update(typeof raw === "string" ? raw : JSON.stringify(pairs(raw).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex")
    .slice(0, 16)
