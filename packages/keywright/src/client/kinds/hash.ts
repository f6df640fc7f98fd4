import type { Reply } from "../../driver/driver.ts"
import { countedBy, stepOf } from "./counting.ts"
import type { Readable } from "./get-many.ts"
import { asking, type CallNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import type { RecordFormat } from "../call/record-format.ts"
import { asNumber, isOne, listOf, nothing, textOf } from "../call/reply.ts"

type Name<R> = keyof R & string

/** A hash whose fields are known: a record. Fields that the schema does not know are left alone. */
export class HashHandle<R, W> extends Handle implements Readable<R | undefined> {
  /**
   * HGETALL, O(fields), or HGET of one field, O(1). Undefined when there is no such
   * hash or field; an error when the hash lacks a required field.
   *
   *     const status = await db.status({ user }).get()
   *     const since = await db.status({ user }).get("last_activity_time")
   */
  get(notes?: CallNotes): Promise<R | undefined>
  get<N extends Name<R>>(field: N, notes?: CallNotes): Promise<R[N] | undefined>
  get(field?: string | CallNotes, notes?: CallNotes): Promise<unknown> {
    if (typeof field !== "string")
      return this.read(["HGETALL", this.key], this["~decoded"], asking(field, this.format.bytes))
    return this.read(
      () => (this.format.codec(field), ["HGET", this.key, field]),
      (reply) => (reply === null ? undefined : this["~field"](this.format.codec(field), reply, field)),
      asking(notes, this.format.bytes),
    )
  }

  /** HMGET, O(fields asked for): those that are there. */
  getMany<const N extends Name<R>>(fields: readonly N[], notes?: CallNotes): Promise<Partial<Pick<R, N>>> {
    if (isNone(fields)) return Promise.resolve({})
    return this.read(
      () => (fields.forEach((field) => this.format.codec(field)), ["HMGET", this.key, ...fields]),
      (reply) => {
        const found = listOf(reply).flatMap((raw, i) => (raw === null ? [] : [fields[i]!, raw]))
        return this.format.decode(found, this, true) as Partial<Pick<R, N>>
      },
      asking(notes, this.format.bytes),
    )
  }

  /**
   * HSET, O(fields given): changes these fields and leaves the others.
   *
   *     await db.status({ user }).set({ behavioral_status: "online" })
   */
  set(fields: Partial<W>, notes?: WriteNotes): Promise<void> {
    if (isObject(fields) && !Array.isArray(fields) && Object.values(fields).every((value) => value === undefined))
      return Promise.resolve()
    return this.write(() => ["HSET", this.key, ...this.format.encode(fields)], nothing, notes)
  }

  /** DEL and HSET in one step, O(fields): the whole record, and nothing else. */
  replace(record: W, notes?: WriteNotes): Promise<void> {
    return this.write(["DEL", this.key], nothing, notes, () => {
      const words = this.format.encodeWhole(record as Record<string, unknown>)
      return words.length === 0 ? [] : [["HSET", this.key, ...words]]
    })
  }

  /** HSETNX, O(1): true when the field was not there yet. */
  setIfAbsent<N extends Name<W>>(field: N, value: W[N], notes?: WriteNotes & OnceNotes): Promise<boolean> {
    return this.writeOnce(() => ["HSETNX", this.key, field, this.format.codec(field).encode(value)], isOne, notes)
  }

  /** HDEL, O(fields given): how many were there. */
  deleteField(...fields: Name<R>[]): Promise<number> {
    if (isNone(fields)) return Promise.resolve(0)
    return this.write(["HDEL", this.key, ...fields], asNumber)
  }

  /** HEXISTS, O(1). */
  has(field: Name<R>, notes?: CallNotes): Promise<boolean> {
    return this.read(["HEXISTS", this.key, field], isOne, asking(notes))
  }

  /** HINCRBY, or HINCRBYFLOAT for a field of floats, O(1): the value after. */
  increment<N extends Name<R>>(
    field: N,
    by: number | bigint = 1,
    notes?: WriteNotes & OnceNotes,
  ): Promise<Exclude<R[N], undefined>> {
    return this.writeOnce(
      () => {
        const { whole, text } = stepOf(this.format.codec(field), by)
        return [whole ? "HINCRBY" : "HINCRBYFLOAT", this.key, field, text]
      },
      (reply) =>
        this["~field"](countedBy(this.format.codec(field)), reply === null ? "0" : reply, field) as Exclude<
          R[N],
          undefined
        >,
      notes,
    )
  }

  /** HKEYS, O(fields): the names of all fields there, known or not. */
  fields(notes?: CallNotes): Promise<string[]> {
    return this.read(["HKEYS", this.key], (reply) => listOf(reply).map(textOf), asking(notes))
  }

  /** HLEN, O(1): how many fields there are. */
  length(notes?: CallNotes): Promise<number> {
    return this.read(["HLEN", this.key], asNumber, asking(notes))
  }

  get "~bytes"(): boolean {
    return this.format.bytes
  }

  get "~command"(): string {
    return "HGETALL"
  }

  "~decoded"(reply: Reply): R | undefined {
    const pairs = listOf(reply)
    return pairs.length === 0 ? undefined : (this.format.decode(pairs, this) as R)
  }

  private get format(): RecordFormat {
    return this.ready.fields!
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
