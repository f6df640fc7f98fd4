import type { Reply } from "../../driver/driver.ts"
import type { CallNotes, OnceNotes, WriteNotes } from "../call/notes.ts"
import { countedBy, stepOf } from "./counting.ts"
import { nothing } from "../call/reply.ts"
import { ValueHandle } from "./value.ts"

/** A number that goes up and down. A key that is not there counts as 0, as it does in Redis. */
export class CounterHandle<R, W> extends ValueHandle<R> {
  /** GET, O(1); where the TTL slides, GETEX. */
  get(notes?: CallNotes): Promise<R> {
    return this.getValue(this["~decoded"], notes)
  }

  /**
   * INCRBY, or INCRBYFLOAT for a counter of floats, O(1): the value after. With an operation id it counts
   * once, however often it is sent. The server does not know the bounds: an increment beyond them is carried
   * out and its result returned, and audit finds it; where that must not happen, declare a `step`.
   *
   *     const today = await db.perDay({ userId: 7, day }).increment()
   */
  increment(by: number | bigint = 1, notes?: OnceNotes & WriteNotes): Promise<R> {
    return this.writeOnce(
      () => {
        const { whole, text } = stepOf(this.codec, by)
        return [whole ? "INCRBY" : "INCRBYFLOAT", this.key, text]
      },
      (reply) => this.decodePart<R>(countedBy(this.codec), reply === null ? "0" : reply, "value"),
      notes,
    )
  }

  /** INCRBY by the negative number, O(1): the value after. */
  decrement(by: number | bigint = 1, notes?: OnceNotes & WriteNotes): Promise<R> {
    return this.increment(typeof by === "number" || typeof by === "bigint" ? -by : by, notes)
  }

  /** SET with the declared TTL, O(1). */
  set(value: W, notes?: WriteNotes): Promise<void> {
    return this.setValue(value, [], nothing, notes)
  }

  /** GETDEL, O(1): back to 0; the value before. */
  reset(notes?: OnceNotes): Promise<R> {
    return this.takeValue(this["~decoded"], notes)
  }

  override "~decoded"(reply: Reply): R {
    return reply === null
      ? this.decodePart<R>(countedBy(this.codec), "0", "value")
      : this.decodePart<R>(this.codec, reply, "value")
  }
}
