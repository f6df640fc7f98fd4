import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, vi } from "vitest"
import { Lease } from "./lease.ts"
import { onBothServers } from "../servers.cases.ts"

const KEY = "keywright:lease:test"
const take = (driver: Parameters<typeof Lease.take>[0], ttlMs = 60_000, more = {}) =>
  Lease.take(driver, KEY, { ttlMs, ...more })
const taken = async (...args: Parameters<typeof take>): Promise<Lease> => {
  const lease = await take(...args)
  if (typeof lease === "number") throw new Error(`another has it for ${lease} ms`)
  return lease
}

onBothServers("a lease", (server) => {
  it("goes to one of many who ask at once", async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => take(server().driver)))
    const leases = asked.filter((one) => typeof one !== "number")
    expect(leases).toHaveLength(1)
    for (const left of asked.filter((one) => typeof one === "number")) {
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThanOrEqual(60_000)
    }
    await (leases[0] as Lease).release()
    expect(await server().keys()).toEqual([])
  })

  it("has a TTL from the first moment, and lasts as long as it is asked to at least", async () => {
    const lease = await taken(server().driver, 60_000, { atLeastMs: 120_000 })
    expect(await server().raw("PTTL", KEY)).toBeGreaterThan(110_000)
    lease.keep()
    expect(await server().raw("EXISTS", KEY)).toBe(1)
  })

  it("is renewed while it is held", async () => {
    const lease = await taken(server().driver, 3000)
    const left = async () => Number(await server().raw("PTTL", KEY))
    const patience = { interval: 5, timeout: 10_000 }
    await vi.waitUntil(async () => (await left()) < 2200, patience)
    await vi.waitUntil(async () => (await left()) > 2200, patience)
    expect(await take(server().driver)).toBeTypeOf("number")
    await lease.release()
  })

  it("is given back only by who has it", async () => {
    const lease = await taken(server().driver)
    await server().raw("SET", KEY, "another", "PX", "60000")
    await lease.release()
    expect(await server().raw("GET", KEY)).toBe("another")
  })

  it("is lost when another took it by force, and its holder learns of it", async () => {
    const lease = await taken(server().driver, 150)
    const lost = new Promise((resolve) => lease.signal.addEventListener("abort", resolve))
    const other = await taken(server().driver, 60_000, { force: true })
    await lost
    expect(lease.held).toBe(false)
    expect(lease.signal.reason).toHaveProperty("code", "JOB.LEASE_LOST")
    expect(other.held).toBe(true)
    await other.release()
  })

  it("is free again when it was not renewed", async () => {
    await server().raw("SET", KEY, "somebody who died", "PX", "30")
    let left: Lease | number = 1
    while (typeof left === "number") left = await take(server().driver)
    expect(left.held).toBe(true)
    await left.release()
  })
})

describe("a lease whose server is away", () => {
  it("ends by the holder's own clock, before the server lets it go", async () => {
    const { startRedis } = await import("../../../../../test/real-redis.ts")
    const { openResp } = await import("../../driver/resp/open-resp.ts")
    const redis = await startRedis()
    const driver = openResp(redis.url)
    try {
      const lease = await taken(driver, 400)
      redis.pause()
      await new Promise((resolve) => lease.signal.addEventListener("abort", resolve))
      expect(lease.held).toBe(false)
      redis.resume()
    } finally {
      await driver.close()
      await redis.stop()
    }
  })

  it("that is left to expire does so, though a renewal was under way", async () => {
    const { startRedis } = await import("../../../../../test/real-redis.ts")
    const { openResp } = await import("../../driver/resp/open-resp.ts")
    const redis = await startRedis()
    const driver = openResp(redis.url)
    try {
      const lease = await taken(driver, 600)
      redis.pause()
      await sleep(250)
      lease.keep()
      redis.resume()
      await vi.waitUntil(async () => (await driver.send(["EXISTS", KEY])) === 0, { interval: 50, timeout: 5000 })
    } finally {
      await driver.close()
      await redis.stop()
    }
  })
})
