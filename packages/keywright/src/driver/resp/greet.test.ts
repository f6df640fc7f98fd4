/* What a server may refuse while it is greeted, and what must not be taken for granted then. */

import { afterAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { until } from "../../../../../test/until.ts"
import { redisForSuite } from "../redis-for-suite.cases.ts"
import { openResp } from "./open-resp.ts"

describe.runIf(needs("redis-server"))("a server that is busy while it is greeted", () => {
  const suite = redisForSuite({ args: ["--busy-reply-threshold", "50"] })
  const ends: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const end of ends) await end()
  })

  it.each([2, 3] as const)("does not get the write for another database into database 0 (RESP%i)", async (protocol) => {
    const script = suite.driver.send(["EVAL", "while true do end", "0"], { timeoutMs: 60_000 }).catch(() => undefined)
    const control = openResp(suite.redis.url, { timeoutMs: 60_000 })
    ends.push(() => control.close())
    const isBusy = (error: unknown) => (error as { code?: string }).code === "SERVER.BUSY"
    await until(() => control.send(["GET", "k"], { timeoutMs: 100 }).then(() => false, isBusy))
    const other = openResp(suite.redis.url, { db: 3, protocol, timeoutMs: 60_000 })
    ends.push(() => other.close())
    const written = other.send(["SET", "k", "v"])
    await new Promise((resolve) => setTimeout(resolve, 300))
    await control.send(["SCRIPT", "KILL"])
    await script
    expect(await written).toBe("OK")
    expect([await suite.driver.send(["EXISTS", "k"]), await other.send(["DEL", "k"])]).toEqual([0, 1])
  })
})
