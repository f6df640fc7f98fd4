/* The keys of a file by number, read on demand: neighbouring keys together, and the last
 * ones kept, since most are requested again. */

import type { FileHandle } from "node:fs/promises"
import { rdbUnreadable } from "../../errors/rdb.ts"
import { readPart, type RdbFacts } from "../rdb/index.ts"
import { SnapshotKey } from "./snapshot-key.ts"
import { GAP, type KeyIndex } from "./key-index.ts"
import { Recent } from "./recent.ts"

/** What is read at once, unless one key is larger. */
export const PART_BYTES = 1024 * 1024
/** Strings that expand to more are read whole only where a command needs that. */
const LONG_STRING = 1024 * 1024
/** What a walk reads ahead. */
const AHEAD_BYTES = 512 * 1024
/** What keys that are read together may weigh; those that follow are read when they are asked for alone. */
const MOST_LOADED = 64 * 1024 * 1024

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

  /** The keys of these numbers, or the first of them: at least one, and as many as fit. */
  async load(index: KeyIndex, numbers: Iterable<number>): Promise<ReadonlyMap<number, SnapshotKey>> {
    return (await this.#load(index, numbers, {})).keys
  }

  /** A key whose string is longer than what `load` reads of it. */
  async whole(index: KeyIndex, number: number): Promise<SnapshotKey | undefined> {
    const { keys } = await this.#load(index, [number], { isWhole: true })
    return keys.get(number)
  }

  /** The same for a walk, which continues from there; with `wants`, only keys for which it is true. */
  walk(
    index: KeyIndex,
    numbers: readonly number[],
    wants: ((key: Buffer) => boolean) | undefined,
  ): Promise<LoadedKeys> {
    return this.#load(index, numbers, { wants, isWalk: true })
  }

  async #load(index: KeyIndex, numbers: Iterable<number>, how: How): Promise<LoadedKeys> {
    const { wants, isWhole = false } = how
    const loaded: LoadedKeys = { keys: new Map(), weight: 0, end: Infinity }
    const missing: number[] = []
    for (const number of numbers) {
      const known = isWhole ? undefined : this.#recent.get(idOf(index, number))
      if (known === undefined) missing.push(number)
      else if (wants === undefined || wants(Buffer.from(known.key))) loaded.keys.set(number, known)
    }
    missing.sort((a, b) => a - b)
    for (const run of runsOf(index, missing)) {
      if (loaded.weight > MOST_LOADED) loaded.end = Math.min(loaded.end, run[0]!)
      else await this.#read(index, run, how, loaded)
    }
    return loaded
  }

  async #read(index: KeyIndex, numbers: readonly number[], how: How, loaded: LoadedKeys): Promise<void> {
    const { wants, isWalk = false, isWhole = false } = how
    const offset = index.offset(numbers[0]!)
    const length = index.endOf(numbers.at(-1)!) - offset
    const bytes = this.#readAhead(offset, length) ?? (await this.#bytes(offset, length, isWalk ? index.end : 0))
    const part = { magic: this.#magic, db: index.db, offset }
    const mode = wants === undefined ? "full" : ({ key }: { key: Buffer }) => (wants(key) ? "full" : "skip")
    let next = 0
    const keys = numbers.at(-1)! - numbers[0]! + 1
    for (const batch of readPart(bytes, part, mode, keys, isWhole ? undefined : LONG_STRING)) {
      for (let i = 0; i < batch.length && next < numbers.length; i++) {
        const number = numbers[next]!
        if (batch.offset(i) !== index.offset(number)) continue
        next++
        if (wants !== undefined && !wants(batch.key(i))) continue
        const entry = new SnapshotKey(batch, i, this.#now)
        loaded.keys.set(number, entry)
        loaded.weight += entry.weight
        if (!isWhole) this.#recent.add(idOf(index, number), entry)
      }
      if (loaded.weight <= MOST_LOADED || next === numbers.length) continue
      loaded.end = numbers[next]!
      return
    }
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

interface LoadedKeys {
  readonly keys: Map<number, SnapshotKey>
  weight: number
  /** The first number that was not looked at, because those before it weigh enough; Infinity when there is none. */
  end: number
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
