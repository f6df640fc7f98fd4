/* What is known of the values of one pattern, for each Redis type that its keys have. */

import type { Wire } from "../../../driver/driver.ts"
import { isText, showWire } from "../../walk/wire.ts"
import { Cells } from "./cells.ts"
import { TextStatistics } from "./text-statistics.ts"

/** A value as it was read: elements in a row, as the server returns them. */
export interface ReadValue {
  readonly type: string
  readonly elements: readonly Wire[]
  /** There is more that was not read. */
  readonly cut: boolean
}

const MOST_FIELDS = 96

export class Values {
  /** How many values were read, and how many of them in part. */
  read = 0
  cut = 0
  /** Strings, items, members, or all values of hashes together. */
  readonly cells = new Cells()
  readonly scores = new TextStatistics()
  /** Names of hash fields, or of a stream's entries. */
  readonly names = new TextStatistics()
  /** Hashes by field; undefined when there are too many names. */
  fields: Map<string, Cells> | undefined = new Map()
  /** Hashes, or entries of streams. */
  records = 0
  /** Names of fields that are not text, and values that have such. */
  binaryNames = 0
  misnamed = 0
  /** Streams that have entries. */
  filled = 0
  /** How many elements the longest collections have, how many are as long, and how many one shorter. */
  largest = 0
  full = 0
  nearlyFull = 0

  add({ type, elements, cut }: ReadValue): void {
    this.read++
    if (cut) this.cut++
    if (type === "stream" && elements.length > 0) this.filled++
    const misnamed = this.binaryNames
    if (type === "string") this.cells.add(elements[0] ?? "", cut)
    else if (type === "hash") this.#pairs(elements)
    else if (type === "zset") this.#scored(elements)
    else if (type === "stream") this.#entries(elements)
    else for (const element of elements) this.cells.add(element)
    if (this.binaryNames > misnamed) this.misnamed++
    if (type === "list" || type === "zset") this.#size(type === "list" ? elements.length : elements.length / 2)
  }

  #size(size: number): void {
    if (size > this.largest) {
      this.nearlyFull = size === this.largest + 1 ? this.full : 0
      this.largest = size
      this.full = 1
    } else if (size === this.largest) this.full++
    else if (size === this.largest - 1) this.nearlyFull++
  }

  /** Entries of a stream, each after the number of its words. */
  #entries(elements: readonly Wire[]): void {
    for (let at = 0; at < elements.length;) {
      const words = Number(elements[at])
      this.#pairs(elements.slice(at + 1, at + 1 + words))
      at += 1 + words
    }
  }

  #pairs(elements: readonly Wire[]): void {
    this.records++
    for (let i = 0; i + 1 < elements.length; i += 2) {
      const name = elements[i]!
      const value = elements[i + 1]!
      this.names.add(isText(name) ? name : showWire(name))
      this.cells.add(value)
      if (!isText(name)) {
        this.binaryNames++
        continue
      }
      let cells = this.fields?.get(name)
      if (cells === undefined && this.fields !== undefined) {
        if (this.fields.size >= MOST_FIELDS) this.fields = undefined
        else this.fields.set(name, (cells = new Cells()))
      }
      cells?.add(value)
    }
  }

  #scored(elements: readonly Wire[]): void {
    for (let i = 0; i + 1 < elements.length; i += 2) {
      this.cells.add(elements[i]!)
      this.scores.add(String(elements[i + 1]))
    }
  }
}

/** A set has no order, and a large hash or sorted set none that a file keeps: sorted, they are the same in both. */
export function inOrder(reading: ReadValue): ReadValue {
  const { type, elements } = reading
  if (type === "set") return { ...reading, elements: elements.toSorted(byText) }
  const isPacked = elements.length <= 256 && elements.every((element) => element.length <= 64)
  if (type !== "zset" && (type !== "hash" || isPacked)) return reading
  const pairs = Array.from({ length: elements.length / 2 }, (_, i) => [elements[2 * i]!, elements[2 * i + 1]!] as const)
  return { ...reading, elements: pairs.sort(([a], [b]) => byText(a, b)).flat() }
}

const byText = (a: Wire, b: Wire): number => (String(a) < String(b) ? -1 : 1)
