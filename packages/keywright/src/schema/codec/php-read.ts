/* What PHP's serialize() writes, for plain data: null, booleans, integers, floats, texts and arrays.
 * Objects, references and whatever has code behind it are refused; nothing is ever executed. Lengths
 * are counted in bytes and compared with what is there; memory grows only with the text.
 *
 * PHP has one kind of array. One with the keys 0, 1, 2 … in order is read as a list; `asDeclared`
 * makes an object of it where the schema wants one. */

import { codecRefused } from "../../errors/codec.ts"
import type { JsonSchema } from "./codec-spec.ts"
import { kindsOf, schemasInside } from "./jackson-read.ts"
import { DEEPEST } from "./message-pack-read.ts"
import { setField } from "./set-field.ts"

export function readPhp(raw: string): unknown {
  const reader = new PhpReader(raw)
  const value = reader.value(0)
  if (reader.at !== raw.length) throw refused("one serialised value", `${raw.length - reader.at} characters after it`)
  return value
}

const LENGTH = /\d{1,10}(?=:)/y
const INTEGER = /[+-]?\d{1,20}(?=;)/y
const FLOAT = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?=;)/y
const BOOLEAN = /[01](?=;)/y
const OTHERS: Readonly<Record<string, string>> = {
  O: "an object",
  C: "an object",
  E: "an enumeration",
  R: "a reference",
  r: "a reference",
}

class PhpReader {
  readonly #raw: string
  at = 0

  constructor(raw: string) {
    this.#raw = raw
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw refused(`at most ${DEEPEST} levels`, "more")
    const type = this.#raw[this.at++] ?? "nothing"
    if (type === "N") return this.#past(";", null)
    this.#past(":", undefined)
    if (type === "b") return this.#past(";", this.#match(BOOLEAN, "0 or 1") === "1")
    if (type === "i") return this.#past(";", safe(this.#match(INTEGER, "an integer")))
    if (type === "d") return this.#past(";", finite(this.#match(FLOAT, "a number that JSON can hold")))
    if (type === "s") return this.#past(";", this.#text())
    if (type === "a") return this.#array(depth)
    throw refused("serialised plain data", OTHERS[type] ?? type)
  }

  #array(depth: number): unknown {
    const count = Number(this.#match(LENGTH, "a length"))
    this.#past(":", undefined)
    this.#past("{", undefined)
    const items: unknown[] = []
    let fields: object | undefined
    for (let i = 0; i < count; i++) {
      const name = this.#key()
      if (fields === undefined && name !== String(i)) fields = { ...items }
      const value = this.value(depth + 1)
      if (fields === undefined) items.push(value)
      else setField(fields, name, value)
    }
    return this.#past("}", fields ?? items)
  }

  /** Integers keep all their digits. */
  #key(): string {
    const type = this.#raw[this.at++]
    this.#past(":", undefined)
    if (type === "i") return this.#past(";", this.#match(INTEGER, "an integer"))
    if (type === "s") return this.#past(";", this.#text())
    throw refused("a key of an array", type ?? "nothing")
  }

  #text(): string {
    const bytes = Number(this.#match(LENGTH, "a length"))
    this.#past(":", undefined)
    this.#past('"', undefined)
    const from = this.at
    let left = bytes
    while (left > 0 && this.at < this.#raw.length) {
      const code = this.#raw.codePointAt(this.at)!
      left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      this.at += code < 0x10000 ? 1 : 2
    }
    if (left !== 0) throw refused(`a text of ${bytes} bytes`, "another length")
    return this.#past('"', this.#raw.slice(from, this.at))
  }

  #match(form: RegExp, expected: string): string {
    form.lastIndex = this.at
    const found = form.exec(this.#raw)?.[0]
    if (found === undefined) throw refused(expected, this.#raw.slice(this.at, this.at + 20))
    this.at += found.length
    return found
  }

  /** Goes past a sign that has to be here, and returns what came before it. */
  #past<T>(sign: string, value: T): T {
    if (this.#raw[this.at] !== sign) throw refused(`"${sign}"`, this.#raw.slice(this.at, this.at + 20))
    this.at += 1
    return value
  }
}

/** The same document, with objects where the schema wants objects: a list of PHP may be either. */
export function asDeclared(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema === undefined || typeof value !== "object" || value === null) return value
  const { items, properties, others } = schemasInside(schema)
  const kinds = kindsOf(schema)
  if (Array.isArray(value) && !(kinds.has("object") && !kinds.has("array")))
    return items === undefined ? value : value.map((item) => asDeclared(item, items))
  const fields = {}
  for (const [name, part] of Object.entries(value))
    setField(fields, name, asDeclared(part, properties && Object.hasOwn(properties, name) ? properties[name] : others))
  return fields
}

function safe(digits: string): number {
  const number = Number(digits)
  if (!Number.isSafeInteger(number)) throw refused("an integer up to 2^53 - 1", digits)
  return number
}

function finite(digits: string): number {
  const number = Number(digits)
  if (!Number.isFinite(number)) throw refused("a number that JSON can hold", digits)
  return number
}

const refused = (expected: string, found: string) => codecRefused("PHP", expected, found)
