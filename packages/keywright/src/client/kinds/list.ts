import type { Command, Reply } from "../../driver/driver.ts"
import { callWaits } from "../../errors/batch.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { checkWait, elementCount, position } from "./argument.ts"
import { asking, type CallNotes, giving, type ManyNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { decodeEach, encodeAll, isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import { movable, sameServer } from "./movable.ts"
import { asNumber, listOf, nothing, numberOrNone } from "../call/reply.ts"

export type ListEnd = "left" | "right"
/** How long a call waits for an item to arrive. */
export interface WaitNotes extends CallNotes {
  readonly waitMs: number
}

/** A list. With `keep`, each push trims in the same step, so that only the newest ones stay. */
export class ListHandle<R, W> extends Handle {
  /**
   * LPUSH, O(items): the length after. The last one given is the leftmost.
   *
   *     await db.log({ date }).pushLeft({ ip, controller, action })
   */
  pushLeft(...items: W[]): Promise<number> {
    return this.push("left", items)
  }

  /** RPUSH, O(items): the length after. */
  pushRight(...items: W[]): Promise<number> {
    return this.push("right", items)
  }

  /** LPUSH of many, O(items): the length after. */
  pushLeftMany(items: readonly W[], notes?: WriteNotes & OnceNotes): Promise<number> {
    return this.push("left", items, notes)
  }

  /** RPUSH of many, O(items): the length after. */
  pushRightMany(items: readonly W[], notes?: WriteNotes & OnceNotes): Promise<number> {
    return this.push("right", items, notes)
  }

  /** LPOP, O(1): undefined when the list is empty. */
  popLeft(notes?: OnceNotes): Promise<R | undefined> {
    return this.pop("left", notes)
  }

  /** RPOP, O(1): undefined when the list is empty. */
  popRight(notes?: OnceNotes): Promise<R | undefined> {
    return this.pop("right", notes)
  }

  /** LPOP of many, O(count): from left to right. */
  popLeftMany(count: number, notes?: OnceNotes): Promise<R[]> {
    return this.popMany("left", count, notes)
  }

  /** RPOP of many, O(count): from right to left. */
  popRightMany(count: number, notes?: OnceNotes): Promise<R[]> {
    return this.popMany("right", count, notes)
  }

  /**
   * BLPOP, O(1), on a separate connection: the leftmost item, or undefined when none came
   * in `waitMs`. When the wait is aborted, nothing is taken any more. If that is reported
   * as OutcomeUnknown, because the server did not end the wait in time, an item may have
   * been taken before.
   *
   *     const job = await db.jobs().takeLeft({ waitMs: 5000, signal })
   */
  takeLeft(notes: WaitNotes): Promise<R | undefined> {
    return this.take("left", notes)
  }

  /** BRPOP, O(1), on a separate connection: as takeLeft. */
  takeRight(notes: WaitNotes): Promise<R | undefined> {
    return this.take("right", notes)
  }

  /** LRANGE, O(distance from the nearer end + items): both ends included, negative numbers count from the right. */
  range(from: number, to: number, notes?: ManyNotes): Promise<R[]> {
    return this.read(
      () => ["LRANGE", this.key, position(from), position(to)],
      (reply) => this.decodeAll(reply, notes),
      asking(notes, this.bytes),
    )
  }

  /** LINDEX, O(distance from the nearer end): undefined beyond the ends. */
  at(index: number, notes?: CallNotes): Promise<R | undefined> {
    return this.read(() => ["LINDEX", this.key, position(index)], this.decoded, asking(notes, this.bytes))
  }

  /** LSET, O(distance from the nearer end). Refused beyond the ends. */
  setAt(index: number, item: W, notes?: WriteNotes): Promise<void> {
    return this.write(() => ["LSET", this.key, position(index), this.item.encode(item)], nothing, notes)
  }

  /** LREM, O(length): how many were removed. `count` above 0 counts from the left, below 0 from the right, 0 is all. */
  remove(item: W, count = 0, notes?: WriteNotes & OnceNotes): Promise<number> {
    return this.writeOnce(() => ["LREM", this.key, position(count), this.item.encode(item)], asNumber, notes)
  }

  /** LTRIM, O(items removed): only these stay, both ends included. */
  trim(from: number, to: number, notes?: WriteNotes): Promise<void> {
    return this.write(() => ["LTRIM", this.key, position(from), position(to)], nothing, notes)
  }

  /** LLEN, O(1). */
  length(notes?: CallNotes): Promise<number> {
    return this.read(["LLEN", this.key], asNumber, asking(notes))
  }

  /** LPOS, O(length): the first place of an item from the left, or undefined. */
  position(item: W, notes?: CallNotes): Promise<number | undefined> {
    return this.read(() => ["LPOS", this.key, this.item.encode(item)], numberOrNone, asking(notes))
  }

  /** DEL and RPUSH in one step, O(items): these items, and nothing else. */
  replace(items: readonly W[], notes?: WriteNotes): Promise<void> {
    return this.write(["DEL", this.key], nothing, notes, () =>
      isNone(items) ? [] : [["RPUSH", this.key, ...encodeAll(this.item, items)], ...this.trimming("right")],
    )
  }

  /**
   * LMOVE, O(1): takes an item from one end of this list and puts it at one end of
   * another; undefined when this one is empty.
   *
   *     const job = await db.waiting().move(db.running(), { from: "left", to: "right" })
   */
  move(other: ListHandle<R, W>, ends: { from: ListEnd; to: ListEnd }, notes?: CallNotes): Promise<R | undefined> {
    return this.together(
      () => {
        const { from, to } = ends
        const command = ["LMOVE", this.key, other.key, from.toUpperCase(), to.toUpperCase()]
        sameServer("move", this.lane, other.lane)
        movable("move", this.ready, other.ready)
        return [command, ...other.trimming(to), ...other.deadlines(), ...this.deadlines()]
      },
      this.decoded,
      giving(notes, this.bytes),
    )
  }

  private push(side: ListEnd, items: readonly W[], notes?: WriteNotes & OnceNotes): Promise<number> {
    if (isNone(items)) return this.length(notes)
    const { keep } = this.ready.declared
    return this.writeOnce(
      () => [side === "left" ? "LPUSH" : "RPUSH", this.key, ...encodeAll(this.item, items)],
      keep === undefined ? asNumber : (reply) => Math.min(Number(reply), keep),
      notes,
      keep === undefined ? undefined : this.trimming(side),
    )
  }

  private pop(side: ListEnd, notes?: OnceNotes): Promise<R | undefined> {
    return this.writeOnce([side === "left" ? "LPOP" : "RPOP", this.key], this.decoded, giving(notes, this.bytes))
  }

  private popMany(side: ListEnd, count: number, notes?: OnceNotes): Promise<R[]> {
    return this.writeOnce(
      () => [side === "left" ? "LPOP" : "RPOP", this.key, elementCount(count)],
      this.decodeAll,
      giving(notes, this.bytes),
    )
  }

  private async take(side: ListEnd, given: WaitNotes): Promise<R | undefined> {
    try {
      const { waitMs, ...notes } = given
      const { ownConnections } = this.lane
      if (ownConnections === undefined) throw callWaits(side === "left" ? "takeLeft" : "takeRight")
      checkWait(waitMs)
      const command = [side === "left" ? "BLPOP" : "BRPOP", this.key, String(waitMs / 1000)]
      const options = giving(notes, this.bytes)
      const reply = await ownConnections.send([command, ...this.deadlines()], waitMs, options)
      return reply === null ? undefined : this.decoded(listOf(reply)[1]!)
    } catch (error) {
      throw this["~explained"](error)
    }
  }

  private get item(): AnyCodec {
    return this.ready.declared.shape["item"] as AnyCodec
  }

  private get bytes(): boolean {
    return this.item.decodeBytes !== undefined
  }

  /** The command that trims the list after a push to one side. */
  private trimming(side: ListEnd): Command[] {
    const { keep } = this.ready.declared
    if (keep === undefined) return []
    return [side === "left" ? ["LTRIM", this.key, "0", String(keep - 1)] : ["LTRIM", this.key, String(-keep), "-1"]]
  }

  private decoded(reply: Reply): R | undefined {
    return reply === null ? undefined : this.decodePart<R>(this.item, reply, "an item")
  }

  private decodeAll(reply: Reply, notes?: ManyNotes): R[] {
    return decodeEach(listOf(reply), 1, (raw, _, i) => this.decodePart<R>(this.item, raw, "item", String(i)), notes)
  }
}
