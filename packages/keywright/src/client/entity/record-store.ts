/* How a record is kept: as a JSON string or as a hash. The rest of the entity code
 * sees a `Loaded`: the bytes that were there (what a save compares with), the
 * document as it is stored, and the record as it is read.
 *
 * A record that is handed out belongs to its reader, who may change it. So from then on a
 * document that shares data with it is not used any more, but parsed again from the
 * bytes. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { fieldMissing, undecodable } from "../../errors/client.ts"
import { codecRefused } from "../../errors/codec.ts"
import { codecHidden } from "../../errors/json.ts"
import { isKeywrightError } from "../../errors/error.ts"
import type { AnyCodec, Codec, CodecFields } from "../../schema/codec/codec.ts"
import { parseJson } from "../../schema/codec/json.ts"
import type { EntityStore } from "../../schema/entity.ts"
import type { Key } from "../../schema/key.ts"
import { inPairs } from "../call/reply.ts"
import type { Plan } from "../plan/plan.ts"
import type { Ending } from "./life.ts"
import type { OnFailure } from "../plan/checks/check.ts"
import { type ParsedText, RecentTexts } from "./recent-texts.ts"

export type Document = Readonly<Record<string, unknown>>

/** Created on first use: many saves need only the bytes. */
export interface Loaded {
  readonly id: string
  readonly raw: Reply
  readonly document: Document
  readonly record: object
  /** The life that the caller chose, for a record about to be written. */
  chosenLife?: Ending
}

export interface RecordStore {
  readonly type: "string" | "hash"
  /** The command that reads a record. */
  readCommand(key: string): Command
  /**
   * The record in a reply; undefined when there is none. `keeps`: it is likely to be changed, so its document is kept.
   * `parsed`: what was made of the same text before.
   */
  load(id: string, raw: Reply, keeps?: boolean, parsed?: ParsedText): Loaded | undefined
  /** Only the record, if there is one whose document passes `matches`: for lists, which are mostly only read. */
  show(id: string, raw: Reply, matches: (document: Document) => boolean): object | undefined
  /** A document checked by the schema, in the form in which it would be loaded. */
  accept(id: string, document: Document, before?: Loaded): Loaded
  /** An instant in the form in which this field stores it. */
  stamp(field: string, now: Date): unknown
  /** The check that the record is as it was loaded, or still absent. */
  expect(plan: Plan, key: string, loaded: Loaded | undefined, onFailure: OnFailure): void
  write(plan: Plan, key: string, now: Loaded, before: Loaded | undefined, ending: Ending): void
}

/** `shown` is the key of a record as it may be printed. `isLasting`: it is used again and again. */
export const recordStore = (
  store: EntityStore<unknown, unknown>,
  { pattern, shape }: Pick<Key, "pattern" | "shape">,
  shown: (id: string) => string,
  isLasting: boolean,
): RecordStore =>
  store.as === "json"
    ? jsonStore(shape["value"] as Codec<unknown>, pattern, shown, isLasting ? new RecentTexts() : undefined)
    : hashStore(shape["fields"] as CodecFields, pattern, shown)

/** From bytes to a document, and from that to a record. Both may throw. */
interface StoredForm {
  parse(raw: Reply, id: string): Document
  read(document: Document, id: string): object
}

class LazilyLoaded implements Loaded {
  // `declare`: a field that is defined before it is assigned costs twice, and there is one for each record.
  declare readonly id: string
  declare readonly raw: Reply
  declare private readonly form: StoredForm
  declare private known: Document | undefined
  declare protected made: object | undefined
  /** The record may hold parts of the document. */
  declare private isShared: boolean
  declare private readonly keeps: boolean
  declare chosenLife?: Ending

  constructor(form: StoredForm, id: string, raw: Reply, document?: Document, record?: object, keeps = false) {
    this.id = id
    this.raw = raw
    this.form = form
    this.known = document
    this.made = record
    this.isShared = record !== undefined
    this.keeps = keeps
  }

  get document(): Document {
    const { known } = this
    if (known && !(this.isShared && (known === this.made || !isFlat(known)))) return known
    this.isShared = false
    return (this.known = this.form.parse(this.raw, this.id))
  }

  get record(): object {
    if (this.made === undefined) {
      this.made = this.form.read(this.document, this.id)
      // Most records are only read: their documents need not be kept.
      if (this.keeps) this.isShared = true
      else this.known = undefined
    }
    return this.made
  }
}

/** One whose text may have been parsed before: what is flat is copied for each reader, all else is made again. */
class LoadedAgain extends LazilyLoaded {
  declare private readonly parsed: ParsedText

  constructor(form: StoredForm, id: string, raw: Reply, parsed: ParsedText) {
    super(form, id, raw, undefined, undefined, true)
    this.parsed = parsed
  }

  override get document(): Document {
    if (this.parsed.document !== undefined) return this.parsed.document
    const document = super.document
    if (isFlat(document)) this.parsed.document = document
    return document
  }

  override get record(): object {
    const { parsed } = this
    if (this.made !== undefined) return this.made
    // Not by spreading: V8 takes a microsecond to add the note of handed-out.ts to an object that was spread.
    if (parsed.record !== undefined) return (this.made = Object.assign({}, parsed.record))
    const record = super.record
    // A validator may return the document itself, which belongs to its reader from now on.
    if (record === parsed.document) parsed.document = { ...parsed.document }
    if (parsed.document !== undefined && isFlat(record as Document)) parsed.record = { ...record }
    return record
  }
}

/** Whether it has only plain values, none that could be shared, so that a copy is the same. */
function isFlat(document: Document): boolean {
  for (const field in document) {
    const value = document[field]
    if ((typeof value === "object" && value !== null) || field === "__proto__") return false
  }
  return Object.getPrototypeOf(document) === Object.prototype && Object.isExtensible(document)
}

function jsonStore(
  codec: Codec<unknown>,
  pattern: string,
  shown: (id: string) => string,
  recent: RecentTexts | undefined,
): RecordStore {
  const form: StoredForm = {
    parse(raw, id) {
      try {
        const document = codec.document?.parse ? codec.document.parse(raw as string) : parseJson(raw as string)
        if (typeof document === "object" && document !== null) return document as Document
        throw codecRefused("JSON", "a JSON object", raw)
      } catch (error) {
        const isHidden = (codec.secret || codec.document?.hidden) && isKeywrightError(error)
        throw asUndecodable(isHidden ? codecHidden(error.code, codec.name) : error, pattern, shown(id), codec.name)
      }
    },
    read(document, id) {
      try {
        return (codec.document ? codec.document.read(document) : codec.decode(JSON.stringify(document))) as object
      } catch (error) {
        throw asUndecodable(error, pattern, shown(id), codec.name)
      }
    },
  }
  const show: RecordStore["show"] = (id, raw, matches) => {
    if (raw === null) return undefined
    const parsed = recent?.at(id, raw)
    if (parsed !== undefined) {
      const loaded = new LoadedAgain(form, id, raw, parsed)
      return matches(loaded.document) ? loaded.record : undefined
    }
    const document = form.parse(raw, id)
    return matches(document) ? form.read(document, id) : undefined
  }
  return {
    type: "string",
    readCommand: (key) => ["GET", key],
    show,
    accept(id, document) {
      const { raw, read: record } = codec.document
        ? codec.document.accept(document)
        : { raw: codec.encode(document) as string, read: undefined }
      // A Date and similar values are stored in another form, and indexes are built from what is stored.
      return new LazilyLoaded(form, id, raw, converts(document) ? undefined : document, record as object | undefined)
    },
    load(id, raw, keeps, known) {
      if (raw === null) return undefined
      const parsed = known ?? recent?.at(id, raw)
      if (parsed !== undefined) return new LoadedAgain(form, id, raw, parsed)
      return new LazilyLoaded(form, id, raw, undefined, undefined, keeps)
    },
    stamp: (_field, now) => now.toISOString(),
    expect(plan, key, loaded, onFailure) {
      plan.checks.push(
        loaded === undefined
          ? { check: "absent", key, onFailure }
          : { check: "string", key, value: loaded.raw as Wire, onFailure },
      )
    },
    write(plan, key, now, _before, ending) {
      if (ending === undefined) plan.write("SET", key, now.raw as string)
      else plan.write("SET", key, now.raw as string, ...settingEnd(ending))
    },
  }
}

/** The arguments of SET that say when the key expires. */
export function settingEnd(ending: Ending): string[] {
  if (typeof ending === "number") return ["PX", String(ending)]
  if (typeof ending === "object") return ["PXAT", String(ending.at)]
  return ending === "kept" ? ["KEEPTTL"] : []
}

function converts(document: Document): boolean {
  for (const field in document) {
    const value = document[field]
    if (typeof value === "object" && value !== null && "toJSON" in value) return true
  }
  return false
}

function hashStore(fields: CodecFields, pattern: string, shown: (id: string) => string): RecordStore {
  const codecs = new Map(Object.entries<AnyCodec>(fields))
  const required = [...codecs].filter(([, codec]) => !codec.optional).length
  const form: StoredForm = {
    parse(reply, id) {
      const words = reply as readonly string[]
      const document: Record<string, unknown> = {}
      let missing = required
      for (let i = 0; i < words.length; i += 2) {
        const codec = codecs.get(words[i]!)
        if (codec === undefined) continue
        try {
          document[words[i]!] = codec.decode(words[i + 1]!)
        } catch (error) {
          throw asUndecodable(error, pattern, shown(id), codec.name, words[i])
        }
        if (!codec.optional) missing--
      }
      if (missing === 0) return document
      const [lacking] = [...codecs].find(([field, codec]) => !codec.optional && !Object.hasOwn(document, field))!
      throw fieldMissing(pattern, shown(id), lacking)
    },
    read: (document) => document,
  }
  return {
    type: "hash",
    readCommand: (key) => ["HGETALL", key],
    load: (id, raw) => ((raw as readonly Reply[]).length === 0 ? undefined : new LazilyLoaded(form, id, raw)),
    show: (id, raw, matches) => {
      const document = (raw as readonly Reply[]).length === 0 ? undefined : form.parse(raw, id)
      return document && matches(document) ? document : undefined
    },
    accept(id, document, before) {
      const known: Record<string, unknown> = {}
      const raw: string[] = []
      for (const [field, codec] of codecs) {
        const value = document[field]
        if (value === undefined && codec.optional) continue
        raw.push(field, codec.encode(value) as string)
        known[field] = value
      }
      // Fields that the schema does not know are left in place.
      const old = (before?.raw ?? []) as readonly string[]
      for (let i = 0; i < old.length; i += 2) if (!codecs.has(old[i]!)) raw.push(old[i]!, old[i + 1]!)
      return new LazilyLoaded(form, id, raw, known)
    },
    stamp: (field, now) => {
      const codec = codecs.get(field)
      return codec && /instant|unix/i.test(codec.name) ? now : now.toISOString()
    },
    expect(plan, key, loaded, onFailure) {
      plan.checks.push(
        loaded === undefined
          ? { check: "absent", key, onFailure }
          : { check: "hash", key, pairs: loaded.raw as readonly string[], onFailure },
      )
    },
    write(plan, key, now, before, ending) {
      const old = new Map(inPairs((before?.raw ?? []) as readonly string[]))
      const next = now.raw as readonly string[]
      const changed: string[] = []
      for (let i = 0; i < next.length; i += 2) {
        if (old.get(next[i]!) !== next[i + 1]) changed.push(next[i]!, next[i + 1]!)
        old.delete(next[i]!)
      }
      if (changed.length > 0) plan.write("HSET", key, ...changed)
      if (old.size > 0) plan.write("HDEL", key, ...old.keys())
      if (typeof ending === "number") plan.write("PEXPIRE", key, String(ending))
      else if (typeof ending === "object") plan.write("PEXPIREAT", key, String(ending.at))
      else if (ending === "never") plan.write("PERSIST", key)
    },
  }
}

/** An error of a codec, as the error of this record; any other error unchanged. */
const asUndecodable = (error: unknown, pattern: string, shown: string, codec: string, part = "value"): unknown =>
  isKeywrightError(error) ? undecodable(pattern, shown, part, codec, error) : error
