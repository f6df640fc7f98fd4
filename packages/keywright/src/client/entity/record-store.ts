/* How a record is kept: as a JSON string or as a hash. The rest of the entity code
 * sees a `Loaded`: the bytes that were there (what a save compares with), the
 * document as it is stored, and the record as it is read. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { fieldMissing, undecodable } from "../../errors/client.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { AnyCodec, Codec, CodecFields } from "../../schema/codec/codec.ts"
import type { EntityStore } from "../../schema/entity.ts"
import { parseJson } from "../../schema/codec/json.ts"
import type { OnFailure, Plan } from "../plan.ts"

export type Document = Readonly<Record<string, unknown>>

export interface Loaded {
  readonly raw: Reply
  readonly document: Document
  readonly record: object
}

export interface RecordStore {
  readonly type: "string" | "hash"
  /** The command that reads one. */
  read(key: string): Command
  /** What a read gave; undefined when there is no such record. `shown` is the key as it may be printed. */
  load(raw: Reply, shown: string): Loaded | undefined
  /** A document, checked by the schema, as it would be loaded. */
  accept(document: Document): Loaded
  /** The record is as it was loaded, or absent. */
  expect(plan: Plan, key: string, loaded: Loaded | undefined, onFailure: OnFailure): void
  /** Writes it; `ttlMs` as the schema demands. */
  write(
    plan: Plan,
    key: string,
    now: Loaded,
    before: Loaded | undefined,
    ttlMs: number | undefined,
    keepTtl: boolean,
  ): void
}

export const recordStore = (store: EntityStore<unknown, unknown>, pattern: string): RecordStore =>
  store.as === "json" ? jsonStore(store.value, pattern) : hashStore(store.fields, pattern)

function jsonStore(codec: Codec<unknown>, pattern: string): RecordStore {
  const accept = (document: Document): Loaded => {
    if (codec.document) {
      const { raw, read } = codec.document.accept(document)
      return { raw, document, record: read as object }
    }
    const raw = codec.encode(document)
    return { raw, document, record: codec.decode(raw) as object }
  }
  return {
    type: "string",
    read: (key) => ["GET", key],
    accept,
    load(raw, shown) {
      if (raw === null) return undefined
      return guarded(pattern, shown, codec.name, () => {
        const document = parseJson(raw as string) as Document
        return {
          raw,
          document,
          record: (codec.document ? codec.document.read(document) : codec.decode(raw as string)) as object,
        }
      })
    },
    expect: (plan, key, loaded, onFailure) => plan.expectString(key, loaded?.raw as Wire | undefined, onFailure),
    write(plan, key, now, _before, ttlMs, keepTtl) {
      const more = keepTtl ? ["KEEPTTL"] : ttlMs === undefined ? [] : ["PX", String(ttlMs)]
      plan.write("SET", key, now.raw as string, ...more)
    },
  }
}

function hashStore(fields: CodecFields, pattern: string): RecordStore {
  const codecs = Object.entries<AnyCodec>(fields)
  return {
    type: "hash",
    read: (key) => ["HGETALL", key],
    load(reply, shown) {
      const raw = reply as string[]
      if (raw.length === 0) return undefined
      const stored = new Map<string, string>()
      for (let i = 0; i < raw.length; i += 2) stored.set(raw[i]!, raw[i + 1]!)
      const record: Record<string, unknown> = {}
      for (const [field, codec] of codecs) {
        const text = stored.get(field)
        if (text !== undefined) record[field] = guarded(pattern, shown, codec.name, () => codec.decode(text), field)
        else if (!codec.optional) throw fieldMissing(pattern, shown, field)
      }
      return { raw, document: record, record }
    },
    accept(document) {
      const raw = codecs.flatMap(([field, codec]): string[] => {
        const value = document[field]
        if (value === undefined && codec.optional) return []
        return [field, codec.encode(value) as string]
      })
      return {
        raw,
        document,
        record: Object.fromEntries(
          codecs.flatMap(([field]) => (document[field] === undefined ? [] : [[field, document[field]]])),
        ),
      }
    },
    expect: (plan, key, loaded, onFailure) =>
      loaded === undefined
        ? plan.expectString(key, undefined, onFailure)
        : plan.expectReply(key, ["HGETALL"], loaded.raw, onFailure),
    write(plan, key, now, before, ttlMs, keepTtl) {
      const raw = now.raw as readonly string[]
      plan.write("HSET", key, ...raw)
      const gone =
        before === undefined
          ? []
          : codecs
              .map(([field]) => field)
              .filter((field) => before.document[field] !== undefined && now.document[field] === undefined)
      if (gone.length > 0) plan.write("HDEL", key, ...gone)
      if (!keepTtl && ttlMs !== undefined) plan.write("PEXPIRE", key, String(ttlMs))
    },
  }
}

function guarded<T>(pattern: string, shown: string, codec: string, decode: () => T, part = "value"): T {
  try {
    return decode()
  } catch (error) {
    throw error instanceof KeywrightError ? undecodable(pattern, shown, part, codec, error) : error
  }
}
