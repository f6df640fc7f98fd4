/* Real faults of the connection, over every driver: cut at every byte of a request
 * and of a reply, resets under load, a hung server, kill -9 and restart. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { type Proxy, startProxy } from "../../../../test/tcp-proxy.ts"
import { OutcomeUnknown } from "../errors/outcome.ts"
import type { Command, Driver } from "./driver.ts"
import { add, expectOnce, NONE, type Subject, SUBJECTS, tally } from "./faults-subjects.cases.ts"
import { openResp } from "./resp/open-resp.ts"
import { scriptOf } from "./script.ts"

const TIMEOUT_MS = 1000
const SLACK_MS = 2000
const OPTIONS = { timeoutMs: TIMEOUT_MS }
const step = isFull ? 1 : 4
const echo = scriptOf("echo", "return {ARGV[1], {ARGV[1], 1}, redis.call('INCR', KEYS[1])}")

/** Fails when it is not settled in time. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("not settled within its deadline")), TIMEOUT_MS + SLACK_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Until the driver is connected again. */
async function recovered(driver: Driver): Promise<void> {
  expect(await driver.send(["PING"], { timeoutMs: 10_000, safe: true })).toBe("PONG")
}

describe.runIf(needs("redis-server"))("faults of the connection", () => {
  let server: RealRedis
  let proxy: Proxy
  let direct: Driver

  const value = async (key: string) => Number((await direct.send(["GET", key], { timeoutMs: 10_000 })) ?? 0)

  beforeAll(async () => {
    server = await startRedis({ args: ["--appendonly", "yes", "--appendfsync", "always"] })
    proxy = await startProxy(server.port)
    direct = openResp(server.url)
  })
  afterAll(async () => {
    await direct?.close()
    await proxy?.close()
    await server?.stop()
  })

  for (const [name, make] of Object.entries(SUBJECTS)) {
    describe(name, () => {
      const key = (what: string) => `${name}:${what}`
      let subject: Subject
      let driver: Driver
      /** Faults that did not happen prove nothing. */
      const cuts = (atLeast: number, work: () => Promise<void>) => async () => {
        const before = proxy.connections
        await work()
        expect(proxy.connections - before).toBeGreaterThanOrEqual(atLeast)
      }

      beforeAll(async () => {
        subject = await make(proxy.port)
        driver = subject.driver
        await recovered(driver)
      })
      afterAll(() => subject?.close())

      test(
        "cut at every byte of a request, an increment is done at most once",
        cuts(40 / step, async () => {
          let sum = NONE
          for (let bytes = 0; bytes <= 60; bytes += step) {
            proxy.cutRequestAfter(bytes)
            sum = add(sum, await inTime(tally([driver.send(["INCRBY", key("req"), "1"], OPTIONS)])))
            proxy.cutRequestAfter(Infinity)
            await recovered(driver)
          }
          expectOnce(await value(key("req")), sum)
        }),
      )

      test(
        "cut at every byte of a reply, an increment is done at most once",
        cuts(4, async () => {
          let sum = NONE
          for (let bytes = 0; bytes <= 8; bytes++) {
            proxy.cutReplyAfter(bytes)
            sum = add(sum, await inTime(tally([driver.send(["INCR", key("reply")], OPTIONS)])))
            proxy.cutReplyAfter(Infinity)
            await recovered(driver)
          }
          const found = await value(key("reply"))
          expectOnce(found, sum)
          expect(found).toBe(9)
        }),
      )

      test(
        "cut anywhere in a nested reply of a script, it ran once and nobody gets another's reply",
        cuts(28 / step, async () => {
          for (let bytes = 0; bytes <= 40; bytes += step) {
            proxy.cutReplyAfter(bytes)
            const id = `id${bytes}`
            const reply = await inTime(driver.run(echo, [key(id)], [id], OPTIONS).catch((error: unknown) => error))
            proxy.cutReplyAfter(Infinity)
            if (Array.isArray(reply)) expect(reply).toEqual([id, [id, 1], 1])
            else expect(reply).toBeInstanceOf(OutcomeUnknown)
            await recovered(driver)
            expect(await value(key(id))).toBe(1)
          }
        }),
      )

      test(
        "cut anywhere, a safe read is answered rightly",
        cuts(24 / step, async () => {
          await direct.send(["SET", key("safe"), "0123456789"])
          for (let bytes = 0; bytes <= 40; bytes += step) {
            for (const cut of [proxy.cutReplyAfter, proxy.cutRequestAfter]) {
              cut(bytes)
              expect(await driver.send(["GET", key("safe")], { safe: true, timeoutMs: 5000 })).toBe("0123456789")
              cut(Infinity)
            }
          }
        }),
      )

      test(
        "cut anywhere in a transaction, it is done wholly or not at all",
        cuts(100 / step, async () => {
          let sum = NONE
          const commands: Command[] = [1, 2, 3].map((n) => ["INCR", key(`m${n}`)])
          for (let bytes = 0; bytes <= 200; bytes += step) {
            for (const cut of bytes <= 60 ? [proxy.cutRequestAfter, proxy.cutReplyAfter] : [proxy.cutRequestAfter]) {
              cut(bytes)
              const more = await inTime(tally([driver.multi(commands, OPTIONS)]))
              sum = add(sum, more)
              cut(Infinity)
              await recovered(driver)
            }
          }
          const values = await Promise.all([1, 2, 3].map((n) => value(key(`m${n}`))))
          expect(new Set(values).size).toBe(1)
          expectOnce(values[0] as number, sum)
        }),
      )

      test(
        "under resets, nothing is done twice and no reply goes to another caller",
        cuts(3, async () => {
          const until = performance.now() + (isFull ? 10_000 : 1500)
          let sum = NONE
          const resets = setInterval(() => proxy.reset(), 150)
          const counter = async () => {
            while (performance.now() < until) {
              const more = await inTime(tally([driver.send(["INCR", key("load")], OPTIONS)]))
              sum = add(sum, more)
            }
          }
          let wrong = 0
          const asker = async (who: number) => {
            for (let i = 0; performance.now() < until; i++) {
              const mine = `${who}:${i}`
              const reply = await inTime(driver.send(["ECHO", mine], OPTIONS).catch(() => mine))
              if (reply !== mine) wrong++
            }
          }
          await Promise.all([...Array.from({ length: 20 }, counter), ...Array.from({ length: 20 }, (_, i) => asker(i))])
          clearInterval(resets)
          await recovered(driver)
          expect(wrong).toBe(0)
          expect(sum.done).toBeGreaterThan(0)
          expectOnce(await value(key("load")), sum)
        }),
      )

      test("on a hung server every call settles, and it recovers", async () => {
        server.pause()
        const calls = Array.from({ length: 50 }, () => driver.send(["INCR", key("hung")], OPTIONS))
        const count = await inTime(tally(calls))
        const more = await inTime(tally(Array.from({ length: 50 }, () => driver.send(["INCR", key("hung")], OPTIONS))))
        server.resume()
        expect(count.done + more.done).toBe(0)
        const replies = Array.from({ length: 50 }, (_, i) => driver.send(["ECHO", String(i)], { timeoutMs: 5000 }))
        expect(await Promise.all(replies)).toEqual(Array.from({ length: 50 }, (_, i) => String(i)))
        expectOnce(await value(key("hung")), add(count, more))
      })

      test("after kill -9 and a restart, what was acknowledged is there, once", async () => {
        let sum = NONE
        const stop = new AbortController()
        const work = Array.from({ length: 10 }, async () => {
          while (!stop.signal.aborted) {
            const more = await inTime(tally([driver.send(["INCR", key("kill")], OPTIONS)]))
            sum = add(sum, more)
          }
        })
        for (let round = 0; round < (isFull ? 5 : 1); round++) {
          await new Promise((resolve) => setTimeout(resolve, 200))
          await server.kill9()
          await server.restart()
          await recovered(driver)
        }
        stop.abort()
        await Promise.all(work)
        expect(sum.done).toBeGreaterThan(0)
        expectOnce(await value(key("kill")), sum)
      })

      // The libraries' own waits between attempts grow longer than that.
      if (name.startsWith("own"))
        test("after a long outage it is back within a second of the server", async () => {
          await server.kill9()
          await new Promise((resolve) => setTimeout(resolve, 3000))
          await server.restart()
          expect(await driver.send(["INCR", key("back")], { timeoutMs: 1000 })).toBe(1)
        })

      test("scripts forgotten every 20 ms are run once for each call", async () => {
        const counter = scriptOf("count", "return redis.call('INCR', KEYS[1])")
        await direct.send(["CONFIG", "RESETSTAT"])
        const flushing = setInterval(() => void direct.send(["SCRIPT", "FLUSH"]), 20)
        let ran = 0
        const until = performance.now() + (isFull ? 5000 : 500)
        const runner = async () => {
          for (; performance.now() < until; ran++) await driver.run(counter, [key("flush")], [], OPTIONS)
        }
        await Promise.all(Array.from({ length: 20 }, runner))
        clearInterval(flushing)
        expect(await value(key("flush"))).toBe(ran)
        expect(await direct.send(["INFO", "errorstats"])).toContain("errorstat_NOSCRIPT")
      })

      test("10,000 calls made while the server is away are done once each when it is back", async () => {
        await server.kill9()
        await tally([driver.send(["PING"], { timeoutMs: 200 })])
        const waiting = Array.from({ length: 10_000 }, () => driver.send(["INCR", key("away")], { timeoutMs: 20_000 }))
        const all = tally(waiting)
        await server.restart()
        const count = await all
        expectOnce(await value(key("away")), count)
        expect(count.done + count.notApplied + count.unknown).toBe(10_000)
        if (driver.kind === "resp") expect(count.done).toBe(10_000)
      })
    })
  }
})
