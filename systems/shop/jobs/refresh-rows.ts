/* Copies rows that are due from the source to Redis. A row is claimed first, so that of
 * several refreshers one loads it; the claim also says when it is due next, so that a
 * row whose load fails waits like the others (SHOP-12 to SHOP-14). */

import { job, type Pass, type Undecodable } from "keywright"
import { errorFields, jobFailed } from "../../platform/log.ts"
import type { ShopContext } from "../context.ts"
import type { Row } from "../schema.ts"
import type { Inventory } from "../services/inventory.ts"

const AT_ONCE = 50

export interface Refreshed {
  refreshed: number
  removed: number
  failed: number
}

type Schedule = ReturnType<ReturnType<ShopContext["db"]["stock"]["shards"]>[number]["schedule"]>

export function refreshRows({ db, clock, log, lenient }: ShopContext, inventory: Inventory) {
  /** What became of one row; undefined when another refresher has it, or it was changed meanwhile. */
  const refresh = async (row: string, due: number): Promise<keyof Refreshed | undefined> => {
    const next = await db.$steps.claimRow({ row, id: row, due, now: clock.seconds() })
    if (next === undefined) return undefined
    if (next === "") return "removed"
    let loaded: Row | undefined
    try {
      loaded = await inventory.load(row)
    } catch (error) {
      log.warn("row not loaded", errorFields(error))
      return "failed"
    }
    if (loaded === undefined) return (await db.$steps.dropRow({ row, id: row, next })) ? "removed" : undefined
    return (await db.$steps.storeRow({ row, id: row, json: loaded })) ? "refreshed" : undefined
  }

  /** Refreshes one shard. What is not a row id, or is a row of another shard, is left there and skipped (ALL-11). */
  const runShard = async (schedule: Schedule, due: number, counts: Refreshed, { signal }: Pass): Promise<void> => {
    let offset = 0
    const left = new Set<string>()
    const handle = async (row: string): Promise<void> => {
      const done = left.has(row) ? undefined : await refresh(row, due)
      if (done !== undefined) counts[done] += 1
      // Another refresher has it, and then it does not come again; or it stays there, whatever is done.
      else if (left.has(row)) offset += 1
      else left.add(row)
    }
    const onUndecodable = (error: Undecodable) => {
      offset += 1
      lenient.onUndecodable(error)
    }
    while (!signal.aborted) {
      const passedOver = offset
      const rows = await schedule.between("-inf", due, { limit: AT_ONCE, offset, onUndecodable })
      if (rows.length === 0 && offset === passedOver) break
      await Promise.all(rows.map(([row]) => handle(row)))
    }
    counts.failed += offset
  }

  /** All rows that are due when it begins, each once. */
  const run = async (pass: Pass): Promise<Refreshed> => {
    const counts: Refreshed = { refreshed: 0, removed: 0, failed: 0 }
    const due = clock.seconds()
    await Promise.all(db.stock.shards().map((shard) => runShard(shard.schedule(), due, counts, pass)))
    return counts
  }

  return job({
    name: "shop.rows",
    every: "50ms",
    run,
    onError: jobFailed(log, "refresh failed"),
  })
}
