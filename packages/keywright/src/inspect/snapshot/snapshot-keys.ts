/* The keys of a file by number, read on demand: neighbouring keys together, and the last
 * ones kept, since most are requested again. */

import type { FileHandle } from "node:fs/promises"
import { rdbUnreadable } from "../../errors/rdb.ts"
import { readPart, type RdbFacts } from "../rdb/index.ts"
import { SnapshotKey } from "./snapshot-key.ts"
import type { KeyIndex } from "./key-index.ts"
import { Recent } from "./recent.ts"

/** What is read at once, unless one key is larger. */
export const PART_BYTES = 1024 * 1024
/** Strings that expand to more are read whole only where a command needs that. */
const LONG_STRING = 1024 * 1024
/** What a walk reads ahead. */
const AHEAD_BYTES = 512 * 1024
/** Bytes between two keys that are read along, rather than read twice. */
const GAP = 4096

export class SnapshotKeys {
  readonly #file: FileHandle
  readonly #path: string
  readonly #magic: RdbFacts["magic"]
  readonly #now: number
  readonly #recent = new Recent()
  /** What was read last for a walk: it usually contains the next page, too. */
  #ahead = { offset: 0, bytes: Buffer.alloc(0) }

  constructor(file: FileHandle, path: string, magic: RdbFacts["magic"], now: number) {
    this.#file = file
    this.#path = path
    this.#magic = magic
    this.#now = now
  }

  /** The keys of these numbers. */
  load(index: KeyIndex, numbers: Iterable<number>): Promise<Map<number, SnapshotKey>> {
    return this.#load(index, numbers, {})
  }

  /** A key whose string is longer than what `load` reads of it. */
  async whole(index: KeyIndex, number: number): Promise<SnapshotKey | undefined> {
    const [found] = await this.#read(index, [number], { isWhole: true })
    return found?.[1]
  }

  /** The same for a walk, which continues from there; with `wants`, only keys for which it is true. */
  walk(
    index: KeyIndex,
    numbers: readonly number[],
    wants: ((key: Buffer) => boolean) | undefined,
  ): Promise<Map<number, SnapshotKey>> {
    return this.#load(index, numbers, { wants, isWalk: true })
  }

  async #load(index: KeyIndex, numbers: Iterable<number>, how: How): Promise<Map<number, SnapshotKey>> {
    const { wants } = how
    const loaded = new Map<number, SnapshotKey>()
    const missing: number[] = []
    for (const number of numbers) {
      const known = this.#recent.get(idOf(index, number))
      if (known === undefined) missing.push(number)
      else if (wants === undefined || wants(Buffer.from(known.key))) loaded.set(number, known)
    }
    missing.sort((a, b) => a - b)
    for (const run of runsOf(index, missing))
      for (const [number, entry] of await this.#read(index, run, how)) loaded.set(number, entry)
    return loaded
  }

  async #read(index: KeyIndex, numbers: readonly number[], how: How): Promise<[number, SnapshotKey][]> {
    const { wants, isWalk = false, isWhole = false } = how
    const offset = index.offset(numbers[0]!)
    const length = index.endOf(numbers.at(-1)!) - offset
    const bytes = this.#readAhead(offset, length) ?? (await this.#bytes(offset, length, isWalk ? index.end : 0))
    const part = { magic: this.#magic, db: index.db, offset }
    const mode = wants === undefined ? "full" : ({ key }: { key: Buffer }) => (wants(key) ? "full" : "skip")
    const found: [number, SnapshotKey][] = []
    let next = 0
    const keys = numbers.at(-1)! - numbers[0]! + 1
    for (const batch of readPart(bytes, part, mode, keys, isWhole ? undefined : LONG_STRING)) {
      for (let i = 0; i < batch.length && next < numbers.length; i++) {
        const number = numbers[next]!
        if (batch.offset(i) !== index.offset(number)) continue
        next++
        if (wants !== undefined && !wants(batch.key(i))) continue
        const entry = new SnapshotKey(batch, i, this.#now)
        found.push([number, entry])
        if (!isWhole) this.#recent.add(idOf(index, number), entry)
      }
    }
    return found
  }

  #readAhead(offset: number, length: number): Buffer | undefined {
    const start = offset - this.#ahead.offset
    return start >= 0 && start + length <= this.#ahead.bytes.length
      ? this.#ahead.bytes.subarray(start, start + length)
      : undefined
  }

  /** Reads this many bytes; more, up to `end`, if there are few. */
  async #bytes(offset: number, length: number, end: number): Promise<Buffer> {
    const more = Math.max(length, Math.min(AHEAD_BYTES, end - offset))
    const bytes = Buffer.allocUnsafeSlow(more)
    try {
      let at = 0
      while (at < more) {
        const { bytesRead } = await this.#file.read(bytes, at, Math.min(more - at, 1 << 30), offset + at)
        if (bytesRead === 0) throw new Error("it has become shorter")
        at += bytesRead
      }
      if (more > length) this.#ahead = { offset, bytes }
      return bytes.subarray(0, length)
    } catch (cause) {
      throw rdbUnreadable(this.#path, cause)
    }
  }
}

interface How {
  readonly wants?: ((key: Buffer) => boolean) | undefined
  readonly isWalk?: boolean
  /** Long strings too. */
  readonly isWhole?: boolean
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
