import { expect, it } from "vitest"
import { onBothServers } from "../../client/servers.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { CANARY, fillPlaza, plaza } from "../audit/plaza.cases.ts"
import { stats, type StatsResult } from "./stats.ts"

const schema = plaza as unknown as Keyspace
const patternOf = (result: StatsResult, name: string) =>
  result.databases.flatMap(({ patterns }) => patterns).find((one) => one.name === name)!

onBothServers("stats", (server) => {
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
