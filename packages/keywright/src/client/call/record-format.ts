/* The fields of a hash or of a stream's entries: a record as words, and back.
 *
 * Fields are read as pairs, so that one named "__proto__" is a field like others.
 * Fields that the schema does not know are passed over: another version of the
 * application wrote them. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { argumentRefused, fieldUnknown, recordIncomplete } from "../../errors/client.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { Handle } from "../kinds/handle.ts"
import { textOf } from "./reply.ts"

interface Field {
  readonly name: string
  readonly codec: AnyCodec
  readonly isOptional: boolean
}

export class RecordFormat {
  /** Some value is kept as bytes: replies have to be read as bytes. */
  readonly bytes: boolean
  readonly #fields: readonly Field[]
  readonly #byName: ReadonlyMap<string, Field>
  readonly #required: number

  constructor(fields: CodecFields) {
    this.#fields = Object.entries(fields).map(([name, codec]) => ({ name, codec, isOptional: codec.optional === true }))
    this.#byName = new Map(this.#fields.map((field) => [field.name, field]))
    this.bytes = this.#fields.some(({ codec }) => codec.decodeBytes !== undefined)
    this.#required = this.#fields.filter(({ isOptional }) => !isOptional).length
  }

  codec(name: string): AnyCodec {
    const field = this.#byName.get(name)
    if (field === undefined) throw fieldUnknown(name)
    return field.codec
  }

  /** `{ name: "a", qty: 1 }` → `["name", "a", "qty", "1"]`; a field that is undefined is left out. */
  encode(record: Readonly<Record<string, unknown>>): Wire[] {
    if (typeof record !== "object" || record === null || Array.isArray(record))
      throw argumentRefused("a record", "an object", record)
    const words: Wire[] = []
    for (const name of Object.keys(record)) {
      const value = record[name]
      if (value !== undefined) words.push(name, this.codec(name).encode(value))
    }
    return words
  }

  /** The same for a record that may not lack a required field. */
  encodeWhole(record: Readonly<Record<string, unknown>>): Wire[] {
    const missing = this.#missing(record)
    if (missing !== undefined) throw recordIncomplete(missing)
    return this.encode(record)
  }

  /** The first required field that a record lacks. */
  #missing(record: Readonly<Record<string, unknown>>): string | undefined {
    const isMissing = ({ name, isOptional }: Field) =>
      !isOptional && (!Object.hasOwn(record, name) || record[name] === undefined)
    return this.#fields.find(isMissing)?.name
  }

  /** Pairs → record, which belongs to a handle. A part of a record may lack required fields. */
  decode(pairs: readonly Reply[], handle: Handle, isPart = false): Record<string, unknown> {
    const record: Record<string, unknown> = {}
    const fields = this.#fields
    let required = this.#required
    let next = 0
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const raw = pairs[i] as Reply
      const name = typeof raw === "string" ? raw : textOf(raw)
      // Most hashes were written in the order of their schema. Names of the schema are quicker to store by, too.
      const expected = fields[next]
      const field = expected !== undefined && expected.name === name ? expected : this.#byName.get(name)
      if (field === undefined) continue
      next = field === expected ? next + 1 : next
      const value = handle["~field"](field.codec, pairs[i + 1] as Reply, field.name)
      if (name === "__proto__") define(record, name, value)
      else record[field.name] = value
      if (!field.isOptional) required--
    }
    if (required > 0 && !isPart) throw handle["~lacks"](this.#missing(record) ?? "")
    return record
  }
}

/** Sets a property that an assignment would take for something else. */
const define = (record: object, name: string, value: unknown) =>
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true })
