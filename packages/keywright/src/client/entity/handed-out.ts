/* What is known of records that were handed out: the bytes they came from. A save
 * of such a record can compare with them at once, without reading first. Only the
 * bytes: the record itself may have been changed since.
 *
 * They are kept in a private field that is added to the record from outside: it is
 * invisible, copies do not have it, and it costs a tenth of a WeakMap entry. */

import type { Reply } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import { inPairs } from "../call/reply.ts"
import type { Loaded, RecordStore } from "./record-store.ts"

/** A constructor that returns its argument: the private fields of a subclass are then added to that object. */
const Given = function (record: object) {
  return record
} as unknown as new (record: object) => object

/** A record that was only read: what it would be loaded from again. */
class ReadRecord {
  readonly store: RecordStore
  readonly id: string
  readonly raw: Reply

  constructor(store: RecordStore, id: string, raw: Reply) {
    this.store = store
    this.id = id
    this.raw = raw
  }
}

class Note extends Given {
  #known: Loaded | ReadRecord | undefined = undefined

  static put(record: object, known: Loaded | ReadRecord): void {
    try {
      new Note(record).#known = known
    } catch {
      // It has the field already: a validator returned the same object again.
      ;(record as Note).#known = known
    }
  }

  static get(record: object): Loaded | undefined {
    const known = #known in record ? record.#known : undefined
    return known instanceof ReadRecord ? known.store.load(known.id, known.raw) : known
  }
}

/** The record, which belongs to its reader from now on. */
export function handOut(loaded: Loaded): object {
  const { record } = loaded
  Note.put(record, loaded)
  return record
}

/** The same for a record that was read, when only its bytes are known. */
export function handOutRead(record: object, store: RecordStore, id: string, raw: Reply): object {
  Note.put(record, new ReadRecord(store, id, raw))
  return record
}

export const handedOut = (record: object): Loaded | undefined => Note.get(record)

/**
 * A short text that changes whenever the stored record does: for an ETag, or to update only what was read. Undefined for
 * an object that did not come from a repository.
 * @example
 * const user = await db.user.get("1")
 * if (user) await db.user.update("1", { name: "Ada" }, { version: versionOf(user)! })
 */
export const versionOf = (record: object): string | undefined => {
  const known = handedOut(record)
  return known && version(known.raw)
}

export function version(raw: Reply): string {
  const sorted = () => inPairs((raw ?? []) as readonly string[]).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha1(typeof raw === "string" ? raw : JSON.stringify(sorted())).slice(0, 16)
}
