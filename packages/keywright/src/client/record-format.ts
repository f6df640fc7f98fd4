/* The fields of a hash or of a stream's entries: a record as words, and back.
 *
 * Fields are read as pairs, so that one named "__proto__" is a field like others.
 * Fields that the schema does not know are passed over: another version of the
 * application wrote them. */

import type { Reply, Wire } from "../driver/driver.ts"
import { fieldUnknown } from "../errors/client.ts"
import type { AnyCodec, CodecFields } from "../schema/codec/codec.ts"
import { textOf } from "./reply.ts"

/** Whose record it is: it knows the key, for errors. */
interface FieldReader {
  "~field"(codec: AnyCodec, raw: Reply, name: string): unknown
  "~lacks"(field: string): Error
}

export class RecordFormat {
  readonly codecs: ReadonlyMap<string, AnyCodec>
  /** Some value is kept as bytes: replies have to come as bytes. */
  readonly bytes: boolean
  readonly #required: number

  constructor(fields: CodecFields) {
    this.codecs = new Map(Object.entries(fields))
    this.bytes = [...this.codecs.values()].some((codec) => codec.decodeBytes !== undefined)
    this.#required = [...this.codecs.values()].filter((codec) => !codec.optional).length
  }

  codec(name: string): AnyCodec {
    const codec = this.codecs.get(name)
    if (codec === undefined) throw fieldUnknown(name)
    return codec
  }

  /** `{ name: "a", qty: 1 }` → `["name", "a", "qty", "1"]`; a field that is undefined is left out. */
  encode(record: Readonly<Record<string, unknown>>): Wire[] {
    const words: Wire[] = []
    for (const name of Object.keys(record)) {
      const value = record[name]
      if (value !== undefined) words.push(name, this.codec(name).encode(value))
    }
    return words
  }

  /** The first required field that a record lacks. */
  missing(record: Readonly<Record<string, unknown>>): string | undefined {
    for (const [name, codec] of this.codecs) {
      if (!codec.optional && (!Object.hasOwn(record, name) || record[name] === undefined)) return name
    }
    return undefined
  }

  /** Pairs → record. A part of a record may lack required fields. */
  decode(pairs: readonly Reply[], handle: FieldReader, isPart = false): Record<string, unknown> {
    const record: Record<string, unknown> = {}
    let required = this.#required
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const name = textOf(pairs[i]!)
      const codec = this.codecs.get(name)
      if (codec === undefined) continue
      const value = handle["~field"](codec, pairs[i + 1]!, name)
      if (name === "__proto__") define(record, name, value)
      else record[name] = value
      if (!codec.optional) required--
    }
    if (required > 0 && !isPart) throw handle["~lacks"](this.missing(record) ?? "")
    return record
  }
}

/** Sets a property that an assignment would take for something else. */
const define = (record: object, name: string, value: unknown) =>
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true })
