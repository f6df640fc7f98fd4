/* The fences of all shards, as one run sees them: which records were applied where, and
 * how a batch is cut into the parts of each shard. */

import type { Driver, Reply } from "../../driver/driver.ts"
import { isKeywrightError } from "../../errors/error.ts"
import { fenceOrder, fenceOvertaken, fenceTerm, fenceUnreadable } from "../../errors/fence.ts"
import { checkSequence, TERM } from "../../schema/fence.ts"
import { listOf, textOf } from "../call/reply.ts"
import { fenceTakeScript } from "../lua/index.ts"

/** The handle of a fence: `db.user({ user }).fence()`. */
interface FenceHandle {
  readonly key: string
}

/**
 * What `takeFences` takes.
 * @example
 * const optionsOf = (all: readonly { key: string }[], of: (user: number) => { key: string }): FenceOptions<number> =>
 *   ({ on: db, term: 1, all, of })
 */
export interface FenceOptions<V> {
  /** A connected client. */
  readonly on: { $driver(): Driver }
  /** A number that grows from run to run: a counter beside the cursor of the run. */
  readonly term: number
  /** The fences of all shards: `db.user.shards().map((shard) => shard.fence())`. */
  readonly all: readonly FenceHandle[]
  /** The fence of one value: `(user) => db.user({ user }).fence()`. */
  readonly of: (value: V) => FenceHandle
  /** Forgets how far each sequence was applied: what was applied is about to be removed. */
  readonly forget?: boolean
}

/**
 * The part of a batch that belongs to one shard.
 * @example
 * const sizeOf = (part: FencePart<number, object>) => part.rows.length
 */
export interface FencePart<V, R> {
  /** One of the values, to bind the group by. */
  readonly value: V
  readonly rows: readonly R[]
  readonly sequence: string
  /** For the argument `fence` of the step. */
  readonly fence: readonly number[]
}

/**
 * What `takeFences` makes.
 * @example
 * const isNew = (fences: Fences<number>, user: number, id: number) => !fences.isApplied("reaction", user, id)
 */
export interface Fences<V> {
  /** An earlier run has applied this record, and was cut short before it moved its cursor. */
  isApplied(sequence: string, value: V, id: number): boolean
  /** No record beyond this one was applied by an earlier run. */
  highest(sequence: string): number
  /**
   * Cuts rows by shard, in the order of their ids. Hand each part to its step, and wait for all of them before the cursor
   * of the run is moved, and before the next batch of the sequence.
   */
  split<R extends { readonly id: number }>(
    sequence: string,
    rows: readonly R[],
    valueOf: (row: R) => V,
  ): readonly FencePart<V, R>[]
}

/** Calls that are under way at once: a shard each. */
const AT_ONCE = 256

/**
 * Begins a term in every shard: from then on nothing that an earlier run has sent is applied any more. Steps declared with
 * `fencedStep` apply each record once, whatever happens to the runs.
 * @example
 * const begin = (all: readonly { key: string }[], of: (user: number) => { key: string }) =>
 *   takeFences({ on: db, term: 2, all, of })
 */
export async function takeFences<V>({ on, term, all, of, forget }: FenceOptions<V>): Promise<Fences<V>> {
  if (!Number.isSafeInteger(term) || term < 1) throw fenceTerm(term)
  const driver = on.$driver()
  const known = new Map<string, Map<string, number>>()
  const take = async (fence: FenceHandle): Promise<void> => {
    const { key } = fence
    const shown = shownAs(fence)
    const args = [String(term), forget ? "1" : "0"]
    const found = await driver.run(fenceTakeScript, [key], args, { safe: true }).catch((error: unknown) => {
      throw isKeywrightError(error) && error.code === "FENCE.UNREADABLE" ? fenceUnreadable(shown) : error
    })
    if (found === null) throw fenceOvertaken(shown, term)
    known.set(key, positionsOf(shown, listOf(found)))
  }
  for (let i = 0; i < all.length; i += AT_ONCE) await Promise.all(all.slice(i, i + AT_ONCE).map(take))

  const keys = new Map<V, string>()
  const keyOf = (value: V): string => {
    let key = keys.get(value)
    if (key === undefined) keys.set(value, (key = of(value).key))
    return key
  }
  /** For each shard and sequence, the last record that this run has sent. */
  const sent = new Map<string, number>()
  const appliedIn = (key: string, sequence: string): number => known.get(key)?.get(sequence) ?? 0

  return {
    isApplied: (sequence, value, id) => id <= appliedIn(keyOf(value), sequence),
    highest: (sequence) => Math.max(0, ...[...known.values()].map((positions) => positions.get(sequence) ?? 0)),
    split(sequence, rows, valueOf) {
      checkSequence(sequence)
      const parts = new Map<string, { value: V; rows: (typeof rows)[number][]; sequence: string; fence: number[] }>()
      for (const row of rows) {
        const value = valueOf(row)
        const key = keyOf(value)
        const name = `${key} ${sequence}`
        const last = sent.get(name) ?? 0
        if (!Number.isSafeInteger(row.id) || row.id <= last) throw fenceOrder(sequence, row.id, last)
        let part = parts.get(key)
        if (part === undefined) parts.set(key, (part = { value, rows: [], sequence, fence: [term, last] }))
        part.rows.push(row)
        part.fence.push(row.id)
        sent.set(name, row.id)
      }
      return [...parts.values()]
    },
  }
}

/** Handles hide the secret parts of their keys. */
const shownAs = (fence: FenceHandle): string =>
  fence.toString === Object.prototype.toString ? fence.key : String(fence)

function positionsOf(shown: string, reply: readonly Reply[]): Map<string, number> {
  const positions = new Map<string, number>()
  for (let i = 0; i < reply.length; i += 2) {
    const sequence = textOf(reply[i]!)
    const text = textOf(reply[i + 1]!)
    if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) throw fenceUnreadable(shown)
    if (sequence !== TERM) positions.set(sequence, Number(text))
  }
  return positions
}
