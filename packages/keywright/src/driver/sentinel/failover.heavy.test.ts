/* Three real sentinels, a primary that is killed or replaced again and again, and callers
 * that must not notice: calls that may be repeated are all carried out. */

import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import {
  primaryOf,
  type RealSentinels,
  SERVICE,
  startSentinels,
  untilFollowed,
} from "../../../../../test/redis-sentinel.ts"
import { KeywrightError } from "../../errors/error.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import type { Driver } from "../driver.ts"
import { openResp, openServer } from "../resp/open-resp.ts"

describe.runIf(needs("redis-server"))("a primary that sentinels watch", () => {
  let servers: RealSentinels
  let sentinel: Driver
  let driver: Driver

  beforeAll(async () => {
    servers = await startSentinels()
    sentinel = openResp(servers.sentinels[0]!.url, { protocol: 2, timeoutMs: 10_000 })
    driver = openServer(servers.url, { timeoutMs: 10_000 })
  })
  afterAll(async () => {
    await driver?.close()
    await sentinel?.close()
    await servers?.stop()
  })

  const primary = () => primaryOf(servers)
  const calm = () => untilFollowed(servers)

  test("is found, and says who it is", async () => {
    await calm()
    expect(await driver.send(["SET", "k", "v"])).toBe("OK")
    expect(driver.label).toContain(`+sentinel://127.0.0.1:${servers.sentinels[0]!.port}`)
    expect(driver.cluster).toBe(false)
    expect((await driver.facts()).role).toBe("primary")
  })

  test("one sentinel of several that answers is enough", async () => {
    const url = `redis+sentinel://127.0.0.1:1,127.0.0.1:${servers.sentinels[1]!.port}/${SERVICE}`
    const one = openServer(url, { timeoutMs: 10_000 })
    expect(await one.send(["GET", "k"])).toBe("v")
    await one.close()
  })

  test("a service that nobody knows is refused at once, with its name", async () => {
    const one = openServer(servers.url.replace(SERVICE, "nosuch"), { timeoutMs: 30_000 })
    const error = (await one.send(["GET", "k"]).catch((caught: unknown) => caught)) as KeywrightError
    expect([error.code, error.message]).toEqual(["SENTINEL.SERVICE", expect.stringContaining('"nosuch"')])
    await one.close()
  })

  test("is left by a client that sends nothing when the sentinels announce another", async () => {
    await calm()
    const idle = openServer(servers.url, { timeoutMs: 10_000, name: "idle" })
    expect(await idle.send(["PING"])).toBe("PONG")
    const old = await primary()
    old.pause()
    while ((await primary()) === old) await sleep(20)
    const next = openResp((await primary()).url, { timeoutMs: 10_000 })
    const isThere = async () => String(await next.send(["CLIENT", "LIST"])).includes("name=idle")
    await expect.poll(isThere, { timeout: 60_000 }).toBe(true)
    old.resume()
    expect(await idle.send(["SET", "k", "v"])).toBe("OK")
    await Promise.all([next.close(), idle.close()])
  })

  test("is replaced, and calls that may be repeated are all carried out", async () => {
    const stop = new AbortController()
    const failures: unknown[] = []
    let [done, plain, unknown] = [0, 0, 0]
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let i = 0; !stop.signal.aborted; i++) {
        await driver.send(["SET", `k${caller}`, String(i)], { safe: true }).then(
          () => done++,
          (error: unknown) => failures.push(error),
        )
        await driver.send(["INCR", `n${caller}`]).then(
          () => plain++,
          (error: unknown) => (error instanceof OutcomeUnknown ? unknown++ : failures.push(error)),
        )
        await sleep(1)
      }
    })
    const rounds = isFull ? 6 : 1
    for (let i = 0; i < rounds; i++) {
      await calm()
      const old = await primary()
      if (i % 2 === 0) await old.kill9()
      else await sentinel.send(["SENTINEL", "FAILOVER", SERVICE])
      while ((await primary()) === old) await sleep(20)
      const enough = done + 20
      await expect.poll(() => done, { timeout: 60_000 }).toBeGreaterThanOrEqual(enough)
      if (i % 2 === 0 && i + 1 < rounds) await old.restart()
    }
    stop.abort()
    await Promise.all(callers)
    expect(failures).toEqual([])
    expect(unknown).toBeLessThanOrEqual(8 * rounds)
    const sums = (await driver.batch(callers.map((_, caller) => ["GET", `n${caller}`]))) as string[]
    const total = sums.reduce((sum, text) => sum + Number(text), 0)
    expect(total).toBeLessThanOrEqual(plain + unknown)
  }, 120_000)
})
