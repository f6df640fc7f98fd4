import type { Reply, Wire } from "../../driver/driver.ts"
import type { Duration } from "../../schema/duration.ts"
import { cached, type CacheOptions, type CachedKey, type FoundValue, type Loader } from "../cache/cache.ts"
import { drop, whileHeld } from "../cache/fill.ts"
import { asking, giving, type CallNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { observed } from "../observe/observe.ts"
import { asNumber, nothing } from "../call/reply.ts"
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

  /** GETDEL, O(1): returns the value and deletes the key. */
  take(notes?: OnceNotes): Promise<R | undefined> {
    return this.takeValue(this["~decoded"], notes)
  }

  /** STRLEN, O(1): bytes, 0 when there is no such key. */
  length(notes?: CallNotes): Promise<number> {
    return this.read(["STRLEN", this.key], asNumber, asking(notes))
  }

  /**
   * GET and, on a miss, a script that takes a lease and one that stores, O(1): the stored value, or otherwise what the
   * loader returns, which is stored with the declared TTL. Loaded once in this process and once among all processes. If
   * the loader returns undefined or fails, nothing is stored. Its result is not stored if the key was invalidated since
   * the load began, and is not returned to callers that came after that.
   *
   *     const html = await db.page({ hash }).cached(() => render(url), { staleFor: "1m" })
   */
  cached(load: Loader<W>, options?: CacheOptions): Promise<R>
  cached(load: Loader<W | undefined>, options?: CacheOptions): Promise<R | undefined>
  cached(load: Loader<W | undefined>, options?: CacheOptions): Promise<R | undefined> {
    return cached<R, W>(this.cell, load, options)
  }

  /** UNLINK, O(1): true when there was something. What is being loaded now will not be stored. */
  invalidate(): Promise<boolean> {
    return drop(this.cell.place)
  }

  /** A script before and one after, O(1): changes the source. The value is gone before and after, and not stored by anybody meanwhile; for `hold` at most. Default: 30 s. */
  invalidateWhile<T>(change: () => Promise<T> | T, hold?: Duration): Promise<T> {
    return whileHeld(this.cell.place, change, hold)
  }

  private get cell(): CachedKey<R, W> {
    const { lane, ready, key, codec } = this
    const keys = [key]
    return {
      ready,
      place: { lane, key, keys, loaded: keys, flights: ready.flights },
      look: (withTtl, notes) => this.look(withTtl, notes),
      encode: (value) => codec.encode(value),
      decode: (raw) => this["~decoded"](raw)!,
    }
  }

  /** For the primary: a replica that is behind still has what was invalidated. */
  private async look(withTtl: boolean, given?: CallNotes): Promise<FoundValue<R>> {
    const notes: CallNotes = { ...given, read: "primary" }
    const found = (reply: Reply, leftMs: Reply): FoundValue<R> => ({
      value: this["~decoded"](reply),
      raw: reply === null ? undefined : (reply as Wire),
      leftMs: Number(leftMs),
    })
    if (!withTtl) return this.getValue((reply) => found(reply, -1), notes)
    const commands = [
      ["GET", this.key],
      ["PTTL", this.key],
    ]
    const done = observed(this.ready.declared.pattern, commands[0]!)
    try {
      const [reply, left] = await this.lane.atomic(commands, asking(notes, this.codec.decodeBytes !== undefined))
      done?.()
      return found(reply!, left!)
    } catch (error) {
      done?.(error)
      throw this["~explained"](error)
    }
  }

  override "~decoded"(reply: Reply): R | undefined {
    return reply === null ? undefined : this.decodePart<R>(this.codec, reply, "value")
  }
}

const NO_FLAGS: readonly string[] = Object.freeze([])
