import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { onBothServers } from "../../client/servers.cases.ts"
import type { Driver, Wire } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { Interrupted } from "../../errors/inspect.ts"
import { patient } from "./patient.ts"
import { SeenKeys } from "./seen-keys.ts"
import { walk, type Progress, type WalkOptions } from "./walk.ts"
import { showWire } from "./wire.ts"

const only = (driver: Driver) => [{ db: driver.db, driver, keys: [] }]

async function keysOf(driver: Driver, options: WalkOptions = {}): Promise<Wire[]> {
  const found: Wire[] = []
  await walk(only(driver), options, async ({ keys }) => void found.push(...keys))
  return found
}

const fill = (driver: Driver, count: number) =>
  driver.batch(Array.from({ length: count }, (_, i) => ["SET", `key:${i}`, "1"]))

onBothServers("a walk", (server) => {
  it("meets every key once", async () => {
    const { driver } = server()
    await fill(driver, 3000)
    const found = await keysOf(driver, { page: 100 })
    expect(found.length).toBe(3000)
    expect(new Set(found).size).toBe(3000)
  })

  it("has one signal for all commands of a page, without a warning of a leak", async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on("warning", note)
    const { driver } = server()
    const reading = patient(driver, 60_000, new AbortController().signal)
    await reading.batch(
      Array.from({ length: 50 }, (_, i) => ["GET", `key:${i}`]),
      { safe: true },
    )
    await new Promise((done) => setImmediate(done))
    process.off("warning", note)
    expect(warnings).toEqual([])
  })

  it("meets two keys that look the same, of which one is bytes", async () => {
    const { driver } = server()
    const odd = Buffer.from([0x61, 0xff])
    await driver.batch([
      ["SET", odd, "1"],
      ["SET", "a\\xff", "1"],
    ])
    const found = await keysOf(driver)
    expect(found.map(showWire)).toEqual(["a\\xff", "a\\xff"])
    expect(found).toContainEqual(odd)
  })

  it("leaves keys as they are that are not text", async () => {
    const { driver } = server()
    const odd = Buffer.from([0xff, 0xfe, 0x00, 0x41])
    await driver.batch([
      ["SET", odd, "1"],
      ["SET", "ключ", "1"],
      ["SET", "really \ufffd", "1"],
    ])
    const found = await keysOf(driver)
    expect(found.map(showWire).sort()).toEqual(["\\xff\\xfe\\x00A", "really \ufffd", "ключ"])
    expect(found.filter((key) => typeof key !== "string")).toEqual([odd])
  })

  it("meets every key when some are not text and the server's table grows meanwhile", async () => {
    const { driver } = server()
    for (let count = 120; count < 160; count++) {
      await driver.send(["FLUSHDB"])
      await fill(driver, count)
      await driver.batch(Array.from({ length: 9 }, (_, i) => ["SET", Buffer.from([0xff, i]), "1"]))
      expect((await keysOf(driver, { page: 20 })).length).toBe(count + 9)
    }
  })

  it("takes only what matches, and always the same sample", async () => {
    const { driver } = server()
    await fill(driver, 2000)
    expect((await keysOf(driver, { match: "key:19*" })).length).toBe(111)
    const sample = await keysOf(driver, { sample: 0.25 })
    expect(sample.length).toBeGreaterThan(350)
    expect(sample.length).toBeLessThan(650)
    expect((await keysOf(driver, { sample: 0.25, page: 77 })).sort()).toEqual(sample.sort())
  })

  it("continues where it was stopped", async () => {
    const { driver } = server()
    await fill(driver, 2000)
    const found = new Set<Wire>()
    const stop = new AbortController()
    const stopped = await walk(only(driver), { page: 50, signal: stop.signal }, async ({ keys }) => {
      for (const key of keys) found.add(key)
      if (found.size > 500) stop.abort(new Error("enough"))
    }).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(Interrupted)
    const { resume, code, keys } = stopped as Interrupted
    expect(code).toBe("INSPECT.INTERRUPTED")
    expect(keys).toBeGreaterThan(400)
    expect(found.size).toBeLessThan(2000)
    await walk(only(driver), { page: 50, resume }, async ({ keys }) => void keys.forEach((key) => found.add(key)))
    expect(found.size).toBe(2000)
  })

  it("says how far it is, and keeps to its rate", async () => {
    const { driver } = server()
    await fill(driver, 1000)
    const told: Progress[] = []
    const started = performance.now()
    await walk(only(driver), { page: 100, rate: 5000, onProgress: (one) => told.push(one) }, async () => undefined)
    expect(performance.now() - started).toBeGreaterThan(80)
    expect(told.at(-1)).toMatchObject({ db: 0, keys: 1000, of: 1000, secondsLeft: 0 })
  })

  it("refuses what is not a place", async () => {
    for (const resume of ["somewhere", "1.1.0.0."])
      await expect(keysOf(server().driver, { resume })).rejects.toMatchObject({ code: "INSPECT.RESUME" })
  })
})

describe.runIf(needs("redis-server"))("a walk whose server goes away", () => {
  it("ends with a typed error that says where to continue", async () => {
    const redis = await startRedis()
    const driver = openResp(redis.url, { timeoutMs: 500 })
    await fill(driver, 5000)
    let pages = 0
    const error: unknown = await walk(only(driver), { page: 50 }, async () => {
      if (++pages === 10) await redis.kill9()
    }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Interrupted)
    expect((error as Interrupted).resume).toMatch(/^1\.0\.0\.\d+\.[0-9a-f]{16}$/)
    await driver.close()
    await redis.stop()
  })
})

it("a walk whose server is restarted, and gone at its end, continues with the keys that it has not met", async () => {
  const pages: Record<string, Record<string, [string, string[]]>> = {
    a: { 0: ["7", ["k1", "k2"]] },
    b: { 0: ["9", ["k1", "k3"]], 7: ["0", ["k2"]], 9: ["0", ["k2", "k4"]] },
  }
  let process = "a"
  let isGone = false
  const fake = {
    db: 0,
    primaries: async () => [fake],
    batch: async ([command]: string[][]) => {
      if (isGone) throw new Error("gone")
      return [command?.[0] === "INFO" ? `run_id:${process}` : 4]
    },
    send: async ([, cursor]: string[]) => {
      const page = pages[process]![cursor!]
      process = "b"
      isGone = cursor === "7"
      return page
    },
  }
  const driver = fake as unknown as Driver
  const met = new Set<Wire>()
  const meet = async ({ keys }: { readonly keys: readonly Wire[] }) => keys.forEach((key) => met.add(key))
  const stopped = await walk(only(driver), {}, meet).catch((error: unknown) => error as Interrupted)
  isGone = false
  await walk(only(driver), { resume: (stopped as Interrupted).resume }, meet)
  expect([...met].sort()).toEqual(["k1", "k2", "k3", "k4"])
})

describe.runIf(needs("redis-server"))("a walk whose server is restarted", { timeout: 30_000 }, () => {
  let redis: RealRedis
  let driver: Driver
  beforeEach(async () => {
    redis = await startRedis()
    driver = patient(openResp(redis.url), 10_000)
    await fill(driver, 4000)
    await driver.send(["SAVE"])
  })
  afterEach(async () => {
    await driver.close()
    await redis.stop()
  })

  it("meets every key, since a cursor says nothing to another process", async () => {
    const found: Wire[] = []
    let pages = 0
    let restarted: Promise<void> | undefined
    await walk(only(driver), { page: 50 }, async ({ keys }) => {
      if (++pages >= 20) await (restarted ??= redis.restart())
      found.push(...keys)
    })
    expect([found.length, new Set(found).size]).toEqual([4000, 4000])
  })

  it.each([
    ["ask for the process", "+@all -info"],
    ["ask for anything but data", "+@read +@write +@scripting +ping"],
  ])("does so for a user who may not %s", async (_, rights) => {
    const user = ["user default on nopass ~* &* +@all", `user walker on >x ~* &* ${rights}`]
    const limited = await startRedis({ config: user.join("\n") })
    const reading = patient(openResp(limited.url.replace("//", "//walker:x@")), 10_000)
    const owner = openResp(limited.url)
    await fill(owner, 4000)
    await owner.send(["SAVE"])
    await owner.close()
    const found: Wire[] = []
    let pages = 0
    let restarted: Promise<void> | undefined
    await walk(only(reading), { page: 50 }, async ({ keys }) => {
      if (++pages >= 20) await (restarted ??= limited.restart())
      found.push(...keys)
    })
    expect([found.length, new Set(found).size]).toEqual([4000, 4000])
    await reading.close()
    await limited.stop()
  })

  it("and that continues begins again", async () => {
    const places: string[] = []
    await walk(only(driver), { page: 50 }, async ({ resume }) => void places.push(resume))
    const [middle] = places.slice(places.length / 2)
    expect((await keysOf(driver, { resume: middle! })).length).toBeLessThan(3000)
    await redis.restart()
    expect((await keysOf(driver, { resume: middle! })).length).toBe(4000)
  })

  it("or says so each time it is asked, comes to an end", async () => {
    let times = 0
    const changing = new Proxy(driver, {
      get: (target, name) => {
        if (name === "primaries") return async () => [changing]
        if (name === "batch")
          return async (...given: Parameters<Driver["batch"]>) =>
            given[0][0]?.[0] === "INFO" ? [`run_id:${++times}`] : target.batch(...given)
        const found: unknown = Reflect.get(target, name, target)
        return typeof found === "function" ? found.bind(target) : found
      },
    })
    await expect(keysOf(changing)).rejects.toMatchObject({ cause: { code: "INSPECT.CHANGING" } })
  })
})

describe("the keys that were met", () => {
  it("are known again, and others are not", () => {
    const seen = new SeenKeys()
    for (let i = 0; i < 200_000; i++) if (seen.has(`key:${i}`)) throw new Error(`key:${i} is new`)
    expect(seen.has("key:199999")).toBe(true)
    expect(seen.has("key:200000")).toBe(false)
  })
})
