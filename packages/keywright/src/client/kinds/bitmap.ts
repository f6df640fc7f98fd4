import { argumentRefused } from "../../errors/client.ts"
import { wholeNumber } from "./argument.ts"
import { asking, type CallNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import { asNumber, isOne, listOfAll } from "../call/reply.ts"

/** A part of the bits: both ends included, negative numbers count from the end. */
export interface BitRange {
  readonly from: number
  readonly to: number
  /** What `from` and `to` count; BIT needs Redis 7. */
  readonly unit?: "byte" | "bit"
}

const MOST = 2 ** 32 - 1

/** A string of bits. A bit that was never set is 0. */
export class BitmapHandle extends Handle {
  /** GETBIT, O(1). */
  get(offset: number, notes?: CallNotes): Promise<boolean> {
    return this.read(() => ["GETBIT", this.key, bitAt(offset)], isOne, asking(notes))
  }

  /** BITFIELD_RO, O(offsets): for each of them, in the same order. */
  getMany(offsets: readonly number[], notes?: CallNotes): Promise<boolean[]> {
    if (isNone(offsets)) return Promise.resolve([])
    return this.read(
      () => ["BITFIELD_RO", this.key, ...offsets.flatMap((offset) => ["GET", "u1", bitAt(offset)])],
      (reply) => listOfAll(offsets, reply).map(isOne),
      asking(notes),
    )
  }

  /**
   * SETBIT, O(1): what the bit was before.
   *
   *     const wasActive = await db.active({ day }).set(userId, true)
   */
  set(offset: number, bit: boolean, notes?: WriteNotes & OnceNotes): Promise<boolean> {
    return this.writeOnce(() => ["SETBIT", this.key, bitAt(offset), bit ? "1" : "0"], isOne, notes)
  }

  /** BITFIELD, O(offsets): sets them all to one value; what they were before, in the same order. */
  setMany(offsets: readonly number[], bit: boolean, notes?: WriteNotes & OnceNotes): Promise<boolean[]> {
    if (isNone(offsets)) return Promise.resolve([])
    return this.writeOnce(
      () => ["BITFIELD", this.key, ...offsets.flatMap((offset) => ["SET", "u1", bitAt(offset), bit ? "1" : "0"])],
      (reply) => listOfAll(offsets, reply).map(isOne),
      notes,
    )
  }

  /** BITCOUNT, O(bytes): how many bits are 1. */
  count(range?: BitRange, notes?: CallNotes): Promise<number> {
    return this.read(() => ["BITCOUNT", this.key, ...(range ? rangeArguments(range) : [])], asNumber, asking(notes))
  }

  /** BITPOS, O(bytes): the position of the first bit with this value, or undefined. */
  position(bit: boolean, range?: BitRange, notes?: CallNotes): Promise<number | undefined> {
    return this.read(
      () => ["BITPOS", this.key, bit ? "1" : "0", ...(range ? rangeArguments(range) : [])],
      (reply) => (reply === -1 ? undefined : Number(reply)),
      asking(notes),
    )
  }
}

function bitAt(offset: number): string {
  if (!Number.isInteger(offset) || offset < 0 || offset > MOST)
    throw argumentRefused("an offset", `a whole number from 0 to ${MOST}`, offset)
  return String(offset)
}

const rangeArguments = ({ from, to, unit }: BitRange): string[] =>
  unit === "bit" ? [wholeNumber(from), wholeNumber(to), "BIT"] : [wholeNumber(from), wholeNumber(to)]
