/* What is known of records that were handed out: the bytes they came from. A save
 * of such a record can compare with them at once, without reading first. */

import { createHash } from "node:crypto"
import type { Reply } from "../../driver/driver.ts"
import type { Loaded } from "./record-store.ts"

const loadedOf = new WeakMap<object, Loaded>()

export function remember(loaded: Loaded): object {
  loadedOf.set(loaded.record, loaded)
  return loaded.record
}

export const recall = (record: object): Loaded | undefined => loadedOf.get(record)

/** A short text that changes whenever the stored record does. */
export const versionOf = (record: object): string | undefined => {
  const loaded = loadedOf.get(record)
  return loaded && version(loaded.raw)
}

export const version = (raw: Reply): string =>
  createHash("sha1")
    .update(typeof raw === "string" ? raw : JSON.stringify(raw))
    .digest("hex")
    .slice(0, 16)
