import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { argumentRefused, scoreRounded } from "../../errors/client.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { amount, elementCount, position } from "./argument.ts"
import { countedBy, stepOf } from "./counting.ts"
import { asking, type CallNotes, giving, type ManyNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { decodeEach, encodeAll, isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import { asNumber, isOne, listOf, nothing, numberOrNone, textOf } from "../call/reply.ts"
import type { ScanNotes } from "./scan-elements.ts"

/** A score as the end of a range: included, or not (`{ above }`, `{ below }`), or no end at all. */
export type ScoreBound<W> = W | "-inf" | "+inf" | { readonly above: W } | { readonly below: W }
/** A member as the end of a range in the order of bytes. */
export type LexBound<W> =
  | { readonly from: W }
  | { readonly above: W }
  | { readonly to: W }
  | { readonly below: W }
  | "-"
  | "+"

export interface RangeNotes extends ManyNotes {
  /** From the highest score down; the ends are still given as lowest and highest. */
  readonly reverse?: boolean
}
export interface BetweenNotes extends RangeNotes {
  readonly offset?: number
  readonly limit?: number
}
/** The condition under which a score is written. */
export type AddNotes = WriteNotes & {
  /** NX new members only, XX members that are there, GT a higher score, LT a lower score. */
  readonly only?: "absent" | "present" | "higher" | "lower"
}

const FLAGS: ReadonlyMap<unknown, readonly string[]> = new Map([
  [undefined, []],
  ["absent", ["NX", "CH"]],
  ["present", ["XX", "CH"]],
  ["higher", ["GT", "CH"]],
  ["lower", ["LT", "CH"]],
])

function flagsOf(only: AddNotes["only"]): readonly string[] {
  const flags = FLAGS.get(only)
  if (flags === undefined) throw argumentRefused("only", "absent, present, higher or lower", only)
  return flags
}

/** A sorted set: members with scores. With `keep`, each write trims in the same step, so that the highest scores stay. */
export class ZsetHandle<R, W, RS, WS> extends Handle {
  /**
   * ZADD, O(log n): true when the member is new; with `only`, true when it was written.
   *
   *     await db.recent().add(token, new Date())
   *     await db.best().add(player, 120, { only: "higher" })
   */
  add(member: W, score: WS, notes?: AddNotes): Promise<boolean> {
    const only = notes?.only
    let command: Command
    try {
      const [text, raw] = [this.encodeScore(score), this.member.encode(member)]
      command = ["ZADD", this.key, ...flagsOf(only), text, raw]
    } catch (error) {
      return this.refused(error)
    }
    return this.write(command, isOne, notes, this.trimming)
  }

  /** ZADD of many, O(members × log n): how many are new; with `only`, how many were written. */
  addMany(entries: Iterable<readonly [member: W, score: WS]>, notes?: AddNotes): Promise<number> {
    return this.listing(entries, (given) => {
      if (given.length === 0) return Promise.resolve(0)
      const command = () => ["ZADD", this.key, ...flagsOf(notes?.only), ...this.encodeEntries(given)]
      return this.write(command, asNumber, notes, this.trimming)
    })
  }

  /** DEL and ZADD in one step, O(members × log n): these members, and nothing else. */
  replace(entries: Iterable<readonly [member: W, score: WS]>, notes?: WriteNotes): Promise<void> {
    return this.listing(entries, (given) =>
      this.write(["DEL", this.key], nothing, notes, () =>
        given.length === 0 ? [] : [["ZADD", this.key, ...this.encodeEntries(given)], ...(this.trimming ?? [])],
      ),
    )
  }

  /** ZSCORE, O(1): undefined when it is not a member. */
  score(member: W, notes?: CallNotes): Promise<RS | undefined> {
    return this.read(() => ["ZSCORE", this.key, this.member.encode(member)], this.decodeScore, asking(notes))
  }

  /** ZMSCORE, O(members): in the same order, undefined for those that are not members. */
  scores(members: readonly W[], notes?: CallNotes): Promise<(RS | undefined)[]> {
    if (isNone(members)) return Promise.resolve([])
    return this.read(
      () => ["ZMSCORE", this.key, ...encodeAll(this.member, members)],
      (reply) => listOf(reply).map((raw) => this.decodeScore(raw)),
      asking(notes),
    )
  }

  /** ZINCRBY, O(log n): the score after. A member that does not exist starts at 0. */
  increment(member: W, by: number | bigint = 1, notes?: WriteNotes & OnceNotes): Promise<RS> {
    return this.writeOnce(
      () => ["ZINCRBY", this.key, stepOf(this.scoreCodec, by).text, this.member.encode(member)],
      (reply) => this.decodePart<RS>(countedBy(this.scoreCodec), reply === null ? "0" : reply, "a score"),
      notes,
      this.trimming,
    )
  }

  /** ZRANK, O(log n): the place from the lowest score up, from 0 on; undefined when it is not a member. */
  rank(member: W, notes?: CallNotes): Promise<number | undefined> {
    return this.read(() => ["ZRANK", this.key, this.member.encode(member)], numberOrNone, asking(notes))
  }

  /** ZREVRANK, O(log n): the place from the highest score down. */
  reverseRank(member: W, notes?: CallNotes): Promise<number | undefined> {
    return this.read(() => ["ZREVRANK", this.key, this.member.encode(member)], numberOrNone, asking(notes))
  }

  /**
   * ZRANGE by rank, O(log n + members): both ends included, negative numbers count from the end.
   *
   *     const newest = await db.viewed({ token }).range(0, 9, { reverse: true })
   */
  range(from: number, to: number, notes?: RangeNotes): Promise<R[]> {
    return this.read(
      () => this.byRank(from, to, notes),
      (reply) => this.decodeMembers(reply, notes),
      asking(notes, this.bytes),
    )
  }

  /** ZRANGE WITHSCORES by rank, O(log n + members). */
  rangeWithScores(from: number, to: number, notes?: RangeNotes): Promise<[R, RS][]> {
    return this.read(
      () => [...this.byRank(from, to, notes), "WITHSCORES"],
      (reply) => this["~entries"](reply, notes),
      asking(notes, this.bytes),
    )
  }

  /**
   * ZRANGE BYSCORE, O(log n + members): members and scores between two scores.
   *
   *     const due = await db.schedule().between("-inf", new Date(), { limit: 100 })
   */
  between(min: ScoreBound<WS>, max: ScoreBound<WS>, notes?: BetweenNotes): Promise<[R, RS][]> {
    return this.read(
      () => [...this.bounded("BYSCORE", this.bound(min), this.bound(max), notes), "WITHSCORES"],
      (reply) => this["~entries"](reply, notes),
      asking(notes, this.bytes),
    )
  }

  /** ZRANGE BYLEX, O(log n + members): where all scores are the same, members in the order of bytes. */
  betweenLex(min: LexBound<W>, max: LexBound<W>, notes?: BetweenNotes): Promise<R[]> {
    return this.read(
      () => this.bounded("BYLEX", this.lexBound(min), this.lexBound(max), notes),
      (reply) => this.decodeMembers(reply, notes),
      asking(notes, this.bytes),
    )
  }

  /** ZCOUNT, O(log n). */
  countBetween(min: ScoreBound<WS>, max: ScoreBound<WS>, notes?: CallNotes): Promise<number> {
    return this.read(() => ["ZCOUNT", this.key, this.bound(min), this.bound(max)], asNumber, asking(notes))
  }

  /** ZREM, O(members × log n): how many were there. */
  remove(...members: W[]): Promise<number> {
    return this.removeMany(members)
  }

  /** ZREM of many, O(members × log n): how many were there. */
  removeMany(members: readonly W[], notes?: WriteNotes & OnceNotes): Promise<number> {
    if (isNone(members)) return Promise.resolve(0)
    return this.writeOnce(() => ["ZREM", this.key, ...encodeAll(this.member, members)], asNumber, notes)
  }

  /** ZREMRANGEBYSCORE, O(log n + removed): how many were removed. */
  removeBetween(min: ScoreBound<WS>, max: ScoreBound<WS>, notes?: WriteNotes & OnceNotes): Promise<number> {
    return this.writeOnce(() => ["ZREMRANGEBYSCORE", this.key, this.bound(min), this.bound(max)], asNumber, notes)
  }

  /** ZREMRANGEBYRANK, O(log n + removed): both ends included, from the lowest score up. */
  removeRange(from: number, to: number, notes?: WriteNotes & OnceNotes): Promise<number> {
    return this.writeOnce(() => ["ZREMRANGEBYRANK", this.key, position(from), position(to)], asNumber, notes)
  }

  /** ZPOPMIN, O(log n): removes and returns the member with the lowest score; undefined when there is none. */
  popMin(notes?: OnceNotes): Promise<[R, RS] | undefined> {
    return this.writeOnce(["ZPOPMIN", this.key], this.decodeFirst, giving(notes, this.bytes))
  }

  /** ZPOPMAX, O(log n): removes and returns the member with the highest score; undefined when there is none. */
  popMax(notes?: OnceNotes): Promise<[R, RS] | undefined> {
    return this.writeOnce(["ZPOPMAX", this.key], this.decodeFirst, giving(notes, this.bytes))
  }

  /** ZPOPMIN of many, O(count × log n): from the lowest score up. */
  popMinMany(count: number, notes?: OnceNotes): Promise<[R, RS][]> {
    return this.writeOnce(() => ["ZPOPMIN", this.key, elementCount(count)], this["~entries"], giving(notes, this.bytes))
  }

  /** ZPOPMAX of many, O(count × log n): from the highest score down. */
  popMaxMany(count: number, notes?: OnceNotes): Promise<[R, RS][]> {
    return this.writeOnce(() => ["ZPOPMAX", this.key, elementCount(count)], this["~entries"], giving(notes, this.bytes))
  }

  /** ZCARD, O(1). */
  size(notes?: CallNotes): Promise<number> {
    return this.read(["ZCARD", this.key], asNumber, asking(notes))
  }

  /** ZSCAN, O(1) for each page: members and scores, each once, in no order. */
  scan(notes?: ScanNotes): AsyncIterable<[R, RS]> {
    return this.scanned("ZSCAN", this.bytes, ([member, score]) => this.decodeEntry(member!, score!), notes)
  }

  /** For merged.ts: the first ones, as they were sent. */
  "~first"(count: number, notes?: RangeNotes): Promise<readonly Reply[]> {
    return this.read(() => [...this.byRank(0, count - 1, notes), "WITHSCORES"], listOf, asking(notes, this.bytes))
  }

  private get member(): AnyCodec {
    return this.ready.declared.shape["member"] as AnyCodec
  }

  private get scoreCodec(): AnyCodec {
    return this.ready.declared.shape["score"] as AnyCodec
  }

  private get bytes(): boolean {
    return this.member.decodeBytes !== undefined
  }

  /** The command that keeps only the highest scores. */
  private get trimming(): readonly Command[] | undefined {
    const { keep } = this.ready.declared
    return keep === undefined ? undefined : [["ZREMRANGEBYRANK", this.key, "0", String(-keep - 1)]]
  }

  private byRank(from: number, to: number, notes: RangeNotes | undefined): Command {
    const command = ["ZRANGE", this.key, position(from), position(to)]
    return notes?.reverse ? [...command, "REV"] : command
  }

  private bounded(by: string, min: Wire, max: Wire, notes: BetweenNotes = {}): Command {
    const { reverse, offset = 0, limit } = notes
    const ends = reverse ? [max, min, by, "REV"] : [min, max, by]
    const cut =
      limit === undefined && offset === 0 ? [] : ["LIMIT", amount(offset), limit === undefined ? "-1" : amount(limit)]
    return ["ZRANGE", this.key, ...ends, ...cut]
  }

  private bound(bound: ScoreBound<WS>): string {
    if (bound === "-inf" || bound === "+inf") return bound as string
    if (typeof bound === "object" && bound !== null) {
      if ("above" in bound) return `(${this.encodeScore(bound.above, true)}`
      if ("below" in bound) return `(${this.encodeScore(bound.below, true)}`
    }
    return this.encodeScore(bound as WS, true)
  }

  private lexBound(bound: LexBound<W>): Wire {
    if (typeof bound === "string") return bound
    const [mark, member] =
      "from" in bound
        ? (["[", bound.from] as const)
        : "to" in bound
          ? (["[", bound.to] as const)
          : (["(", "above" in bound ? bound.above : bound.below] as const)
    const encoded = this.member.encode(member)
    return typeof encoded === "string" ? mark + encoded : Buffer.concat([Buffer.from(mark), encoded])
  }

  /** The bound of a requested range need not be the score of any member. */
  private encodeScore(score: WS, isEnd = false): string {
    if (typeof score === "bigint" && BigInt.asIntN(54, score) !== score) throw scoreRounded(score)
    return (isEnd ? countedBy(this.scoreCodec) : this.scoreCodec).encode(score) as string
  }

  private encodeEntries(entries: readonly (readonly [W, WS])[]): Wire[] {
    return entries.flatMap(([member, score]) => [this.encodeScore(score), this.member.encode(member)])
  }

  private decodeScore(raw: Reply): RS | undefined {
    return raw === null ? undefined : this.decodePart<RS>(this.scoreCodec, textOf(raw), "a score")
  }

  private decodeMembers(reply: Reply, notes?: ManyNotes): R[] {
    return decodeEach(listOf(reply), 1, (raw) => this.decodePart<R>(this.member, raw, "a member"), notes)
  }

  private decodeEntry(member: Reply, score: Reply): [R, RS] {
    return [this.decodePart<R>(this.member, member, "a member"), this.decodeScore(score)!]
  }

  /** Also for merged.ts. */
  "~entries"(reply: Reply, notes?: ManyNotes): [R, RS][] {
    return decodeEach(listOf(reply), 2, (member, score) => this.decodeEntry(member, score), notes)
  }

  private decodeFirst(reply: Reply): [R, RS] | undefined {
    return this["~entries"](reply)[0]
  }
}
