import type { Reply } from "../driver/driver.ts"
import { asking, giving, type CallNotes, type OnceNotes, type WriteNotes } from "./handle.ts"
import { asNumber, nothing } from "./reply.ts"
import { ValueHandle } from "./value.ts"

/** A string that holds one value. */
export class StringHandle<R, W> extends ValueHandle<R | undefined> {
  /**
   * GET, O(1); where the TTL slides, GETEX. Undefined when there is no such key.
   *
   *     const page = await db.page({ hash }).get()
   */
  get(notes?: CallNotes): Promise<R | undefined> {
    return this.getValue(this["~decoded"], notes)
  }

  /** SET with the declared TTL, O(1). */
  set(value: W, notes?: WriteNotes): Promise<void> {
    return this.setValue(value, NO_FLAGS, nothing, notes)
  }

  /** SET NX, O(1): true when there was nothing yet. */
  setIfAbsent(value: W, notes?: WriteNotes & OnceNotes): Promise<boolean> {
    return this.setValue(value, ["NX"], (reply) => reply !== null, notes)
  }

  /** SET XX, O(1): true when there was something to replace. */
  setIfPresent(value: W, notes?: WriteNotes & OnceNotes): Promise<boolean> {
    return this.setValue(value, ["XX"], (reply) => reply !== null, notes)
  }

  /** SET GET, O(1): the value before. */
  getAndSet(value: W, notes?: WriteNotes & OnceNotes): Promise<R | undefined> {
    return this.setValue(value, ["GET"], this["~decoded"], giving(notes, this.codec.decodeBytes !== undefined))
  }

  /** GETDEL, O(1): the value, which is gone then. */
  take(notes?: OnceNotes): Promise<R | undefined> {
    return this.takeValue(this["~decoded"], notes)
  }

  /** STRLEN, O(1): bytes, 0 when there is no such key. */
  length(notes?: CallNotes): Promise<number> {
    return this.read(["STRLEN", this.key], asNumber, asking(notes))
  }

  override "~decoded"(reply: Reply): R | undefined {
    return reply === null ? undefined : this.decodePart<R>(this.codec, reply, "value")
  }
}

const NO_FLAGS: readonly string[] = Object.freeze([])
