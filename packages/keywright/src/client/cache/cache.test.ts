import { createHash } from "node:crypto"
import { bytes, connect, either, family, json, keyspace, prometheus, sliding, string, text } from "keywright"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { onBothServers } from "../servers.cases.ts"

const pages = keyspace({
  page: string("cache:{hash}", text, { ttl: "5m" }),
  row: string("inv:{id}", json(z.object({ qty: z.number() }).nullable()), { ttl: "never" }),
  image: string("img:{id}", bytes, { ttl: "1h" }),
  session: string("s:{id}", text, { ttl: sliding("1h") }),
  chosen: string("c:{id}", text, { ttl: either("1m", "never") }),
  kin: family("f:{id}", { ttl: "1h" }, { value: string(":v", text) }),
})

const gate = () => {
  let open = () => {}
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { open, promise }
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const never = () => Promise.reject<string>(new Error("it was loaded"))

onBothServers("a cached string", (server) => {
  const open = () => connect(pages, server().target)
  let db: Awaited<ReturnType<typeof open>>
  let other: typeof db
  const page = () => db.page({ hash: "h" })
  const elsewhere = () => other.page({ hash: "h" })
  beforeEach(async () => {
    db = await open()
    other = await open()
  })
  afterEach(() => Promise.all([db.$close(), other.$close()]))

  it("is loaded once, stored as the schema says, and read from then on", async () => {
    expect(await page().cached(() => "<html>")).toBe("<html>")
    expect(await server().raw("GET", "cache:h")).toBe("<html>")
    expect(await page().cached(never)).toBe("<html>")
    expect(await server().keys()).toEqual(["cache:h"])
  })

  it("has the declared TTL, less a part at random; without jitter, exactly", async () => {
    const ttls: number[] = []
    for (let i = 0; i < 20; i++) {
      await db.page({ hash: `h${i}` }).cached(() => "x")
      ttls.push(Number(await server().raw("PTTL", `cache:h${i}`)))
    }
    expect(Math.min(...ttls)).toBeGreaterThan(269_000)
    expect(Math.max(...ttls)).toBeLessThanOrEqual(300_000)
    expect(Math.max(...ttls) - Math.min(...ttls)).toBeGreaterThan(2000)
    await page().cached(() => "x", { jitter: 0 })
    expect(await server().raw("TTL", "cache:h")).toBe(300)
  })

  it("keeps an empty text and a null, which are values, and bytes", async () => {
    expect(await page().cached(() => "")).toBe("")
    expect(await page().cached(never)).toBe("")
    expect(await db.row({ id: "1" }).cached(() => null)).toBeNull()
    expect(await db.row({ id: "1" }).cached(() => ({ qty: 1 }))).toBeNull()
    expect(await server().raw("TTL", "inv:1")).toBe(-1)
    const image = Buffer.from([0, 255, 128])
    expect(await db.image({ id: "1" }).cached(() => image)).toEqual(image)
    expect(await db.image({ id: "1" }).cached(() => Buffer.alloc(0))).toEqual(image)
  })

  it("stores nothing when the source has nothing", async () => {
    expect(await page().cached(() => undefined)).toBeUndefined()
    expect(await server().keys()).toEqual([])
  })

  it("stores nothing when the load fails, and tells all who waited", async () => {
    const waiting = Array.from({ length: 10 }, () => page().cached(() => Promise.reject(new Error("no source"))))
    for (const one of waiting) await expect(one).rejects.toThrow("no source")
    expect(await server().keys()).toEqual([])
    expect(await page().cached(() => "better")).toBe("better")
  })

  it("is stored past a lease or a writer that somebody else left there for ever", async () => {
    const digest = createHash("sha1").update("cache:h").digest("hex")
    for (const [what, ...words] of [
      ["fill", "SET", "nobody"],
      ["fill", "RPUSH", "nobody"],
      ["hold", "ZADD", "inf", "nobody"],
      ["hold", "SET", "nobody"],
    ]) {
      const [name = "", ...rest] = words
      await server().raw(name, `keywright:${what}:${digest}`, ...rest)
      expect(await page().cached(() => "<html>")).toBe("<html>")
      expect(await server().keys()).toEqual(["cache:h"])
      await server().raw("DEL", "cache:h")
    }
  })

  it("is loaded once for many readers in many processes", async () => {
    let loads = 0
    const load = async () => {
      loads += 1
      await pause(30)
      return "x"
    }
    const readers = Array.from({ length: 200 }, (_, i) => (i % 2 ? page() : elsewhere()).cached(load))
    expect(new Set(await Promise.all(readers))).toEqual(new Set(["x"]))
    expect(loads).toBe(1)
  })

  it("is not stored when it was invalidated while it was loaded, and given to nobody who came after", async () => {
    const [begun, go] = [gate(), gate()]
    const before = page().cached(async () => {
      begun.open()
      await go.promise
      return "old"
    })
    await begun.promise
    expect(await elsewhere().invalidate()).toBe(false)
    expect(await elsewhere().cached(() => "new")).toBe("new")
    go.open()
    expect(await before).toBe("old")
    expect(await server().raw("GET", "cache:h")).toBe("new")
    expect(await page().invalidate()).toBe(true)
    expect(await server().keys()).toEqual([])
  })

  /** A load in this process that has read the source, and waits. */
  async function slowLoad(read: () => string | undefined) {
    const [begun, go] = [gate(), gate()]
    const result = page().cached(async () => {
      const value = read()
      begun.open()
      await go.promise
      return value
    })
    await begun.promise
    return { result, finish: go.open }
  }

  it.each<[string, string | undefined]>([
    ["a value", "old"],
    ["nothing", undefined],
  ])("gives %s that was loaded before another process invalidated it to nobody who came after", async (_, old) => {
    let source = old
    let loads = 0
    const load = async () => {
      loads += 1
      await pause(5)
      return source
    }
    const { result, finish } = await slowLoad(() => source)
    source = "new"
    await elsewhere().invalidate()
    const after = Array.from({ length: 50 }, () => page().cached(load))
    await pause(20)
    finish()
    expect(await result).toBe(old)
    expect(new Set(await Promise.all(after))).toEqual(new Set(["new"]))
    expect(loads).toBe(1)
    expect(await server().raw("GET", "cache:h")).toBe("new")
  })

  it("tells an error that was loaded before an invalidation to nobody who came after", async () => {
    let isThere = false
    const [begun, go] = [gate(), gate()]
    const before = page().cached(async () => {
      const found = isThere
      begun.open()
      await go.promise
      if (!found) throw new Error("no such row")
      return "row"
    })
    await begun.promise
    isThere = true
    await elsewhere().invalidate()
    const after = page().cached(() => "row")
    await pause(20)
    go.open()
    await expect(before).rejects.toThrow("no such row")
    expect(await after).toBe("row")
  })

  it("is shared with those who came while it was loaded, where nothing was invalidated", async () => {
    const { result, finish } = await slowLoad(() => "value")
    const after = Array.from({ length: 50 }, () => page().cached(never))
    await pause(20)
    finish()
    expect(new Set(await Promise.all([result, ...after]))).toEqual(new Set(["value"]))
  })

  it("is shared by those who come while the source is being changed", async () => {
    let loads = 0
    const load = async () => {
      loads += 1
      await pause(30)
      return "x"
    }
    await elsewhere().invalidateWhile(async () => {
      const first = page().cached(load)
      await pause(15)
      await Promise.all([first, ...Array.from({ length: 50 }, () => page().cached(load))])
    })
    // Two, where all of them came while the first was under way.
    expect(loads).toBeLessThan(10)
  })

  it("does not overwrite what somebody wrote meanwhile", async () => {
    const value = await page().cached(async () => {
      await elsewhere().set("written")
      return "loaded"
    })
    expect(value).toBe("loaded")
    expect(await page().get()).toBe("written")
  })

  it("is not stored while the source is being changed", async () => {
    await page().cached(() => "old")
    await page().invalidateWhile(async () => {
      expect(await elsewhere().cached(() => "old")).toBe("old")
      expect(await elsewhere().get()).toBeUndefined()
    })
    expect(await elsewhere().cached(() => "new")).toBe("new")
    expect(await elsewhere().get()).toBe("new")
  })

  it("is given while it is stale, and loaded again behind the reader's back, once", async () => {
    await server().raw("SET", "cache:h", "old", "PX", "50000")
    const outcomes: string[] = []
    let loads = 0
    const load = async () => {
      loads += 1
      await pause(20)
      return "new"
    }
    const options = { staleFor: "1m", onOutcome: (outcome: string) => outcomes.push(outcome) } as const
    const readers = Array.from({ length: 40 }, (_, i) => (i % 2 ? page() : elsewhere()).cached(load, options))
    expect(new Set(await Promise.all(readers))).toEqual(new Set(["old"]))
    expect(new Set(outcomes)).toEqual(new Set(["stale"]))
    await vi.waitUntil(async () => (await server().raw("GET", "cache:h")) === "new", { timeout: 30_000 })
    expect(loads).toBe(1)
    expect(await page().cached(never, options)).toBe("new")
    expect(outcomes.at(-1)).toBe("hit")
  })

  it("survives a refresh that fails: the old value stays, and only the metrics show it", async () => {
    const metrics = prometheus()
    await server().raw("SET", "cache:h", "old", "PX", "50000")
    expect(await page().cached(never, { staleFor: "1m" })).toBe("old")
    await vi.waitUntil(async () => (await metrics.text()).includes('outcome="refresh failed"} 1'), { timeout: 30_000 })
    metrics.close()
    expect(await server().keys()).toEqual(["cache:h"])
  })

  it("does not overwrite what was written while it was refreshed", async () => {
    await server().raw("SET", "cache:h", "old", "PX", "50000")
    const done = gate()
    const load = async () => {
      await elsewhere().set("written")
      done.open()
      return "loaded"
    }
    await page().cached(load, { staleFor: "1m" })
    await done.promise
    await vi.waitUntil(async () => (await server().keys()).length === 1, { timeout: 30_000 })
    expect(await page().get()).toBe("written")
  })

  it("is refreshed early by chance: surely at the very end, hardly ever long before", async () => {
    let loads = 0
    const load = async () => `load ${++loads}`
    await server().raw("SET", "cache:h", "old", "PX", "299000")
    for (let i = 0; i < 50; i++) await page().cached(load, { refreshEarly: "100ms" })
    expect(loads).toBe(0)
    await server().raw("SET", "cache:h", "old", "PX", "20000")
    const readers = Array.from({ length: 50 }, () => page().cached(load, { refreshEarly: "2m" }))
    expect(new Set(await Promise.all(readers))).toEqual(new Set(["old"]))
    await vi.waitUntil(async () => (await server().raw("GET", "cache:h")) !== "old", { timeout: 30_000 })
    expect(loads).toBe(1)
  })

  it("is loaded by another process when the one that loaded has died", async () => {
    const dead = elsewhere().cached(() => new Promise<string>(() => {}), { lease: "500ms" })
    await vi.waitUntil(async () => (await server().keys()).length > 0, { timeout: 30_000 })
    expect(await page().cached(() => "alive", { wait: "10s" })).toBe("alive")
    expect(await server().raw("GET", "cache:h")).toBe("alive")
    void dead
  })

  it("is loaded without storing when another process takes longer than one waits", async () => {
    const slow = gate()
    const first = elsewhere().cached(async () => {
      await slow.promise
      return "slow"
    })
    await vi.waitUntil(async () => (await server().keys()).length > 0, { timeout: 30_000 })
    expect(await page().cached(() => "own", { wait: "20ms" })).toBe("own")
    expect(await server().raw("EXISTS", "cache:h")).toBe(0)
    slow.open()
    expect(await first).toBe("slow")
    expect(await server().raw("GET", "cache:h")).toBe("slow")
  })

  it("lets one caller give up while the others wait on", async () => {
    const slow = gate()
    const load = async () => {
      await slow.promise
      return "x"
    }
    const leaving = new AbortController()
    const first = page().cached(load, { signal: leaving.signal })
    const second = page().cached(load)
    leaving.abort(new Error("closed"))
    await expect(first).rejects.toMatchObject({ code: "CALL.ABORTED", cause: new Error("closed") })
    slow.open()
    expect(await second).toBe("x")
    const late = page()
      .invalidate()
      .then(() => page().cached(load, { signal: leaving.signal }))
    await expect(late).rejects.toMatchObject({ code: "CALL.ABORTED" })
  })

  it("takes its TTL from the call where the schema leaves the choice", async () => {
    await db.chosen({ id: "1" }).cached(() => "x", { ttl: "never" })
    await db.chosen({ id: "2" }).cached(() => "x", { ttl: "1m" })
    expect(await server().raw("TTL", "c:1")).toBe(-1)
    expect(await server().raw("TTL", "c:2")).toBeGreaterThan(50)
    await expect(db.chosen({ id: "3" }).cached(() => "x")).rejects.toMatchObject({ code: "TTL.CHOICE" })
    await expect(page().cached(() => "x", { ttl: "1m" })).rejects.toMatchObject({ code: "CACHE.REFUSED" })
  })

  it("refuses what cannot be: in a family, stale without an age, part of a batch", async () => {
    const code = (call: Promise<unknown>) => call.then(String, (error: { code: string }) => error.code)
    expect(
      await code(
        db
          .kin({ id: "1" })
          .value()
          .cached(() => "x"),
      ),
    ).toBe("CACHE.REFUSED")
    expect(await code(db.row({ id: "1" }).cached(() => null, { staleFor: "1m" }))).toBe("CACHE.REFUSED")
    expect(await code(db.session({ id: "1" }).cached(() => "", { staleFor: "1m" }))).toBe("CACHE.REFUSED")
    expect(await code(page().cached(() => "", { staleFor: "5m" }))).toBe("CACHE.REFUSED")
    const inBatch = db.$batch((db) => [db.page({ hash: "h" }).cached(() => "x")])
    expect(await code(inBatch)).toBe("CALL.DIRECT_ONLY")
    expect(await server().keys()).toEqual([])
  })

  it("rejects with the codec's error when the loader gives what it cannot keep", async () => {
    await expect(page().cached(() => 5 as never)).rejects.toMatchObject({ code: "CODEC.TEXT" })
    expect(await server().keys()).toEqual([])
  })
})

describe.runIf(needs("redis-server"))("a cached string whose server is away", () => {
  it("fails, or is answered from the loader where that is asked for, once for all who wait", async () => {
    const redis = await startRedis()
    const db = await connect(pages, redis.url, { timeoutMs: 100 })
    try {
      expect(await db.page({ hash: "h" }).cached(() => "x")).toBe("x")
      redis.pause()
      await expect(db.page({ hash: "h" }).cached(() => "y")).rejects.toMatchObject({ code: "DRIVER.TIMEOUT" })
      let loads = 0
      const load = async () => {
        loads += 1
        await pause(50)
        return "from the source"
      }
      const outcomes: string[] = []
      const options = { onUnavailable: "load", onOutcome: (outcome: string) => outcomes.push(outcome) } as const
      const answers = await Promise.all(Array.from({ length: 20 }, () => db.page({ hash: "h" }).cached(load, options)))
      expect(new Set(answers)).toEqual(new Set(["from the source"]))
      expect(loads).toBe(1)
      expect(new Set(outcomes)).toEqual(new Set(["unavailable"]))
      const failing = db.page({ hash: "h" }).cached(() => Promise.reject(new Error("both are away")), options)
      await expect(failing).rejects.toThrow("both are away")
      redis.resume()
    } finally {
      await db.$close()
      await redis.stop()
    }
  })
})
