/* Where a client begins: from a keyspace and an address, or none, to typed access. */

import { findDriver, type DriverOptions } from "../driver/find-driver.ts"
import type { Driver } from "../driver/driver.ts"
import { clusterDatabases } from "../errors/connect.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import type { Connected } from "./client.ts"
import { declare } from "./declared.ts"
import { DirectLane, type Lane } from "./lane.ts"
import { decisions } from "./decisions.ts"
import { makeClient, type Context } from "./make-client.ts"
import { RecordingLane } from "./recorded.ts"
import { openTarget, type Target } from "./target.ts"

export interface ConnectOptions extends Omit<DriverOptions, "client"> {
  /** Said where the client is connected to, once; by default, nothing is printed. */
  readonly onConnect?: (label: string) => void
  /** The time, for stamps of records: another one in tests. */
  readonly clock?: () => Date
}

/**
 * Connects a keyspace to a server and gives typed access to it.
 *
 *     const db = await connect(shop)                          // REDIS_URL, or the embedded engine
 *     const db = await connect(shop, "redis://localhost:6379")
 *     const db = await connect(shop, { client })              // your node-redis or ioredis client
 */
export async function connect<E, R, Q, S>(
  keyspace: Keyspace<E, R, Q, S>,
  target?: Target,
  options: ConnectOptions = {},
): Promise<Connected<E, R, Q, S>> {
  const { driver, close } = await openTarget(target, options, findDriver)
  options.onConnect?.(driver.label)
  const drivers = await openDatabases(keyspace as Keyspace, driver)
  const declared = declare(keyspace.keys)
  const { clock = () => new Date() } = options
  const clientOn = (how: Pick<Context, "lane" | "mode"> & Partial<Context>) =>
    makeClient({ keyspace: keyspace as Keyspace, declared, clock, ...how }, keyspace.entries as object)

  const direct = new Map([...drivers].map(([db, one]) => [db, new DirectLane(one)]))
  const directLane = (db: number): Lane => direct.get(db)!
  const together = async (
    mode: "batch" | "multi",
    calls: (db: never) => readonly unknown[],
    commit: (lane: RecordingLane) => Promise<void>,
  ) => {
    const lanes = new Map<number, RecordingLane>()
    const laneOf = (db: number) => {
      const lane = lanes.get(db) ?? new RecordingLane(drivers.get(db)!)
      lanes.set(db, lane)
      return lane
    }
    const results = Promise.all(calls(clientOn({ lane: laneOf, mode }) as never))
    await Promise.all([...lanes.values()].map(commit))
    return results
  }

  return Object.assign(
    clientOn({ lane: directLane, mode: "direct" }),
    decisions({ keyspace: keyspace as Keyspace, declared, laneOf: directLane, clientOn }),
    {
      $batch: (calls: (db: never) => readonly unknown[]) => together("batch", calls, (lane) => lane.commitBatch()),
      $multi: (calls: (db: never) => readonly unknown[]) => together("multi", calls, (lane) => lane.commitMulti()),
      $keyspace: keyspace,
      $driver: (db = driver.db) => drivers.get(db) ?? driver,
      $label: driver.label,
      $close: close,
    },
  ) as unknown as Connected<E, R, Q, S>
}

/** One driver for each logical database of the keyspace. Without `database()` groups, all keys are where the address says. */
async function openDatabases(keyspace: Keyspace, driver: Driver): Promise<Map<number, Driver>> {
  const numbered = Object.values(keyspace.entries as object).some((entry: { db?: number }) => entry.db !== undefined)
  if (!numbered) return new Map([[0, driver]])
  const numbers = [...new Set(keyspace.keys.map((key) => key.db))]
  if (driver.cluster && numbers.some((db) => db !== 0)) throw clusterDatabases(numbers)
  return new Map(
    await Promise.all(numbers.map(async (db) => [db, db === driver.db ? driver : await driver.database(db)] as const)),
  )
}
