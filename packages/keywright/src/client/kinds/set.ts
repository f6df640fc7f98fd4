import type { Reply } from "../../driver/driver.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { amount, elementCount } from "./argument.ts"
import {
  asking,
  changing,
  type CallNotes,
  giving,
  type ManyNotes,
  type OnceNotes,
  type WriteNotes,
} from "../call/notes.ts"
import { decodeEach, encodeAll, isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import type { Lane } from "../call/lane.ts"
import { movable, sameServer } from "./movable.ts"
import { asNumber, isOne, listOf, nothing } from "../call/reply.ts"
import type { ScanNotes } from "./scan-elements.ts"

/** A set that another is combined with: any handle with the same type of members, also inside a transaction. */
export interface SetOf<R> {
  readonly key: string
  readonly "~lane": Lane
  members(notes?: ManyNotes): Promise<R[]>
}

/** A set of members. */
export class SetHandle<R, W> extends Handle {
  /**
   * SADD, O(members): how many are new.
   *
   *     await db.likedPosts({ user: 7 }).add(12, 15)
   */
  add(...members: W[]): Promise<number> {
    return this.addMany(members)
  }

  /** SADD of many, O(members): how many are new. */
  addMany(members: readonly W[], notes?: WriteNotes & OnceNotes): Promise<number> {
    if (isNone(members)) return Promise.resolve(0)
    return this.writeOnce(() => ["SADD", this.key, ...encodeAll(this.member, members)], asNumber, notes)
  }

  /** SREM, O(members): how many were there. */
  remove(...members: W[]): Promise<number> {
    return this.removeMany(members)
  }

  /** SREM of many, O(members): how many were there. */
  removeMany(members: readonly W[], notes?: WriteNotes & OnceNotes): Promise<number> {
    if (isNone(members)) return Promise.resolve(0)
    return this.writeOnce(() => ["SREM", this.key, ...encodeAll(this.member, members)], asNumber, notes)
  }

  /** DEL and SADD in one step, O(members): these members, and nothing else. */
  replace(members: readonly W[], notes?: WriteNotes): Promise<void> {
    return this.write(["DEL", this.key], nothing, notes, () =>
      isNone(members) ? [] : [["SADD", this.key, ...encodeAll(this.member, members)]],
    )
  }

  /** SISMEMBER, O(1). */
  has(member: W, notes?: CallNotes): Promise<boolean> {
    return this.read(() => ["SISMEMBER", this.key, this.member.encode(member)], isOne, asking(notes))
  }

  /** SMISMEMBER, O(members): for each of them, in the same order. */
  hasMany(members: readonly W[], notes?: CallNotes): Promise<boolean[]> {
    if (isNone(members)) return Promise.resolve([])
    return this.read(
      () => ["SMISMEMBER", this.key, ...encodeAll(this.member, members)],
      (reply) => listOf(reply).map(isOne),
      asking(notes),
    )
  }

  /** SMEMBERS, O(members): all, for sets that are small; otherwise scan(). In no order. */
  members(notes?: ManyNotes): Promise<R[]> {
    return this.read(["SMEMBERS", this.key], (reply) => this.decodeAll(reply, notes), asking(notes, this.bytes))
  }

  /** SSCAN, O(1) for each page: the members, each once; those that come and go meanwhile may or may not be there. */
  scan(notes?: ScanNotes): AsyncIterable<R> {
    return this.scanned("SSCAN", this.bytes, ([raw]) => this.decodeMember(raw!), notes)
  }

  /** SCARD, O(1). */
  size(notes?: CallNotes): Promise<number> {
    return this.read(["SCARD", this.key], asNumber, asking(notes))
  }

  /** SRANDMEMBER, O(1): any member, or undefined when the set is empty. */
  random(notes?: CallNotes): Promise<R | undefined> {
    return this.read(["SRANDMEMBER", this.key], this.decoded, asking(notes, this.bytes))
  }

  /** SRANDMEMBER of many, O(count): different ones, at most all. */
  randomMany(count: number, notes?: CallNotes): Promise<R[]> {
    return this.read(() => ["SRANDMEMBER", this.key, amount(count)], this.decodeAll, asking(notes, this.bytes))
  }

  /** SPOP, O(1): removes and returns any member; undefined when the set is empty. */
  pop(notes?: OnceNotes): Promise<R | undefined> {
    return this.writeOnce(["SPOP", this.key], this.decoded, giving(notes, this.bytes))
  }

  /** SPOP of many, O(count). */
  popMany(count: number, notes?: OnceNotes): Promise<R[]> {
    return this.writeOnce(() => ["SPOP", this.key, elementCount(count)], this.decodeAll, giving(notes, this.bytes))
  }

  /** SMOVE, O(1): from this set to another; false when it is not a member of this one. */
  move(member: W, other: SetHandle<R, W>, notes?: CallNotes): Promise<boolean> {
    return this.together(
      () => {
        sameServer("move", this.lane, other.lane)
        movable("move", this.ready, other.ready)
        return [["SMOVE", this.key, other.key, this.member.encode(member)], ...other.deadlines(), ...this.deadlines()]
      },
      isOne,
      changing(notes),
    )
  }

  /** SUNION, O(members of all): in this set or in one of the others. */
  union(...others: SetOf<R>[]): Promise<R[]> {
    return this.combined("SUNION", others)
  }

  /**
   * SINTER, O(members of the smallest × sets): in all of them.
   *
   *     const both = await db.subscribers({ channel: 1 }).intersect(db.online())
   */
  intersect(...others: SetOf<R>[]): Promise<R[]> {
    return this.combined("SINTER", others)
  }

  /** SDIFF, O(members of all): in this set and in none of the others. */
  difference(...others: SetOf<R>[]): Promise<R[]> {
    return this.combined("SDIFF", others)
  }

  private combined(name: string, others: readonly SetOf<R>[]): Promise<R[]> {
    return this.read(
      () => {
        sameServer(name, this.lane, ...others.map((other) => other["~lane"]))
        return [name, this.key, ...others.map((other) => other.key)]
      },
      this.decodeAll,
      asking(undefined, this.bytes),
    )
  }

  private get member(): AnyCodec {
    return this.ready.declared.shape["member"] as AnyCodec
  }

  private get bytes(): boolean {
    return this.member.decodeBytes !== undefined
  }

  private decoded(reply: Reply): R | undefined {
    return reply === null ? undefined : this.decodeMember(reply)
  }

  private decodeAll(reply: Reply, notes?: ManyNotes): R[] {
    return decodeEach(listOf(reply), 1, (raw) => this.decodeMember(raw), notes)
  }

  private decodeMember(raw: Reply): R {
    return this.decodePart(this.member, raw, "a member")
  }
}
