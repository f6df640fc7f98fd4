/* A run: servers, writers, nemeses; then everything that was asked and answered is put
 * together with what the server holds, and judged. */

import { setTimeout as sleep } from "node:timers/promises"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { startProxy } from "../../../../../test/tcp-proxy.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { connect } from "../connect.ts"
import type { WriterBundle } from "./bundle-writer.cases.ts"
import { checkHistory } from "./check-history.cases.ts"
import { checkAccounts, readFinalState } from "./final-state.cases.ts"
import type { Anomaly, Pause } from "./history.cases.ts"
import type { Mutant } from "./mutants.cases.ts"
import {
  AOF,
  nemeses,
  type NemesisName,
  replicaOf,
  type Scene,
  SYNC_AT_ONCE,
  untilReplicating,
} from "./nemeses.cases.ts"
import { watchPauses } from "./pauses.cases.ts"
import { Random } from "../../../../../test/random.ts"
import { openAccounts, workspace } from "./workload.cases.ts"
import type { DriverName } from "./writer.cases.ts"
import { recordedBy, Writer } from "./writers.cases.ts"

export interface RunOptions {
  readonly bundle: WriterBundle
  /** The client of each writing process. */
  readonly drivers: readonly DriverName[]
  /** The run is over when all nemeses have been there and this many transactions were made. */
  readonly transactions: number
  readonly nemeses: readonly NemesisName[]
  readonly lanes?: number
  readonly seed: number
  /** What the writers do wrong: of a bundle with spoiled drivers. */
  readonly mutant?: Mutant
}

export interface RunResult {
  readonly anomalies: readonly Anomaly[]
  readonly transactions: number
  /** How often calls settled with each code. */
  readonly codes: Readonly<Record<string, number>>
  readonly checkedMs: number
}

/** Every call has a deadline of two seconds at most, and a repetition or two. */
const PATIENCE_MS = 30_000

/** What there is before anybody begins is not lost with the first primary. */
async function untilItHasAll(replica: RealRedis, primary: Driver): Promise<void> {
  const driver = openResp(replica.url)
  while ((await driver.send(["DBSIZE"])) !== (await primary.send(["DBSIZE"]))) await sleep(10)
  await driver.close()
}

export async function runHistory(options: RunOptions): Promise<RunResult> {
  const { bundle, drivers, seed, lanes = 6 } = options
  const random = new Random(seed)
  const failover = options.nemeses.includes("failOver")
  const primary = await startRedis({ args: failover ? SYNC_AT_ONCE : AOF })
  const replica = failover ? await startRedis({ args: replicaOf(primary.port) }) : undefined
  if (replica) await untilReplicating(replica)
  const db = await connect(workspace, primary.url)
  await openAccounts(db)
  if (replica) await untilItHasAll(replica, db.$driver())
  await db.$close()

  const proxies = await Promise.all(drivers.map(() => startProxy(primary.port)))
  const writers = drivers.map(
    (driver, i) => new Writer(bundle, i + 1, { port: proxies[i]!.port, driver, lanes, replicated: failover }, options),
  )
  const scene: Scene = { random, writers, proxies, primary, replica }
  const machine: Pause[] = []
  const watching = watchPauses((pause) => machine.push(pause))
  const unsettled: Anomaly[] = []
  try {
    await Promise.all(writers.map((writer) => writer.begin()))
    const made = () => writers.reduce((sum, { transactions }) => sum + transactions, 0)
    for (let round = 0; round === 0 || made() < options.transactions; round++) {
      for (const name of options.nemeses) {
        await sleep(30 + random.int(100))
        await nemeses[name](scene)
      }
      await sleep(50)
    }
    unsettled.push(...(await Promise.all(writers.map((writer) => writer.end(PATIENCE_MS)))).flat())
  } finally {
    for (const writer of writers) writer.kill()
    await Promise.all(proxies.map((proxy) => proxy.close()))
    watching.stop()
  }

  const { transactions, pauses, codes, anomalies } = recordedBy(writers)
  const driver = openResp(scene.primary.url, { timeoutMs: 10_000 })
  const operations = transactions.flatMap(({ writes, calls }) => [
    ...writes,
    ...calls.flatMap(({ answer = [] }) => answer),
  ])
  const final = await readFinalState(driver, operations)
  const accounts = await checkAccounts(driver)
  await driver.close()
  await primary.stop()
  await replica?.stop()

  const began = performance.now()
  const found = checkHistory({ transactions, final, pauses: pauses.set("", machine), failover })
  return {
    anomalies: [...unsettled, ...anomalies, ...accounts, ...found],
    transactions: transactions.length,
    codes,
    checkedMs: performance.now() - began,
  }
}
