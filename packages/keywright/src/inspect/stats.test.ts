import { expect, it } from "vitest"
import { describe } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { startRedis } from "../../../../test/real-redis.ts"
import { onServers } from "../client/servers.cases.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { CANARY, fillPlaza, plaza } from "./plaza.cases.ts"
import { stats, type StatsResult } from "./stats.ts"

const schema = plaza as unknown as Keyspace
const patternOf = (result: StatsResult, name: string) =>
  result.databases.flatMap(({ patterns }) => patterns).find((one) => one.name === name)!

onServers("stats", (server) => {
  it("counts keys, bytes, types and TTLs by pattern, in every database", async () => {
    const { driver } = server()
    await fillPlaza(driver, 20)
    await driver.batch([
      ["SET", "lock:17:a", "1"],
      ["SET", "lock:18:a", "1"],
      ["SET", Buffer.from([255]), "1"],
      ["SET", "cache:big", "x".repeat(10_000)],
      ["SET", "keywright:lease:sweep", "1", "PX", "5000"],
    ])
    const result = await stats(schema, driver, { top: 2 })
    expect(result.keys).toBe((await server().keys()).length + 20)
    expect(result.databases.map(({ db, keys }) => [db, keys])).toMatchObject([
      [0, expect.any(Number)],
      [1, 20],
      [2, 0],
    ])
    expect(patternOf(result, "main.page")).toMatchObject({ keys: 21, types: { string: 21 } })
    expect(patternOf(result, "main.page").ttl).toMatchObject({ none: 1, "under an hour": 20 })
    expect(patternOf(result, "main.page").biggest[0]).toMatchObject({ key: "cache:big", type: "string" })
    expect(patternOf(result, "main.page").biggest.length).toBe(2)
    expect(patternOf(result, "main.viewed").biggest[0]!.key).toBe("viewed:…")
    expect(patternOf(result, "other.hits")).toMatchObject({ keys: 20 })
    expect(result.databases[0]!.unknown.map(({ pattern, keys }) => [pattern, keys])).toEqual([
      ["lock:{number}:a", 2],
      ["{bytes}", 1],
    ])
    expect(result.databases[0]!.toolkit).toMatchObject([{ name: "keywright.lease", keys: 1 }])
    expect(result.bytes).toBe(result.databases.reduce((sum, { bytes }) => sum + bytes, 0))
    expect(JSON.stringify(result)).not.toContain(CANARY)
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })
})

describe.runIf(needs("redis-server"))("stats of an RDB file", () => {
  it("has the same keys as the server that wrote it", async () => {
    const redis = await startRedis()
    const driver = openResp(redis.url)
    await fillPlaza(driver, 20)
    await driver.send(["SAVE"])
    const live = await stats(schema, driver)
    const saved = await stats(schema, { rdb: `${redis.directory}/dump.rdb` })
    const counts = (result: StatsResult) =>
      result.databases.flatMap(({ db, patterns }) =>
        patterns.filter(({ keys }) => keys > 0).map(({ name, keys, types }) => [db, name, keys, types]),
      )
    expect(counts(saved)).toEqual(counts(live))
    await driver.close()
    await redis.stop()
  })
})
