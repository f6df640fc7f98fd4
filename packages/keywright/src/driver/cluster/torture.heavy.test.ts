/* The torture of torture.cases.ts. The full run takes some minutes; the short one a kill, a pause, a failover and a
 * cut. torture-mutants.full.test.ts shows that it finds routers that are broken. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import type { RealCluster } from "../../../../../test/redis-cluster.ts"
import type { Driver } from "../driver.ts"
import { nemeses, type NemesisName, openTortured, startTortured, torture } from "./torture.cases.ts"

const DEADLINE_MS = 30_000
const short: readonly NemesisName[] = [
  "kill -9, and back later",
  "a pause that is longer than the node timeout",
  "a failover by hand",
  "all connections cut",
  "scripts forgotten",
]
const names = Object.keys(nemeses) as NemesisName[]
const order = isFull ? Array.from({ length: 24 }, (_, i) => names[i % names.length]!) : short

describe.runIf(needs("redis-server"))("a cluster whose nodes fail", () => {
  let cluster: RealCluster
  let driver: Driver

  beforeAll(async () => {
    cluster = await startTortured()
    driver = openTortured(cluster, DEADLINE_MS)
  }, 120_000)
  afterAll(async () => {
    await driver?.close()
    await cluster?.stop()
  })

  test(
    "costs only the calls that were on their way",
    async () => {
      const { violations, told } = await torture(driver, cluster, order, DEADLINE_MS)
      process.stderr.write(`torture: ${JSON.stringify(told)}\n`)
      expect(violations).toEqual([])
    },
    isFull ? 1_200_000 : 120_000,
  )
})
