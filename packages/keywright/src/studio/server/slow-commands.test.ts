import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { keyspace, string, text } from "../../schema/index.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { OpenSystem } from "./open-system.ts"
import { slowCommands } from "./slow-commands.ts"

const pages = keyspace({ page: string("page:{id}", text) }, { ttl: "never", name: "pages" })

describe.runIf(needs("redis-server"))("the slow log", () => {
  let redis: RealRedis
  let system: OpenSystem
  beforeAll(async () => {
    // Everything is slow.
    redis = await startRedis({ args: ["--slowlog-log-slower-than", "0"] })
    system = await OpenSystem.open({ keyspace: pages as unknown as Keyspace, server: redis.url }, "pages")
  })
  afterAll(async () => {
    await system?.close()
    await redis?.stop()
  })

  it("is listed by command and pattern, without arguments", async () => {
    const driver = openResp(redis.url)
    await driver.batch([
      ["SET", "page:1", "canary-value"],
      ["SET", "page:2", "canary-value"],
      ["GET", "canary-key"],
      ["EVAL", "return redis.call('GET', KEYS[1])", "1", "page:1"],
    ])
    await driver.close()
    const { rows, entries, since } = await slowCommands(system)
    const set = rows.find(({ command }) => command === "set")
    expect(set).toMatchObject({ pattern: "page:{id}", name: "page", count: 2, longestMicros: expect.any(Number) })
    expect(set!.totalMicros).toBeGreaterThanOrEqual(set!.longestMicros)
    expect(rows.find(({ command }) => command === "eval")).toMatchObject({ name: "page" })
    expect(rows.find(({ command, name }) => command === "get" && name === undefined)).toMatchObject({ count: 1 })
    expect(rows.map(({ totalMicros }) => totalMicros)).toEqual(
      rows.map(({ totalMicros }) => totalMicros).toSorted((a, b) => b - a),
    )
    expect(entries).toBeGreaterThanOrEqual(4)
    expect(Date.parse(since!)).toBeLessThanOrEqual(Date.now())
    expect(JSON.stringify(rows)).not.toContain("canary")
  })
})
