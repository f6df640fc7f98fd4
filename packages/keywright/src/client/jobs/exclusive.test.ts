import { describe, expect, it, vi } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { startProxy } from "../../../../../test/tcp-proxy.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { exclusive } from "./exclusive.ts"
import { job } from "./job.ts"
import type { JobLease } from "./job-lease.ts"
import type { Duration } from "../../schema/duration.ts"
import { onBothServers } from "../servers.cases.ts"

const KEY = "keywright:lease:test.work"

onBothServers("exclusive work", (server) => {
  it("is not claimed for longer than a timer can count", () => {
    const on = server().driver
    const refused = expect.objectContaining({ code: "DEFINE.DURATION" })
    expect(() => exclusive({ name: "test.work", on, ttl: "75d" })).toThrow(refused)
    const every = (long: Duration, lease: Omit<JobLease, "on">) => () =>
      job({ name: "test.work", every: long, lease: { on, ...lease }, run: () => 0 })
    expect(every("1h", { ttl: "75d" })).toThrow(refused)
    expect(every("75d", { per: "interval" })).toThrow(refused)
    expect(every("75d", { per: "pass" })).not.toThrow()
  })

  const work = () => exclusive({ name: "test.work", on: server().driver, ttl: "10s" })

  it("is done by one of many who ask at once, and may be done again then", async () => {
    let done = 0
    const ask = () =>
      work().run(async () => {
        expect(await work().isUnderWay()).toBe(true)
        return ++done
      })
    const asked = await Promise.all(Array.from({ length: 20 }, ask))
    expect(asked.filter((one) => one !== undefined)).toEqual([1])
    expect(await server().keys()).toEqual([])
    expect([await ask(), await work().isUnderWay()]).toEqual([2, false])
  })

  it("is refused to a second caller of the same process", async () => {
    const one = work()
    expect(await one.run(() => one.run(async () => "inner"))).toBeUndefined()
  })

  it("is free again when it failed, and the failure is its own", async () => {
    const failure = new Error("no")
    await expect(work().run(() => Promise.reject(failure))).rejects.toBe(failure)
    expect(await server().keys()).toEqual([])
  })

  it("returns what it did, though its claim may not be given back", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue()
    const { driver } = server()
    await server().raw("ACL", "SETUSER", "default", "-del")
    try {
      const report = job({ name: "test.job", every: "1h", lease: { on: driver }, run: () => "done" })
      expect([await work().run(async () => "done"), await report.runOnce()]).toEqual(["done", "done"])
      expect(warned.mock.calls.flat()).toEqual(Array(2).fill(expect.stringContaining("stays until it expires")))
    } finally {
      await server().raw("ACL", "SETUSER", "default", "+del")
      warned.mockRestore()
    }
  })

  it("has a claim that ends with its process", async () => {
    await work().run(async () => {
      const left = Number(await server().raw("PTTL", KEY))
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThanOrEqual(10_000)
    })
  })

  it("fails when the claim was lost meanwhile, and leaves the other's alone", async () => {
    const lost = exclusive({ name: "test.work", on: server().driver, ttl: "150ms" }).run(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", resolve)
          void server().raw("SET", KEY, "another", "PX", "60000")
        }),
    )
    await expect(lost).rejects.toHaveProperty("code", "JOB.LEASE_LOST")
    expect(await server().raw("GET", KEY)).toBe("another")
  })

  it("has a name that a key can have", () => {
    expect(() => exclusive({ name: "a:b", on: server().driver })).toThrow(/cannot be made/)
  })
})

describe.runIf(needs("redis-server"))("exclusive work whose claim was made without an answer", () => {
  it("is not under way, and is done by the next who asks, once", async () => {
    const redis = await startRedis()
    const driver = openResp(redis.url, { timeoutMs: 500 })
    const patient = openResp(redis.url, { timeoutMs: 30_000 })
    const nightly = exclusive({ name: "test.work", on: driver, ttl: "1d" })
    let done = 0
    const ask = () => nightly.run(async () => ++done)
    try {
      await driver.send(["PING"])
      redis.pause()
      for (const asked of await Promise.allSettled([ask(), ask()]))
        expect(asked).toMatchObject({ status: "rejected", reason: { code: "DRIVER.TIMEOUT" } })
      redis.resume()
      await vi.waitUntil(async () => (await patient.send(["EXISTS", KEY])) === 1, { timeout: 30_000 })
      expect(await nightly.isUnderWay()).toBe(false)
      expect(await Promise.all([ask(), ask()])).toEqual([1, undefined])
      expect(await patient.send(["EXISTS", KEY])).toBe(0)
    } finally {
      await driver.close()
      await patient.close()
      await redis.stop()
    }
  })
})

describe.runIf(needs("redis-server"))("a claim whose answer comes later than it lasts", () => {
  const ttl = "1s"
  it.each([
    ["exclusive work", (on, run) => () => exclusive({ name: "test.work", on, ttl }).run(run)],
    ["a job", (on, run) => () => job({ name: "test.work", every: "1h", lease: { on, ttl }, run }).runOnce()],
  ] satisfies [string, (on: Driver, run: () => Promise<string>) => () => Promise<string | undefined>][])(
    "does not begin %s",
    async (_, asking) => {
      const redis = await startRedis()
      const proxy = await startProxy(redis.port)
      const driver = openResp(proxy.url, { timeoutMs: 30_000 })
      const run = vi.fn(async () => "done")
      const ask = asking(driver, run)
      try {
        await driver.send(["PING"])
        proxy.delayReplies(1200)
        await expect(ask()).rejects.toMatchObject({ code: "JOB.LEASE_LOST" })
        expect(run).not.toHaveBeenCalled()
        proxy.delayReplies(0)
        await vi.waitUntil(async () => (await driver.send(["EXISTS", KEY])) === 0, { timeout: 30_000 })
        expect(await ask()).toBe("done")
      } finally {
        await driver.close()
        await proxy.close()
        await redis.stop()
      }
    },
  )
})
