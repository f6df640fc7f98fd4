/* The keys of a file by number, read when they are asked for: those that stand next to
 * each other together, and the last ones kept, since most are asked for again. */

import type { FileHandle } from "node:fs/promises"
import { rdbUnreadable } from "../../errors/rdb.ts"
import { readPart, type RdbFacts } from "../rdb/index.ts"
import { Entry } from "./entry.ts"
import type { KeyIndex } from "./key-index.ts"

/** What is read at once, unless one key is larger. */
export const PART_BYTES = 4 * 1024 * 1024
/** Bytes between two keys that are read along, rather than read twice. */
const GAP = 4096
/** What is kept, by `Entry.weight`; twice the largest value, if that is more. */
const KEPT = 96 * 1024 * 1024

export class Entries {
  readonly #file: FileHandle
  readonly #path: string
  readonly #magic: RdbFacts["magic"]
  readonly #now: number
  readonly #kept = new Map<number, Entry>()
  #weight = 0
  #most = KEPT

  constructor(file: FileHandle, path: string, magic: RdbFacts["magic"], now: number) {
    this.#file = file
    this.#path = path
    this.#magic = magic
    this.#now = now
  }

  /** The keys of these numbers; with `wants`, of all others only the key. */
  async load(
    index: KeyIndex,
    numbers: Iterable<number>,
    wants?: (key: Buffer) => boolean,
  ): Promise<Map<number, Entry>> {
    const loaded = new Map<number, Entry>()
    const missing: number[] = []
    for (const number of numbers) {
      const known = this.#known(index, number)
      if (known === undefined) missing.push(number)
      else if (wants === undefined || wants(Buffer.from(known.key))) loaded.set(number, known)
    }
    missing.sort((a, b) => a - b)
    for (const run of runsOf(index, missing))
      for (const [number, entry] of await this.#read(index, run, wants)) loaded.set(number, entry)
    return loaded
  }

  #known(index: KeyIndex, number: number): Entry | undefined {
    const id = idOf(index, number)
    const entry = this.#kept.get(id)
    if (entry === undefined) return undefined
    this.#kept.delete(id)
    this.#kept.set(id, entry)
    return entry
  }

  async #read(
    index: KeyIndex,
    numbers: readonly number[],
    wants?: (key: Buffer) => boolean,
  ): Promise<[number, Entry][]> {
    const offset = index.offset(numbers[0]!)
    const bytes = await this.#bytes(offset, index.endOf(numbers.at(-1)!) - offset)
    const part = { magic: this.#magic, db: index.db, offset }
    const mode = wants === undefined ? "full" : ({ key }: { key: Buffer }) => (wants(key) ? "full" : "skip")
    const found: [number, Entry][] = []
    let next = 0
    for (const batch of readPart(bytes, part, mode, numbers.at(-1)! - numbers[0]! + 1)) {
      for (let i = 0; i < batch.length && next < numbers.length; i++) {
        const number = numbers[next]!
        if (batch.offset(i) !== index.offset(number)) continue
        next++
        if (wants !== undefined && !wants(batch.key(i))) continue
        const entry = new Entry(batch.record(i), this.#now)
        found.push([number, entry])
        this.#keep(idOf(index, number), entry)
      }
    }
    return found
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length)
    try {
      let at = 0
      while (at < length) {
        const { bytesRead } = await this.#file.read(bytes, at, Math.min(length - at, 1 << 30), offset + at)
        if (bytesRead === 0) throw new Error("it has become shorter")
        at += bytesRead
      }
      return bytes
    } catch (cause) {
      throw rdbUnreadable(this.#path, cause)
    }
  }

  #keep(id: number, entry: Entry): void {
    if (this.#kept.has(id)) return
    this.#weight += entry.weight
    this.#most = Math.max(this.#most, 2 * entry.weight)
    this.#kept.set(id, entry)
    for (const [old, { weight }] of this.#kept) {
      if (this.#weight <= this.#most) break
      this.#kept.delete(old)
      this.#weight -= weight
    }
  }
}

const idOf = ({ db }: KeyIndex, number: number): number => db * 2 ** 32 + number

/** Numbers in ascending order, in groups that are read at once. */
function runsOf(index: KeyIndex, numbers: readonly number[]): number[][] {
  const runs: number[][] = []
  let start = 0
  let end = -Infinity
  for (const number of numbers) {
    const offset = index.offset(number)
    if (offset - end > GAP || index.endOf(number) - start > PART_BYTES) {
      runs.push([])
      start = offset
    }
    runs.at(-1)!.push(number)
    end = index.endOf(number)
  }
  return runs
}
