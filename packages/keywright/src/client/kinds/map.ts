import type { Reply, Wire } from "../../driver/driver.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { countedBy, stepOf } from "./counting.ts"
import { asking, type CallNotes, type ManyNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { decodeEach, decodeOr, encodeAll, isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import { asNumber, isOne, listOf, nothing, textOf } from "../call/reply.ts"
import type { ScanNotes } from "./scan-elements.ts"

/** A hash whose fields are data: a dictionary. */
export class MapHandle<RF, WF, RV, WV> extends Handle {
  /** HGET, O(1): undefined when there is no such field. */
  get(field: WF, notes?: CallNotes): Promise<RV | undefined> {
    return this.read(
      () => ["HGET", this.key, this.field.encode(field)],
      (reply) => (reply === null ? undefined : this.decodeValue(reply, field)),
      asking(notes, this.bytes),
    )
  }

  /**
   * HMGET, O(fields asked for): their values in the same order, undefined where there is none, or where a value
   * that does not decode was reported through `notes`.
   */
  getMany(fields: readonly WF[], notes?: ManyNotes): Promise<(RV | undefined)[]> {
    if (isNone(fields)) return Promise.resolve([])
    return this.read(
      () => ["HMGET", this.key, ...encodeAll(this.field, fields)],
      (reply) =>
        listOf(reply).map((raw, i) =>
          raw === null ? undefined : decodeOr(undefined, () => this.decodeValue(raw, fields[i]!), notes),
        ),
      asking(notes, this.bytes),
    )
  }

  /**
   * HSET, O(1): true when the field is new.
   *
   *     await db.cart({ token }).set("item:7", 2)
   */
  set(field: WF, value: WV, notes?: WriteNotes): Promise<boolean> {
    return this.write(() => ["HSET", this.key, this.field.encode(field), this.value.encode(value)], isOne, notes)
  }

  /** HSET of many, O(fields given): how many of them are new. */
  setMany(entries: Iterable<readonly [WF, WV]>, notes?: WriteNotes): Promise<number> {
    return this.listing(entries, (given) =>
      given.length === 0
        ? Promise.resolve(0)
        : this.write(() => ["HSET", this.key, ...this.encodeEntries(given)], asNumber, notes),
    )
  }

  /** DEL and HSET in one step, O(fields): these entries, and nothing else. */
  replace(entries: Iterable<readonly [WF, WV]>, notes?: WriteNotes): Promise<void> {
    return this.listing(entries, (given) =>
      this.write(["DEL", this.key], nothing, notes, () =>
        given.length === 0 ? [] : [["HSET", this.key, ...this.encodeEntries(given)]],
      ),
    )
  }

  /** HSETNX, O(1): true when the field was not there yet. */
  setIfAbsent(field: WF, value: WV, notes?: WriteNotes & OnceNotes): Promise<boolean> {
    return this.writeOnce(() => ["HSETNX", this.key, this.field.encode(field), this.value.encode(value)], isOne, notes)
  }

  /** HDEL, O(fields given): how many were there. */
  remove(...fields: WF[]): Promise<number> {
    return this.removeMany(fields)
  }

  /** HDEL of many, O(fields given): how many were there. */
  removeMany(fields: readonly WF[], notes?: WriteNotes & OnceNotes): Promise<number> {
    if (isNone(fields)) return Promise.resolve(0)
    return this.writeOnce(() => ["HDEL", this.key, ...encodeAll(this.field, fields)], asNumber, notes)
  }

  /** HEXISTS, O(1). */
  has(field: WF, notes?: CallNotes): Promise<boolean> {
    return this.read(() => ["HEXISTS", this.key, this.field.encode(field)], isOne, asking(notes))
  }

  /** HINCRBY, or HINCRBYFLOAT for values of floats, O(1): the value after. */
  increment(field: WF, by: number | bigint = 1, notes?: WriteNotes & OnceNotes): Promise<RV> {
    return this.writeOnce(
      () => {
        const { whole, text } = stepOf(this.value, by)
        return [whole ? "HINCRBY" : "HINCRBYFLOAT", this.key, this.field.encode(field), text]
      },
      (reply) => this.decodeValue(reply === null ? "0" : reply, field, countedBy(this.value)),
      notes,
    )
  }

  /** HKEYS, O(fields). */
  fields(notes?: ManyNotes): Promise<RF[]> {
    return this.read(
      ["HKEYS", this.key],
      (reply) => decodeEach(listOf(reply), 1, (raw) => this["~name"](raw), notes),
      asking(notes),
    )
  }

  /** HVALS, O(fields). */
  values(notes?: CallNotes): Promise<RV[]> {
    return this.read(
      ["HVALS", this.key],
      (reply) => listOf(reply).map((raw) => this.decodePart<RV>(this.value, raw, "a value")),
      asking(notes, this.bytes),
    )
  }

  /** HGETALL, O(fields): the whole, for maps that are small; otherwise entries(). */
  all(notes?: ManyNotes): Promise<Map<RF, RV>> {
    return this.read(
      ["HGETALL", this.key],
      (reply) => new Map(this.decodePairs(listOf(reply), notes)),
      asking(notes, this.bytes),
    )
  }

  /**
   * HSCAN, O(1) for each page: the entries, each once; those that come and go
   * meanwhile may or may not be there.
   *
   *     for await (const [token, user] of db.login().entries()) …
   */
  entries(notes?: ScanNotes): AsyncIterable<[RF, RV]> {
    return this.scanned("HSCAN", this.bytes, ([field, value]) => this.decodeEntry(field!, value!), notes)
  }

  /** HLEN, O(1). */
  size(notes?: CallNotes): Promise<number> {
    return this.read(["HLEN", this.key], asNumber, asking(notes))
  }

  private get field(): AnyCodec {
    return this.ready.declared.shape["field"] as AnyCodec
  }

  private get value(): AnyCodec {
    return this.ready.declared.shape["value"] as AnyCodec
  }

  private get bytes(): boolean {
    return this.value.decodeBytes !== undefined
  }

  private encodeEntries(entries: readonly (readonly [WF, WV])[]): Wire[] {
    return entries.flatMap(([field, value]) => [this.field.encode(field), this.value.encode(value)])
  }

  private decodePairs(pairs: readonly Reply[], notes?: ManyNotes): [RF, RV][] {
    return decodeEach(pairs, 2, (field, value) => this.decodeEntry(field, value), notes)
  }

  private decodeEntry(field: Reply, value: Reply): [RF, RV] {
    const name = this["~name"](field)
    return [name, this.decodeValue(value, name)]
  }

  /** Also for drain-handles.ts. */
  "~name"(raw: Reply): RF {
    return this.decodePart(this.field, textOf(raw), "a field's name")
  }

  private decodeValue(raw: Reply, field: unknown, codec = this.value): RV {
    return this.decodePart(codec, raw, "field", this.field.secret ? "…" : String(field))
  }
}
