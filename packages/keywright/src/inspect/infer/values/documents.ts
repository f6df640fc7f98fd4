/* What is known of JSON values at one place: which types they have, and at every
 * depth their fields and items. Bounded: a document with very many field names is a
 * dictionary, and its values are taken together. */

import { TextStatistics } from "./text-statistics.ts"

const MOST_FIELDS = 80
const MOST_ITEMS = 1000
const DEEPEST = 8

export class Documents {
  count = 0
  /** Values that were not looked into: too deep. */
  deep = 0
  nulls = 0
  booleans = 0
  numbers = 0
  whole = 0
  min = Infinity
  max = -Infinity
  strings: TextStatistics | undefined
  /** Whole numbers as texts: they may be ids. */
  wholes: TextStatistics | undefined
  objects: Objects | undefined
  arrays: Arrays | undefined

  add(value: unknown, depth = 0): void {
    this.count++
    if (value === null) this.nulls++
    else if (typeof value === "string") (this.strings ??= new TextStatistics()).add(value)
    else if (typeof value === "boolean") this.booleans++
    else if (typeof value === "number") this.#number(value)
    else if (depth >= DEEPEST) this.deep++
    else if (Array.isArray(value)) (this.arrays ??= new Arrays()).add(value, depth + 1)
    else (this.objects ??= new Objects()).add(value as Record<string, unknown>, depth + 1)
  }

  #number(value: number): void {
    this.numbers++
    if (Number.isSafeInteger(value)) {
      this.whole++
      ;(this.wholes ??= new TextStatistics()).note(String(value))
    }
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
  }
}

export class Objects {
  count = 0
  /** Fields by name; undefined when the names are data. */
  fields: Map<string, Documents> | undefined = new Map()
  /** When the names are data: the first of them. */
  first: ReadonlyMap<string, Documents> = new Map()
  /** When the names are data: the values of all others together. */
  readonly values = new Documents()
  readonly names = new TextStatistics()

  add(object: Record<string, unknown>, depth: number): void {
    this.count++
    for (const name of Object.keys(object)) {
      this.names.add(name)
      const value = object[name]
      const known = (this.fields ?? this.first).get(name)
      if (known !== undefined) known.add(value, depth)
      else if (this.fields !== undefined && this.fields.size < MOST_FIELDS) {
        const made = new Documents()
        made.add(value, depth)
        this.fields.set(name, made)
      } else {
        if (this.fields !== undefined) this.first = this.fields
        this.fields = undefined
        this.values.add(value, depth)
      }
    }
  }
}

/** Fields at every depth, with what was seen of their texts; names that are data are none. */
export function* fieldsIn(documents: Documents | undefined): Generator<[string, TextStatistics | undefined]> {
  const { objects, arrays } = documents ?? {}
  for (const [name, of] of objects?.fields ?? []) {
    const texts = of.strings ?? of.wholes
    if (texts !== undefined || of.objects !== undefined || of.arrays !== undefined) yield [name, texts]
    yield* fieldsIn(of)
  }
  for (const of of objects?.first.values() ?? []) yield* fieldsIn(of)
  if (objects !== undefined) yield* fieldsIn(objects.values)
  if (arrays !== undefined) yield* fieldsIn(arrays.items)
}

export class Arrays {
  count = 0
  readonly items = new Documents()
  shortest = Infinity
  longest = 0

  add(array: readonly unknown[], depth: number): void {
    this.count++
    this.shortest = Math.min(this.shortest, array.length)
    this.longest = Math.max(this.longest, array.length)
    for (const item of array.slice(0, MOST_ITEMS)) this.items.add(item, depth)
    if (array.length > MOST_ITEMS) this.items.deep++
  }
}
