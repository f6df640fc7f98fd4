/* Where a client begins: from a keyspace and an address, or none, to typed access. */

import { findDriver, type DriverOptions } from "../driver/find-driver.ts"
import type { Driver } from "../driver/driver.ts"
import { clusterDatabases } from "../errors/connect.ts"
import { KeywrightError } from "../errors/error.ts"
import type { Drain } from "../schema/drain.ts"
import type { Duration } from "../schema/duration.ts"
import type { AnyParams } from "../schema/group.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { prefixValues } from "../schema/only-value.ts"
import type { Connected } from "./client.ts"
import { readyKeys } from "./call/ready-key.ts"
import { getMany } from "./kinds/get-many.ts"
import { asking, type CallNotes } from "./call/notes.ts"
import { DirectLane, type Lane } from "./call/lane.ts"
import { decisions } from "./decisions.ts"
import { ownSweeper } from "./entity/own-sweeper.ts"
import { sweepAll } from "./entity/sweep.ts"
import { checkFamilies } from "./kinds/family.ts"
import { rememberMsOf } from "./plan/operation-key.ts"
import { placementRefusal, splitParts } from "./placement.ts"
import { makeClient, type Context, type EntriesClass } from "./make-client.ts"
import { keyTextOf, type OnSent, tellerOf } from "./call/sent.ts"
import { drainersOf } from "./shards/drain-handles.ts"
import { readySteps, stepCalls } from "./steps/step.ts"
import { openTarget, type Target } from "./target.ts"
import { batchOver, multiOver, type CollectCalls } from "./transaction/together.ts"
import { OwnConnections } from "./call/own-connections.ts"

/**
 * Options of `connect`: deadlines, TLS, pools, what to call with each command.
 * @example
 * const options: ConnectOptions = { timeoutMs: 500, ready: true, onConnect: (label) => console.log(label) }
 * const db = await connect(shop, "redis://localhost:6379", options)
 */
export interface ConnectOptions extends Omit<DriverOptions, "client" | "refuseCluster"> {
  /**
   * On a cluster: entities, families, steps and invariants that may be in several slots, by the names that PLACEMENT.SPLIT
   * gives them. Calls that would need several slots are then refused one by one.
   */
  readonly acceptSplit?: readonly string[]
  /** Called once with a line that says where the client is connected. Default: nothing is printed. */
  readonly onConnect?: (label: string) => void
  /** How long an operation id and its result are remembered, up to 30 days. Default: a minute. */
  readonly rememberFor?: Duration
  /** The clock for the stamps of records; tests can pass their own. */
  readonly clock?: () => Date
  /** Waits until the server answers, and fails within the deadline when it does not: `connect` calls `$ready()`. Default: false. */
  readonly ready?: boolean
  /** Whether this process removes the index entries of expired records, once it has written such records. Default: true. */
  readonly sweep?: boolean
  /**
   * Called with each command, batch and script as it is sent, with secrets hidden: for programs that show what a call
   * does. With `{ isWanted, report }`, only for calls that are wanted; the others cost nothing.
   */
  readonly onSent?: OnSent
}

/**
 * Connects a keyspace to a server and returns a typed client. It does not wait for the server: `$ready()` does, or the
 * option `ready: true`.
 * @example
 * const db = await connect(shop) // REDIS_URL, or the embedded engine
 * const live = await connect(shop, "redis://localhost:6379", { ready: true })
 * const mine = await connect(shop, { client: createClient() }) // your node-redis or ioredis client
 */
export async function connect<E, R, Q, S, D = {}>(
  keyspace: Keyspace<E, R, Q, S, D>,
  target?: Target,
  options: ConnectOptions = {},
): Promise<Connected<E, R, Q, S, D>> {
  const schema = keyspace as Keyspace
  const rememberMs = options.rememberFor === undefined ? undefined : rememberMsOf(options.rememberFor)
  if (keyspace.prefix !== undefined) prefixValues(keyspace.prefix, keyspace.params as AnyParams)
  const ready = readyKeys(keyspace.keys)
  checkFamilies(ready)
  const steps = readySteps(schema, ready)
  const { acceptSplit, ...driving } = options
  if (acceptSplit !== undefined) splitParts(schema, acceptSplit)
  let refused: Error | undefined
  const refuseCluster = (where: string) => (refused = placementRefusal(schema, acceptSplit, where))
  const find = (given: string | DriverOptions, how: DriverOptions): Driver => {
    const found: Driver = findDriver(given, { ...how, refuseCluster: () => refuseCluster(found.label) })
    return found
  }
  const { driver: opened, close } = await openTarget(target, driving, find)
  // A client that was handed in says at once that it is one of a cluster.
  if (opened.cluster) refuseCluster(opened.label)
  if (refused !== undefined) {
    await close()
    throw refused
  }
  const teller = options.onSent && tellerOf(schema, ready, options.onSent)
  const driver = teller === undefined ? opened : teller.wrap(opened)
  options.onConnect?.(driver.label)
  const drivers = await openDatabases(schema, driver).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const { clock = () => new Date() } = options
  const shapes = new Map<string, EntriesClass>()
  const sweeper =
    options.sweep === false
      ? undefined
      : ownSweeper(schema, driver.label, (signal) => sweepAll({ keyspace: schema, ready, clock }, directLane, signal))
  const noted = () => sweeper?.wake()
  const clientOn = (how: Pick<Context, "laneOf" | "mode"> & Partial<Context>) => {
    const { laneOf, mode, entityLane, attempt, blind } = how
    const context = { keyspace: schema, ready, clock, noted, shapes, laneOf, mode, entityLane, attempt, blind }
    const client = makeClient(context, keyspace.entries as object)
    // Steps are separate scripts, so they cannot be part of a transaction.
    return mode === "transaction" || mode === "blind"
      ? client
      : Object.assign(client, { $steps: stepCalls(steps, laneOf) })
  }

  const show = keyTextOf(schema, ready)
  const direct = new Map(
    [...drivers].map(([db, one]) => [db, new DirectLane(one, new OwnConnections(one), rememberMs, teller?.plan, show)]),
  )
  const directLane = (db: number): Lane => direct.get(db)!
  const over = { drivers, rememberMs }

  const answers = async (notes?: CallNotes) => {
    await Promise.all([...new Set(drivers.values())].map((one) => one.send(["PING"], asking(notes))))
  }
  const end = async () => {
    await sweeper?.stop()
    await Promise.all([...direct.values()].map((lane) => lane.ownConnections?.close()))
    await close()
  }
  if (options.ready === true)
    await answers().catch(async (error: unknown) => {
      await end()
      throw error
    })

  return Object.assign(
    clientOn({ laneOf: directLane, mode: "direct" }),
    decisions({ keyspace: schema, ready, clock, laneOf: directLane, timeoutMs: driver.timeoutMs, clientOn }),
    {
      $batch: (calls: CollectCalls) =>
        batchOver(over, (laneOf) => clientOn({ laneOf, mode: "batch", entityLane: directLane }), calls),
      $multi: (calls: CollectCalls) => multiOver(over, (laneOf) => clientOn({ laneOf, mode: "multi" }), calls),
      $drains: drainersOf((keyspace.drains ?? {}) as Record<string, Drain>, ready, directLane),
      $getMany: getMany,
      $keyspace: keyspace,
      $driver: (db = driver.db) => drivers.get(db) ?? driver,
      $label: driver.label,
      $ready: answers,
      $close: end,
    },
  ) as unknown as Connected<E, R, Q, S, D>
}

/**
 * One driver for each logical database of the keyspace, also for those that are reserved and empty. Without
 * `database()` groups, all keys are where the address says.
 */
async function openDatabases(keyspace: Keyspace, driver: Driver): Promise<Map<number, Driver>> {
  const groups = Object.values(keyspace.entries as Record<string, { readonly db?: number }>)
  const reserved = groups.flatMap(({ db }) => db ?? [])
  if (reserved.length === 0) return new Map([[0, driver]])
  const numbers = [...new Set([...reserved, ...keyspace.keys.map((key) => key.db)])]
  const open = async (db: number): Promise<Driver> => {
    if (db === driver.db) return driver
    try {
      return await driver.database(db)
    } catch (error) {
      // Most clusters have one database; some of Valkey have more.
      const isMissing = error instanceof KeywrightError && error.code === "DRIVER.DATABASE"
      throw driver.cluster && isMissing ? clusterDatabases(numbers, driver.label, error) : error
    }
  }
  return new Map(await Promise.all(numbers.map(async (db) => [db, await open(db)] as const)))
}
