/* Edits of plain keys, through the handles of their kinds: codecs encode, deadlines and
 * limits are those of the schema. Nothing is sent here: edit-step.ts notes the writes, and
 * carries them out in one step that compares what they rest on. */

import type { ReadyKey, TtlOption } from "../../../client/call/ready-key.ts"
import { handleClasses, type Handles } from "../../../client/kinds/handles.ts"
import type { Handle } from "../../../client/kinds/handle.ts"
import type { Lane } from "../../../client/call/lane.ts"
import { fromMs } from "../../../schema/duration.ts"
import type { Wire } from "../../../driver/driver.ts"
import { editRefused, notEditable } from "../../../errors/studio.ts"
import type { KeyModel } from "../../../inspect/model/model.ts"
import { isText } from "../../../inspect/walk/wire.ts"
import type { AnyCodec, CodecFields, TextCodec } from "../../../schema/codec/codec.ts"
import type { Edit } from "../../api.ts"
import { hasFields } from "../cell.ts"
import { holdsDocument } from "./edit-form.ts"
import { type EditInput, InputReader } from "./edit-input.ts"

/** What a handle of any kind can do, for code that knows the kind only at run time. */
type AnyHandles = Handles<{
  value: AnyCodec
  fields: CodecFields
  field: TextCodec
  member: AnyCodec
  item: AnyCodec
  score: AnyCodec
}>

/** The command that removes an element, where it is known by its name. */
const REMOVALS: Readonly<Record<string, string>> = {
  map: "HDEL",
  set: "SREM",
  zset: "ZREM",
  geo: "ZREM",
  stream: "XDEL",
}

/** Puts the writes of an edit onto a lane. */
export type QueueWrites = (lane: Lane) => Promise<unknown>[]

export class PlainEdits {
  readonly #ready: ReadonlyMap<string, ReadyKey>

  constructor(ready: ReadonlyMap<string, ReadyKey>) {
    this.#ready = ready
  }

  keyOf(row: KeyModel, params: Readonly<Record<string, string>>): string {
    const reading = new InputReader()
    const values = Object.fromEntries(
      row.params.map((name) => [name, reading.value(row.declared.params[name]!, params[name], `params.${name}`)]),
    )
    for (const name of Object.keys(params))
      if (!row.params.includes(name))
        reading.issues.push({ field: `params.${name}`, message: "there is no such parameter" })
    reading.done()
    return this.#ready.get(row.declared.name)!.build(values)
  }

  create(row: KeyModel, key: string, { fields, ttlMs }: Extract<Edit, { op: "create" }>): QueueWrites {
    const ttl = chosenTtl(row, ttlMs)
    if (row.declared.kind === "hash") {
      const record = this.#record(row, fields, true)
      return (lane) => [this.#handle(row, key, lane).hash.set(record as never, ttl)]
    }
    if (isValue(row)) {
      const value = this.#value(row, fields, undefined)
      return (lane) => [this.#setValue(row, key, lane, value, ttl)]
    }
    return this.put(row, key, { fields }, ttl)
  }

  /** `before`: the value as it is now, decoded; undefined when it cannot be. */
  change(row: KeyModel, key: string, fields: EditInput, before: unknown, ttl: TtlOption): QueueWrites {
    if (row.declared.kind === "hash") {
      const record = this.#record(row, fields, false)
      const gone = Object.keys(record).filter((name) => record[name] === undefined)
      const kept = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
      return (lane) => {
        const { hash } = this.#handle(row, key, lane)
        return [
          ...(Object.keys(kept).length > 0 ? [hash.set(kept as never, ttl)] : []),
          ...(gone.length > 0 ? [hash.deleteField(...(gone as never[]))] : []),
        ]
      }
    }
    if (!isValue(row))
      throw notEditable(row.show(key), row.type === "string" ? "it can only be deleted here" : "its elements are")
    const value = this.#value(row, fields, before)
    return (lane) => [this.#setValue(row, key, lane, value, ttl)]
  }

  put(
    row: KeyModel,
    key: string,
    { fields, element }: { fields: EditInput; element?: Wire },
    ttl: TtlOption,
  ): QueueWrites {
    const reading = new InputReader()
    const shape = row.declared.shape as Readonly<Record<string, AnyCodec>>
    const part = (name: string) => reading.value(shape[name]!, fields[name], name)
    const { kind } = row.declared
    /** What it takes the place of goes first. */
    const gone = (lane: Lane) => (element === undefined ? [] : [lane.send([REMOVALS[kind]!, key, element])])
    switch (kind) {
      case "map": {
        const [field, value] = [part("field"), part("value")]
        reading.done()
        const isSame = element !== undefined && shape["field"]!.encode(field as never) === element
        return (lane) => [
          ...(isSame ? [] : gone(lane)),
          this.#handle(row, key, lane).map.set(field as never, value as never, ttl),
        ]
      }
      case "set": {
        const member = part("member")
        reading.done()
        return (lane) => [...gone(lane), this.#handle(row, key, lane).set.addMany([member as never], ttl)]
      }
      case "zset": {
        const [member, score] = [part("member"), part("score")]
        reading.done()
        return (lane) => [...gone(lane), this.#handle(row, key, lane).zset.add(member as never, score as never, ttl)]
      }
      case "geo": {
        const member = part("member")
        const place = {
          longitude: numberOf(reading, fields, "longitude"),
          latitude: numberOf(reading, fields, "latitude"),
        }
        reading.done()
        return (lane) => [...gone(lane), this.#handle(row, key, lane).geo.add(member as never, place, ttl)]
      }
      case "list": {
        const item = part("item")
        reading.done()
        const index = element === undefined ? undefined : listPlace(element).index
        return (lane) => {
          const { list } = this.#handle(row, key, lane)
          return [
            index === undefined ? list.pushRightMany([item as never], ttl) : list.setAt(index, item as never, ttl),
          ]
        }
      }
      case "stream": {
        if (element !== undefined) throw notEditable(row.show(key), "entries of a stream stay as they are")
        const entry = reading.fields(shape["fields"] as unknown as CodecFields, fields)
        reading.done()
        return (lane) => [this.#handle(row, key, lane).stream.append(entry as never, ttl)]
      }
      default:
        throw notEditable(row.show(key), "it has no elements")
    }
  }

  remove(row: KeyModel, key: string, element: Wire): QueueWrites {
    const { kind } = row.declared
    if (kind === "list") {
      const { index } = listPlace(element)
      const marker = `keywright-removed-${Date.now()}-${Math.random()}`
      return (lane) => [lane.send(["LSET", key, String(index), marker]), lane.send(["LREM", key, "1", marker])]
    }
    const command = REMOVALS[kind]
    if (command === undefined) throw notEditable(row.show(key), "it has no elements")
    return (lane) => [lane.send([command, key, element])]
  }

  #record(row: KeyModel, given: EditInput, whole: boolean): Record<string, unknown> {
    const reading = new InputReader()
    const codecs = row.declared.shape["fields"] as CodecFields
    const record = reading.fields(codecs, given)
    for (const [name, codec] of whole ? Object.entries(codecs) : [])
      if (codec.optional !== true && !Object.hasOwn(given, name))
        reading.issues.push({ field: name, message: "it is missing" })
    reading.done()
    return record
  }

  /** One value, or a document with some fields changed. */
  #value(row: KeyModel, given: EditInput, before: unknown): unknown {
    if (holdsDocument(row) && !("value" in given)) {
      const merged: Record<string, unknown> = { ...(hasFields(before) ? before : {}), ...given }
      for (const name in merged)
        if (merged[name] === null && !(hasFields(before) && before[name] === null)) delete merged[name]
      return merged
    }
    const reading = new InputReader()
    const value = reading.value(row.declared.shape["value"] as AnyCodec, given["value"], "value")
    reading.done()
    return value
  }

  #setValue(row: KeyModel, key: string, lane: Lane, value: unknown, ttl: TtlOption): Promise<void> {
    const handles = this.#handle(row, key, lane)
    return row.declared.kind === "counter"
      ? handles.counter.set(value as never, ttl)
      : handles.string.set(value as never, ttl)
  }

  #handle(row: KeyModel, key: string, lane: Lane): AnyHandles {
    const { kind, name } = row.declared
    const Class: new (...args: ConstructorParameters<typeof Handle>) => Handle = handleClasses[kind]
    return { [kind]: new Class(lane, this.#ready.get(name)!, key) } as unknown as AnyHandles
  }
}

/** The TTL of something new: as it was chosen, or the first one possible. */
export const chosenTtl = (row: KeyModel, ttlMs: number | null | undefined): TtlOption =>
  ttlMs === undefined ? ttlFor(row, undefined) : { ttl: ttlMs === null ? "never" : fromMs(ttlMs) }

/** Where the schema leaves the choice of the TTL to the writer: the one that fits what is left (`pttl`), or the first. */
export function ttlFor({ declared }: KeyModel, pttl: number | undefined): TtlOption {
  if (declared.ttl?.on !== "choice") return {}
  const { choices } = declared.ttl
  const numbers = choices.filter((choice) => choice !== "never").sort((a, b) => a - b)
  const fitting =
    pttl === undefined
      ? choices[0]
      : pttl < 0
        ? choices.find((one) => one === "never")
        : numbers.find((one) => one >= pttl)
  const chosen = fitting ?? numbers.at(-1) ?? "never"
  return { ttl: chosen === "never" ? chosen : fromMs(chosen) }
}

export const isValue = ({ declared }: KeyModel): boolean => declared.kind === "string" || declared.kind === "counter"

function numberOf(reading: InputReader, given: EditInput, name: string): number {
  const number = Number(given[name])
  if (given[name] === undefined || given[name] === "" || Number.isNaN(number))
    reading.issues.push({ field: name, message: "expected a number" })
  return number
}

/** An element of a list is identified by its position and its previous value. */
export function listPlace(element: Wire): { readonly index: number; readonly raw: Buffer } {
  const bytes = Buffer.from(element)
  const at = bytes.indexOf(":")
  const index = Number(bytes.subarray(0, at).toString())
  if (at < 1 || !Number.isSafeInteger(index)) throw editRefused("the element is not understood", [])
  return { index, raw: bytes.subarray(at + 1) }
}

export const textKey = (key: Wire): string => {
  if (!isText(key)) throw notEditable("a key that is not text", "the schema cannot spell it")
  return key
}
