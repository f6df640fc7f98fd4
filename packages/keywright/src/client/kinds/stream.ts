import type { CallOptions, Command, Reply, Wire } from "../../driver/driver.ts"
import { callWaits } from "../../errors/batch.ts"
import { argumentRefused } from "../../errors/client.ts"
import { isKeywrightError } from "../../errors/error.ts"
import { amount, checkWait } from "./argument.ts"
import { asking, giving, type CallNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import type { RecordFormat } from "../call/record-format.ts"
import { asNumber, listOf, textOf } from "../call/reply.ts"

export interface StreamEntry<R> {
  /** `"1526919030474-55"` */
  readonly id: string
  readonly value: R
}

export interface ReadNotes extends CallNotes {
  /** The maximum number of entries. */
  readonly count?: number
  /** How long to wait for an entry, on a separate connection. */
  readonly waitMs?: number
}

export interface Pending {
  readonly id: string
  readonly consumer: string
  readonly idleMs: number
  /** How often it was handed out. */
  readonly deliveries: number
}

/** A stream of entries with known fields. With `keep`, each append trims in the same step. */
export class StreamHandle<R, W> extends Handle {
  /**
   * XADD, O(1): the id that the entry got; "" when its family is not loaded. With an
   * operation id it is appended once.
   *
   *     const id = await db.orders().append({ order: "17", status: "PAID" })
   */
  append(value: W, notes?: WriteNotes & OnceNotes & { readonly id?: string }): Promise<string> {
    const { keep } = this.ready.declared
    const cap = keep === undefined ? [] : ["MAXLEN", "=", String(keep)]
    return this.writeOnce(
      () => ["XADD", this.key, ...cap, newId(notes?.id), ...this.encode(value)],
      (reply) => (reply === null ? "" : textOf(reply)),
      notes,
    )
  }

  /** XRANGE, or XREVRANGE, O(entries): both ends included, `(id` leaves one out. */
  range(
    from = "-",
    to = "+",
    notes?: CallNotes & { readonly count?: number; readonly reverse?: boolean },
  ): Promise<StreamEntry<R>[]> {
    return this.read(
      () => {
        const ends = notes?.reverse ? ["XREVRANGE", this.key, to, from] : ["XRANGE", this.key, from, to]
        return notes?.count === undefined ? ends : [...ends, "COUNT", amount(notes.count)]
      },
      this.decodeEntries,
      asking(notes, this.format.bytes),
    )
  }

  /**
   * XREAD, O(entries): what came after an id, oldest first.
   *
   *     for (const { id, value } of await db.orders().after(last, { waitMs: 5000 })) …
   */
  after(id: string, notes: ReadNotes = {}): Promise<StreamEntry<R>[]> {
    return this.reading("after", ["XREAD"], id, notes, asking(undefined, this.format.bytes))
  }

  /** XLEN, O(1). */
  length(notes?: CallNotes): Promise<number> {
    return this.read(["XLEN", this.key], asNumber, asking(notes))
  }

  /** XTRIM, O(entries removed): keeps only the newest n; returns how many were removed. */
  trim(keep: number, notes?: WriteNotes): Promise<number> {
    return this.write(() => ["XTRIM", this.key, "MAXLEN", "=", amount(keep)], asNumber, notes)
  }

  /** XDEL, O(ids): how many were there. */
  remove(...ids: string[]): Promise<number> {
    if (isNone(ids)) return Promise.resolve(0)
    return this.write(() => ["XDEL", this.key, ...ids.map(entryId)], asNumber)
  }

  /** XGROUP CREATE, O(1): a group that reads what comes after `from`; false when there is one of that name. Makes the stream. */
  async createGroup(group: string, notes?: { readonly from?: string }): Promise<boolean> {
    const command = ["XGROUP", "CREATE", this.key, group, notes?.from ?? "$"]
    try {
      if (this.ready.family) return await this.run(command, () => true)
      return await this.write([...command, "MKSTREAM"], () => true)
    } catch (error) {
      if (isKeywrightError(error) && error.code === "SERVER.BUSYGROUP") return false
      throw error
    }
  }

  /** XGROUP DESTROY, O(entries that are pending). */
  deleteGroup(group: string): Promise<boolean> {
    return this.run(["XGROUP", "DESTROY", this.key, group], (reply) => reply === 1)
  }

  /**
   * XREADGROUP, O(entries): entries that no other consumer of the group gets; they are
   * pending until they are acknowledged. With an id as `from`: the consumer's own pending
   * entries again.
   *
   *     const jobs = await db.orders().readGroup("mail", "worker-1", { count: 10, waitMs: 5000 })
   */
  readGroup(
    group: string,
    consumer: string,
    given?: ReadNotes & { readonly from?: string },
  ): Promise<StreamEntry<R>[]> {
    const { from = ">", ...notes } = given ?? {}
    const bytes = giving({}, this.format.bytes) ?? {}
    return this.reading("readGroup", ["XREADGROUP", "GROUP", group, consumer], from, notes, bytes)
  }

  /** XACK, O(ids): how many were pending. */
  ack(group: string, ...ids: string[]): Promise<number> {
    if (isNone(ids)) return Promise.resolve(0)
    return this.run(["XACK", this.key, group, ...ids], asNumber)
  }

  /** XPENDING, O(entries): which entries are handed out and not acknowledged, oldest first. */
  pending(
    group: string,
    notes?: CallNotes & { readonly count?: number; readonly consumer?: string; readonly idleMs?: number },
  ): Promise<Pending[]> {
    const { count = 100, consumer, idleMs } = notes ?? {}
    return this.read(
      () => [
        "XPENDING",
        this.key,
        group,
        ...(idleMs === undefined ? [] : ["IDLE", amount(idleMs)]),
        "-",
        "+",
        amount(count),
        ...(consumer === undefined ? [] : [consumer]),
      ],
      (reply) => listOf(reply).map((raw) => pendingOf(listOf(raw))),
      asking(notes),
    )
  }

  /** XCLAIM, O(ids): takes over entries that another consumer has had for longer than `idleMs`. */
  claim(
    group: string,
    consumer: string,
    ids: readonly string[],
    given: CallNotes & { readonly idleMs: number },
  ): Promise<StreamEntry<R>[]> {
    const { idleMs, ...notes } = { ...given }
    if (isNone(ids)) return Promise.resolve([])
    return this.run(
      () => ["XCLAIM", this.key, group, consumer, amount(idleMs), ...ids.map(entryId)],
      this.decodeEntries,
      giving(notes, this.format.bytes),
    )
  }

  /** XAUTOCLAIM, O(entries): as claim, for all pending entries; `next` is where to continue, "0-0" at the end. */
  autoClaim(
    group: string,
    consumer: string,
    notes: CallNotes & { readonly idleMs: number; readonly from?: string; readonly count?: number },
  ): Promise<{ next: string; entries: StreamEntry<R>[] }> {
    const { idleMs, from = "0-0", count = 100, ...rest } = { ...notes }
    return this.run(
      () => ["XAUTOCLAIM", this.key, group, consumer, amount(idleMs), from, "COUNT", amount(count)],
      (reply) => {
        const [next, entries] = listOf(reply)
        return { next: textOf(next!), entries: this.decodeEntries(entries!) }
      },
      giving(rest, this.format.bytes),
    )
  }

  private async reading(
    method: string,
    words: readonly string[],
    id: string,
    given: ReadNotes,
    options: CallOptions,
  ): Promise<StreamEntry<R>[]> {
    const { count, waitMs, ...notes } = { ...given }
    const all = { ...options, ...notes, safe: options.safe ?? false }
    const command = (): Command => [
      ...words,
      ...(count === undefined ? [] : ["COUNT", amount(count)]),
      ...(waitMs === undefined ? [] : ["BLOCK", String(Math.ceil(waitMs))]),
      "STREAMS",
      this.key,
      id,
    ]
    if (waitMs === undefined) return this.run(command, this.decodeStreams, all)
    try {
      if (this.lane.ownConnections === undefined) throw callWaits(method)
      checkWait(waitMs)
      return this.decodeStreams(await this.lane.ownConnections.send([command()], waitMs, all))
    } catch (error) {
      throw this["~explained"](error)
    }
  }

  private get format(): RecordFormat {
    return this.ready.fields!
  }

  private encode(value: W): Wire[] {
    const words = this.format.encodeWhole(value as Readonly<Record<string, unknown>>)
    if (words.length === 0) throw argumentRefused("an entry", "an object with at least one field", value)
    return words
  }

  /** `[[key, entries]]` */
  private decodeStreams(reply: Reply): StreamEntry<R>[] {
    return listOf(reply).flatMap((stream) => this.decodeEntries(listOf(stream)[1]!))
  }

  /** Entries that were deleted since they were handed out have no fields, and are left out. */
  private decodeEntries(reply: Reply): StreamEntry<R>[] {
    return listOf(reply).flatMap((raw) => {
      const [id, pairs] = listOf(raw)
      if (id === undefined || pairs === null) return []
      return [{ id: textOf(id), value: this.format.decode(listOf(pairs!), this) as R }]
    })
  }
}

/** The highest number in an id. */
const HIGHEST = 2n ** 64n - 1n
const fits = (number: string): boolean => BigInt(number) <= HIGHEST

/**
 * In the place of an id XADD takes options, such as NOMKSTREAM: what follows would be the id. After the highest id
 * nothing could be appended any more, so that none of its millisecond is taken.
 */
function newId(id: unknown = "*"): string {
  if (id === "*") return id
  const [, ms, sequence] = (typeof id === "string" && /^(\d{1,20})(?:-(\*|\d{1,20}))?$/.exec(id)) || []
  if (ms !== undefined && BigInt(ms) < HIGHEST && (sequence === undefined || sequence === "*" || fits(sequence)))
    return id as string
  throw argumentRefused("the id of a new entry", 'a string such as "1526919030474-0", "1526919030474-*" or "*"', id)
}

/** Behind ids XCLAIM takes options, such as LASTID, which moves the group past entries that it never had. */
function entryId(id: unknown): string {
  if (typeof id === "string" && /^\d{1,20}(-\d{1,20})?$/.test(id) && id.split("-").every(fits)) return id
  throw argumentRefused("an id of a stream", 'a string such as "1526919030474-0"', id)
}

const pendingOf = ([id, consumer, idle, deliveries]: readonly Reply[]): Pending => ({
  id: textOf(id!),
  consumer: textOf(consumer!),
  idleMs: Number(idle),
  deliveries: Number(deliveries),
})
