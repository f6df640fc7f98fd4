import { describe, expect, it, vi } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import { job } from "./job.ts"
import { prometheus } from "../observe/metrics.ts"
import { onBothServers } from "../servers.cases.ts"

const until = (holds: () => boolean) => vi.waitUntil(holds, { interval: 2, timeout: 20_000 })

const failing = (message: string): never => {
  throw new Error(message)
}

describe("a job", () => {
  it("runs once on request and says what it did", async () => {
    const clean = job({ name: "clean", every: "1h", run: () => ({ removed: 3 }) })
    expect(await clean.runOnce()).toEqual({ removed: 3 })
    expect(clean.status()).toMatchObject({ started: false, passes: 1, failures: 0, lastCounts: { removed: 3 } })
  })

  it("never runs twice at a time in one process", async () => {
    let running = 0
    const run = async () => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running -= 1
      return {}
    }
    const sweep = job({ name: "sweep", every: "1ms", run })
    sweep.start()
    await Promise.all(Array.from({ length: 10 }, () => sweep.runOnce()))
    await sweep.stop()
  })

  it("stops at once while it sleeps", async () => {
    let passes = 0
    const slow = job({ name: "slow", every: "1h", run: () => ({ pass: ++passes }) })
    slow.start()
    slow.start()
    await until(() => passes === 1)
    await slow.stop()
    expect(slow.status()).toMatchObject({ started: false, passes: 1 })
  })

  it("waits for the pass under way when it is stopped, and tells it", async () => {
    const seen: string[] = []
    const long = job({
      name: "long",
      every: "1ms",
      run: async ({ signal }) => {
        seen.push("begun")
        await new Promise((resolve) => signal.addEventListener("abort", resolve))
        await new Promise((resolve) => setTimeout(resolve, 5))
        seen.push("ended")
      },
    })
    long.start()
    await until(() => seen.length === 1)
    await long.stop()
    expect(seen).toEqual(["begun", "ended"])
  })

  it("can be started again after it was stopped", async () => {
    let passes = 0
    const again = job({ name: "again", every: "1ms", run: () => ({ pass: ++passes }) })
    again.start()
    await until(() => passes > 1)
    await again.stop()
    const before = passes
    again.start()
    await until(() => passes > before + 1)
    await again.stop()
  })

  it("continues after a pass that failed, and counts it", async () => {
    let passes = 0
    const errors: unknown[] = []
    const shaky = job({
      name: "shaky",
      every: "1ms",
      onError: (error) => errors.push(error),
      run: () => {
        passes += 1
        if (passes < 4) throw new Error(`failed ${passes}`)
        return { passes }
      },
    })
    shaky.start()
    await until(() => passes >= 5)
    await shaky.stop()
    expect(errors.map(String)).toEqual(["Error: failed 1", "Error: failed 2", "Error: failed 3"])
    expect(shaky.status()).toMatchObject({ failures: 3, paused: false })
    expect(shaky.status().lastError).toBe(errors[2])
  })

  it.each([
    ["throws", () => failing("the log is full")],
    ["rejects", async () => failing("the log is full")],
  ])("continues when its onError %s, and warns of that", async (_, onError) => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on("warning", note)
    const run = vi.fn(() => failing("no source"))
    const shaky = job({ name: "shaky", every: "1ms", onError, run })
    shaky.start()
    await until(() => run.mock.calls.length > 2 && warnings.length > 1)
    await shaky.stop()
    process.off("warning", note)
    expect(warnings[0]!.message).toMatch(/^onError of the job shaky failed: Error: the log is full/)
    expect(shaky.status().lastError).toEqual(new Error("no source"))
  })

  it("rejects a single run with the pass's own error", async () => {
    const broken = job({ name: "broken", every: "1s", run: () => Promise.reject(new Error("no source")) })
    await expect(broken.runOnce()).rejects.toThrow("no source")
  })

  it("repeats without a sleep while there is more to do", async () => {
    let left = 5
    const drain = job({ name: "drain", every: "1h", again: (counts) => counts.left > 0, run: () => ({ left: --left }) })
    drain.start()
    await until(() => left === 0)
    await drain.stop()
    expect(drain.status().passes).toBe(5)
  })

  it("is measured by its name", async () => {
    const metrics = prometheus()
    await job({ name: "counted", every: "1s", run: () => 1 }).runOnce()
    expect(await metrics.text()).toContain('keywright_job_passes_total{job="counted",outcome="ok"} 1\n')
    metrics.close()
  })

  it("is refused with a name that no key can have", () => {
    expect(() => job({ name: "a:b", every: "1s", run: () => 0 })).toThrow(
      expect.objectContaining({ code: "JOB.REFUSED" }),
    )
    expect(() => job({ name: "a", every: "soon" as "1s", run: () => 0 })).toThrow(
      expect.objectContaining({ code: "DEFINE.DURATION" }),
    )
  })

  it.runIf(needs("redis-server"))("pauses while Redis is away, and continues when it is back", async () => {
    const redis = await startRedis()
    const driver = openResp(redis.url, { timeoutMs: 100 })
    let passes = 0
    const beat = job({
      name: "beat",
      every: "5ms",
      run: async () => (passes = Number(await driver.send(["INCR", "n"]))),
    })
    try {
      beat.start()
      await until(() => passes > 2)
      await redis.kill9()
      await until(() => beat.status().paused)
      await redis.restart()
      const before = beat.status().passes
      await until(() => beat.status().passes > before + 2)
      expect(beat.status()).toMatchObject({ paused: false, failures: 0 })
    } finally {
      await beat.stop()
      await driver.close()
      await redis.stop()
    }
  })
})

describe.runIf(needs("redis-server"))("a job whose lease was taken without an answer", () => {
  it("continues with it when Redis answers again, within the same interval", async () => {
    const redis = await startRedis()
    const driver = openResp(redis.url, { timeoutMs: 500 })
    const patient = openResp(redis.url, { timeoutMs: 30_000 })
    const hourly = job({ name: "hourly", every: "1h", lease: { on: driver, per: "interval" }, run: () => "ran" })
    try {
      await driver.send(["PING"])
      redis.pause()
      await expect(hourly.runOnce()).rejects.toMatchObject({ code: "DRIVER.TIMEOUT" })
      redis.resume()
      const isTaken = async () => (await patient.send(["EXISTS", "keywright:lease:hourly"])) === 1
      await vi.waitUntil(isTaken, { timeout: 30_000 })
      expect(await hourly.runOnce()).toBe("ran")
      expect(await hourly.runOnce()).toBeUndefined()
    } finally {
      await driver.close()
      await patient.close()
      await redis.stop()
    }
  })
})

onBothServers("a job with a lease", (server) => {
  const jobs = (count: number, per: "pass" | "interval", run: () => Promise<number>, every: "1h" | "20ms" = "1h") =>
    Array.from({ length: count }, () =>
      job({ name: "shared", every, run, lease: { on: server().driver, per, ttl: "2s" } }),
    )

  it("runs in one place at a time", async () => {
    let running = 0
    const run = async () => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return (running -= 1)
    }
    const all = jobs(10, "pass", run)
    const results = await Promise.all(all.map((one) => one.runOnce()))
    expect(results.filter((one) => one !== undefined)).toEqual([0])
    expect(await server().keys()).toEqual([])
    expect(await all[3]!.runOnce()).toBe(0)
  })

  it("runs once per interval, whichever process asks", async () => {
    let ran = 0
    const all = jobs(10, "interval", async () => ++ran)
    const results = await Promise.all(all.map((one) => one.runOnce()))
    expect(results.filter((one) => one !== undefined)).toEqual([1])
    for (const one of all) expect(await one.runOnce()).toBeUndefined()
    expect(all[0]!.status().skipped + all[0]!.status().passes).toBe(2)
    expect(await server().raw("PTTL", "keywright:lease:shared")).toBeGreaterThan(3_500_000)
  })

  it("runs by force, and starts a new interval", async () => {
    let ran = 0
    const [one, other] = jobs(2, "interval", async () => ++ran)
    await one!.runOnce()
    await server().raw("PEXPIRE", "keywright:lease:shared", "5000")
    expect(await other!.runOnce({ force: true })).toBe(2)
    expect(await server().raw("PTTL", "keywright:lease:shared")).toBeGreaterThan(3_500_000)
    expect(await one!.runOnce()).toBeUndefined()
  })

  it("may be tried again in the same interval when it failed, unless nobody knows whether it did", async () => {
    let failure: Error | undefined = new Error("no source")
    const [one, other] = jobs(2, "interval", async () => {
      if (failure) throw failure
      return 1
    })
    await expect(one!.runOnce()).rejects.toThrow("no source")
    expect(await server().keys()).toEqual([])
    failure = new OutcomeUnknown("DRIVER.TIMEOUT", "no answer")
    await expect(one!.runOnce()).rejects.toThrow("no answer")
    failure = undefined
    expect(await other!.runOnce()).toBeUndefined()
  })

  it("loops in many processes' places without running more often than the interval", async () => {
    let ran = 0
    const all = jobs(6, "interval", async () => ++ran, "20ms")
    const begun = Date.now()
    for (const one of all) one.start()
    await until(() => ran >= 4)
    await Promise.all(all.map((one) => one.stop()))
    expect(ran).toBeLessThanOrEqual(2 + (Date.now() - begun) / 20)
  })

  it("learns that its lease is taken over while it runs", async () => {
    const lease = { on: server().driver, per: "pass", ttl: "200ms" } as const
    let begun = false
    const run = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => resolve("stopped in time"))
        begun = true
      })
    const one = job({ name: "shared", every: "1h", lease, run })
    const other = job({ name: "shared", every: "1h", lease, run: () => "mine now" })
    const first = one.runOnce()
    await until(() => begun)
    expect(await other.runOnce({ force: true })).toBe("mine now")
    await expect(first).rejects.toHaveProperty("code", "JOB.LEASE_LOST")
  })
})
