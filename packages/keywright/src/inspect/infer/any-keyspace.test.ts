/* Whatever is on a server: infer gives a schema that fits together, and audit by it finds
 * exactly what the report says, key by key. Keyspaces at random, by a seed. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit.ts"
import { found, reported } from "./exact.cases.ts"
import { infer } from "./infer.ts"
import { randomKeyspace } from "./random-keyspace.cases.ts"

const [FIRST, LAST] = (process.env["KEYWRIGHT_SEEDS"] ?? (process.env["KEYWRIGHT_FULL"] ? "1-400" : "1-100"))
  .split("-")
  .map(Number) as [number, number]
const seeds = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i)

describe.runIf(needs("redis-server"))("any keyspace", { timeout: 3_000_000 }, () => {
  let redis: RealRedis
  let driver: Driver
  beforeAll(async () => {
    redis = await startRedis()
    driver = openResp(redis.url)
  })
  afterAll(async () => {
    await driver?.close()
    await redis?.stop()
  })

  const fill = async (seed: number) => {
    await driver.send(["FLUSHALL"])
    for (const [db, commands] of randomKeyspace(seed)) await (await driver.database(db)).batch(commands)
  }

  it("gets a schema by which audit finds exactly what was reported", async () => {
    for (const seed of seeds) {
      await fill(seed)
      const inference = await infer(driver)
      const { findings } = await audit(fromJson(inference.form), driver)
      expect(found(findings), `seed ${seed}`).toEqual(reported(inference))
    }
  })
})
