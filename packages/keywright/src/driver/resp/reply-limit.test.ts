import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openServer } from "./open-resp.ts"

describe.runIf(needs("redis-server"))("a value that is longer than a reply may be", () => {
  let redis: RealRedis
  beforeAll(async () => {
    redis = await startRedis()
    const driver = openServer(redis.url)
    await driver.send(["SET", "large", "x".repeat(1_000_000)])
    await driver.close()
  })
  afterAll(() => redis.stop())

  it.each([
    ["of the address", "?replyBytes=200000", {}, false],
    ["of the options, which come first", "?replyBytes=2000000", { replyBytes: 200_000 }, false],
    ["of a program", "", { usualReplyBytes: 200_000 }, false],
    ["that the address raises", "?replyBytes=2000000", { usualReplyBytes: 200_000 }, true],
  ])("limit %s", async (_, query, options, isRead) => {
    const driver = openServer(`${redis.url}${query}`, options)
    const reply = await driver.send(["GET", "large"], { safe: true }).catch((error: unknown) => error)
    if (isRead) expect(reply).toHaveLength(1_000_000)
    else {
      const fix = expect.stringContaining("raise `replyBytes`")
      expect(reply).toMatchObject({ code: "DRIVER.REPLY_TOO_LARGE", details: { most: 200_000 }, fix })
    }
    expect(await driver.send(["GETRANGE", "large", "0", "2"])).toBe("xxx")
    await driver.close()
  })
})
