/* What a drain has not put into its target yet, without counting anything twice.
 *
 * The shards are read first, each at one moment: what was added up, the batch that is out,
 * and its number n. The target is read afterwards, together with the last number a of each
 * shard that is in it. Then
 *   a < n   the batch is not in the target: both count
 *   a = n   the batch is in the target: what was added up counts
 *   a > n   what was added up became a later batch, which is in the target: nothing counts */

import type { Reply } from "../../driver/driver.ts"
import { inPairs, listOf, textOf } from "../call/reply.ts"

/** What a look at one shard found. */
export interface ShardState {
  readonly shard: string
  readonly number: number
  readonly added: readonly Reply[]
  readonly out: readonly Reply[]
}

export function shardStateOf(shard: string, reply: Reply, notOne: () => Error): ShardState {
  const [number, added, out] = listOf(reply)
  return { shard, number: batchNumber(number!, notOne), added: listOf(added!), out: listOf(out!) }
}

/** As the scripts take it: a larger one could not be counted on. */
function batchNumber(reply: Reply, notOne: () => Error): number {
  const text = textOf(reply)
  if (!/^\d{1,15}$/.test(text)) throw notOne()
  return Number(text)
}

/** By element, in latin1 so that no two of them are confused: how much of it is not in a target that has these numbers. */
export function pendingOf(looks: readonly ShardState[], numbers: ReadonlyMap<string, number>): Map<string, number> {
  const pending = new Map<string, number>()
  const add = (flat: readonly Reply[]): void => {
    for (const [raw, amount] of inPairs(flat)) {
      const element = exactly(raw)
      pending.set(element, (pending.get(element) ?? 0) + Number(textOf(amount)))
    }
  }
  for (const { shard, number, added, out } of looks) {
    const inTarget = numbers.get(shard) ?? 0
    if (inTarget < number) add(out)
    if (inTarget <= number) add(added)
  }
  return pending
}

/** `HGETALL` of the numbers. */
export function numbersOf(reply: Reply, notOne: () => Error): Map<string, number> {
  return new Map(inPairs(listOf(reply)).map(([shard, number]) => [textOf(shard), batchNumber(number, notOne)]))
}

/** The bytes of an element as text. */
export const exactly = (raw: Reply): string =>
  raw instanceof Uint8Array ? Buffer.from(raw).toString("latin1") : Buffer.from(textOf(raw)).toString("latin1")
