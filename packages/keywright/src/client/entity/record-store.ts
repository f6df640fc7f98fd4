/* How a record is kept: as a JSON string or as a hash. The rest of the entity code
 * sees a `Loaded`: the bytes that were there (what a save compares with), the
 * document as it is stored, and the record as it is read.
 *
 * A record that is handed out belongs to its reader, who may change it. So its
 * document is not used any more from then on: it is made again from the bytes. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { fieldMissing, undecodable } from "../../errors/client.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { AnyCodec, Codec, CodecFields } from "../../schema/codec/codec.ts"
import { parseJson } from "../../schema/codec/json.ts"
import type { EntityStore } from "../../schema/entity.ts"
import type { OnFailure, Plan } from "../plan.ts"

export type Document = Readonly<Record<string, unknown>>

/** Made when it is asked for: many saves need only the bytes. */
export interface Loaded {
  readonly id: string
  readonly raw: Reply
  readonly document: Document
  readonly record: object
}

/** When the record ends: after so many milliseconds, or as it would have anyway. */
export type Ending = number | "kept" | undefined

export interface RecordStore {
  readonly type: "string" | "hash"
  /** The command that reads one. */
  read(key: string): Command
  /** What a read gave; undefined when there is no such record. `shown` is the key as it may be printed. */
  load(id: string, raw: Reply, shown: string): Loaded | undefined
  /** A document, checked by the schema, as it would be loaded. */
  accept(id: string, document: Document, before?: Loaded): Loaded
  /** An instant, as this field keeps it. */
  stamp(field: string, now: Date): unknown
  /** The record is as it was loaded, or absent. */
  expect(plan: Plan, key: string, loaded: Loaded | undefined, onFailure: OnFailure): void
  write(plan: Plan, key: string, now: Loaded, before: Loaded | undefined, ending: Ending): void
}

export const recordStore = (store: EntityStore<unknown, unknown>, pattern: string): RecordStore =>
  store.as === "json" ? jsonStore(store.value, pattern) : hashStore(store.fields, pattern)

class LazilyLoaded implements Loaded {
  readonly id: string
  readonly raw: Reply
  readonly #parse: (raw: Reply) => Document
  readonly #read: (document: Document) => object
  #document: Document | undefined
  #record: object | undefined

  constructor(
    id: string,
    raw: Reply,
    parse: (raw: Reply) => Document,
    read: (document: Document) => object,
    document?: Document,
    record?: object,
  ) {
    this.id = id
    this.raw = raw
    this.#parse = parse
    this.#read = read
    this.#document = document
    this.#record = record
  }

  get document(): Document {
    return (this.#document ??= this.#parse(this.raw))
  }

  get record(): object {
    this.#record ??= this.#read(this.document)
    this.#document = undefined
    return this.#record
  }
}

function jsonStore(codec: Codec<unknown>, pattern: string): RecordStore {
  const read = (document: Document) =>
    (codec.document ? codec.document.read(document) : codec.decode(JSON.stringify(document))) as object
  const parse = (raw: Reply) => parseJson(raw as string) as Document
  return {
    type: "string",
    read: (key) => ["GET", key],
    accept(id, document) {
      const { raw, read: record } = codec.document
        ? codec.document.accept(document)
        : { raw: codec.encode(document) as string, read: undefined }
      // A Date and its like are stored as another value: indexes are made of what is stored.
      const kept = Object.values(document).some(converted) ? undefined : document
      return new LazilyLoaded(id, raw, parse, read, kept, record as object | undefined)
    },
    load(id, raw, shown) {
      if (raw === null) return undefined
      const guard =
        <A, B>(work: (from: A) => B) =>
        (from: A) =>
          guarded(pattern, shown, codec.name, () => work(from))
      return new LazilyLoaded(id, raw, guard(parse), guard(read))
    },
    stamp: (_field, now) => now.toISOString(),
    expect: (plan, key, loaded, onFailure) => plan.expectString(key, loaded?.raw as Wire | undefined, onFailure),
    write(plan, key, now, _before, ending) {
      if (ending === undefined) plan.write("SET", key, now.raw as string)
      else if (ending === "kept") plan.write("SET", key, now.raw as string, "KEEPTTL")
      else plan.write("SET", key, now.raw as string, "PX", String(ending))
    },
  }
}

const converted = (value: unknown): boolean => typeof value === "object" && value !== null && "toJSON" in value

function hashStore(fields: CodecFields, pattern: string): RecordStore {
  const codecs = new Map(Object.entries<AnyCodec>(fields))
  const read = (document: Document) => ({ ...document })
  const parse = (shown: string) => (reply: Reply) => {
    const stored = new Map(pairs(reply))
    const document: Record<string, unknown> = {}
    for (const [field, codec] of codecs) {
      const text = stored.get(field)
      if (text !== undefined) document[field] = guarded(pattern, shown, codec.name, () => codec.decode(text), field)
      else if (!codec.optional) throw fieldMissing(pattern, shown, field)
    }
    return document
  }
  return {
    type: "hash",
    read: (key) => ["HGETALL", key],
    load: (id, raw, shown) =>
      (raw as readonly Reply[]).length === 0 ? undefined : new LazilyLoaded(id, raw, parse(shown), read),
    accept(id, document, before) {
      const known: Record<string, unknown> = {}
      const raw: string[] = []
      for (const [field, codec] of codecs) {
        const value = document[field]
        if (value === undefined && codec.optional) continue
        raw.push(field, codec.encode(value) as string)
        known[field] = value
      }
      // Fields that no schema knows stay where they are.
      for (const [field, text] of pairs(before?.raw)) if (!codecs.has(field)) raw.push(field, text)
      return new LazilyLoaded(id, raw, parse(pattern), read, known)
    },
    stamp: (field, now) => {
      const codec = codecs.get(field)
      return codec && /instant|unix/i.test(codec.name) ? now : now.toISOString()
    },
    expect: (plan, key, loaded, onFailure) =>
      loaded === undefined
        ? plan.expectString(key, undefined, onFailure)
        : plan.expectReply(key, ["HGETALL"], loaded.raw, onFailure),
    write(plan, key, now, before, ending) {
      const old = new Map(pairs(before?.raw))
      const next = pairs(now.raw)
      const changed = next.filter(([field, text]) => old.get(field) !== text)
      for (const [field] of next) old.delete(field)
      if (changed.length > 0) plan.write("HSET", key, ...changed.flat())
      if (old.size > 0) plan.write("HDEL", key, ...old.keys())
      if (typeof ending === "number") plan.write("PEXPIRE", key, String(ending))
    },
  }
}

/** `["a", "1", "b", "2"]` → `[["a", "1"], ["b", "2"]]` */
export function pairs(reply: Reply | undefined): [string, string][] {
  const words = (reply ?? []) as readonly string[]
  return Array.from({ length: words.length / 2 }, (_, i) => [words[2 * i]!, words[2 * i + 1]!])
}

function guarded<T>(pattern: string, shown: string, codec: string, decode: () => T, part = "value"): T {
  try {
    return decode()
  } catch (error) {
    throw error instanceof KeywrightError ? undecodable(pattern, shown, part, codec, error) : error
  }
}
