import { connect, family, keyspace, Refused, SchemaError, scope, set, stream, text } from "keywright"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { messenger } from "./family.cases.ts"
import { onBothServers } from "../servers.cases.ts"

const HOUR_MS = 3_600_000
const gate = () => {
  let open = () => {}
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { open, promise }
}

onBothServers("a family", (server) => {
  const open = () => connect(messenger, server().target)
  let db: Awaited<ReturnType<typeof open>>
  let other: typeof db
  const channel = () => db.channel({ channel: "1" })
  const elsewhere = () => other.channel({ channel: "1" })
  beforeEach(async () => {
    db = await open()
    other = await open()
  })
  afterEach(() => Promise.all([db.$close(), other.$close()]))

  it("is written as a whole, with one deadline for all keys; what is empty is absent", async () => {
    await channel().$fill({ info: { name: "n" }, subscribers: ["a", "b"], banned: [] })
    expect(await server().keys()).toEqual(["Ch:1", "Ch:1:Sub"])
    const deadlines = [await server().raw("PEXPIRETIME", "Ch:1"), await server().raw("PEXPIRETIME", "Ch:1:Sub")]
    expect(deadlines[0]).toBe(deadlines[1])
    expect(await server().raw("PTTL", "Ch:1")).toBeGreaterThan(3 * HOUR_MS - 60_000)
    expect(await server().raw("HGETALL", "Ch:1")).toEqual(["name", "n"])
  })

  it("is replaced by the next fill: nothing of the old stays", async () => {
    await channel().$fill({ info: { name: "n", topic: "t" }, banned: ["x"], hits: 3 })
    await channel().$fill({ info: { name: "m" }, subscribers: ["a"] })
    expect(await channel().$read()).toEqual({ info: { name: "m" }, subscribers: ["a"], banned: [], hits: undefined })
  })

  it("is there as a whole or not at all, also where the user may not write one of its keys", async () => {
    const whole = { info: { name: "n" }, subscribers: ["a"], banned: ["b"], hits: 1 }
    await channel().$fill(whole)
    const mayNot = async (fill: () => Promise<unknown>) => {
      await server().raw("ACL", "SETUSER", "default", "-set")
      const refusal = await fill().catch((error: unknown) => error)
      await server().raw("ACL", "SETUSER", "default", "+set")
      expect(refusal).toBeInstanceOf(Refused)
    }
    await mayNot(() => channel().$fill({ ...whole, banned: ["c"] }))
    expect(await channel().$read()).toMatchObject({ banned: ["b"], hits: 1 })
    await channel().$drop()
    await mayNot(() => channel().$load(async () => whole))
    expect(await server().keys()).toEqual([])
    expect(await channel().$load(async () => whole)).toMatchObject({ banned: ["b"], hits: 1 })
  })

  it("is read as a whole, and is undefined when its marker is missing", async () => {
    expect(await channel().$read()).toBeUndefined()
    await server().raw("SADD", "Ch:1:Sub", "a")
    expect(await channel().$read()).toBeUndefined()
    await server().raw("HSET", "Ch:1", "name", "n")
    expect(await channel().$read()).toEqual({ info: { name: "n" }, subscribers: ["a"], banned: [], hits: undefined })
  })

  it("names the key that is of another type, and not the family", async () => {
    await channel().$fill({ info: { name: "n" }, subscribers: ["a"] })
    await server().raw("SET", "Ch:1:BanSub", "no set")
    for (const call of [channel().$read(), channel().$load(async () => undefined)])
      await expect(call).rejects.toMatchObject({
        code: "SERVER.WRONGTYPE",
        key: "Ch:1:BanSub",
        pattern: "Ch:{channel}:BanSub",
      })
    expect(await channel().$drop()).toBe(true)
    expect(await channel().$read()).toBeUndefined()
  })

  it("is loaded without a marker when any of its keys exists", async () => {
    const subscriber = db.subscriber({ user: "u" })
    expect(await subscriber.$read()).toBeUndefined()
    await subscriber.$fill({ channels: ["c"] })
    expect(await subscriber.$read()).toEqual({ contacts: [], channels: ["c"] })
    await subscriber.$fill({})
    expect(await subscriber.$read()).toBeUndefined()
  })

  it("holds every kind of value that can be filled", async () => {
    const content = {
      text: "t",
      bytes: Buffer.from([0, 255]),
      counter: 7,
      hash: { a: 1 },
      map: new Map([["x", 1]]),
      list: [3, 1, 3],
      set: [5],
      zset: [["p", 1.5], ["q", 2]] as [string, number][], // oxfmt-ignore
      newest: [1, 2, 3],
      best: [["a", 1], ["b", 3], ["c", 2]] as [string, number][], // oxfmt-ignore
    }
    const all = db.everything({ id: "1" })
    await all.$fill(content)
    expect(await all.$read()).toEqual({
      ...content,
      newest: [2, 3],
      best: [["c", 2], ["b", 3]], // oxfmt-ignore
    })
    expect(await server().keys()).toHaveLength(10)
  })

  it("takes more members than a script can unpack at once", async () => {
    const subscribers = Array.from({ length: 20_000 }, (_, i) => `u${i}`)
    await channel().$fill({ info: { name: "n" }, subscribers })
    expect((await channel().$read())?.subscribers).toHaveLength(20_000)
  })

  it("moves its deadline as a whole, and only when it is loaded", async () => {
    expect(await channel().$touch()).toBe(false)
    await channel().$fill({ info: { name: "n" }, subscribers: ["a"] })
    for (const key of ["Ch:1", "Ch:1:Sub"]) await server().raw("PEXPIRE", key, "5000")
    expect(await channel().$touch()).toBe(true)
    const [one, two] = [await server().raw("PEXPIRETIME", "Ch:1"), await server().raw("PEXPIRETIME", "Ch:1:Sub")]
    expect(one).toBe(two)
    expect(await server().raw("PTTL", "Ch:1")).toBeGreaterThan(HOUR_MS)
    await server().raw("DEL", "Ch:1")
    expect(await channel().$touch()).toBe(false)
  })

  it("is dropped as a whole", async () => {
    await channel().$fill({ info: { name: "n" }, subscribers: ["a"] })
    expect(await channel().$drop()).toBe(true)
    expect(await server().keys()).toEqual([])
    expect(await channel().$drop()).toBe(false)
  })

  it.each(["1790000000000000000", "9223372036854775807"])("is changed once whose deadline is %s", async (deadline) => {
    await channel().$fill({ info: { name: "n" } })
    await server().raw("PEXPIREAT", "Ch:1", deadline)
    for (const _ of [1, 2, 3]) expect(await channel().hits().increment(2, { operationId: "far" })).toBe(2)
    expect(await server().raw("GET", "Ch:1:Hits")).toBe("2")
  })

  it("is changed in single keys without moving its deadline, and never begun that way", async () => {
    expect(await channel().banned().add("x")).toBe(0)
    await server().raw("SADD", "Ch:1:Sub", "left over")
    expect(await channel().subscribers().add("x")).toBe(0)
    expect(await server().keys()).toEqual(["Ch:1:Sub"])
    await channel().$fill({ info: { name: "n" } })
    await server().raw("PEXPIRE", "Ch:1", "50000")
    const deadline = await server().raw("PEXPIRETIME", "Ch:1")
    expect(await channel().banned().add("x", "y")).toBe(2)
    expect(await channel().hits().increment(2, { operationId: "once" })).toBe(2)
    expect(await channel().hits().increment(2, { operationId: "once" })).toBe(2)
    for (const key of ["Ch:1", "Ch:1:BanSub", "Ch:1:Hits"])
      expect(await server().raw("PEXPIRETIME", key)).toBe(deadline)
  })

  it("goes into a batch and a MULTI; loading does not", async () => {
    const content = { info: { name: "n" }, subscribers: ["a"] }
    const [, read] = await db.$multi((db) => [
      db.channel({ channel: "1" }).$fill(content),
      db.channel({ channel: "1" }).$read(),
    ])
    expect(read?.info).toEqual({ name: "n" })
    const [one, two, dropped] = await db.$batch((db) => [
      db.channel({ channel: "1" }).$read(),
      db.channel({ channel: "2" }).$read(),
      db.channel({ channel: "1" }).$drop(),
    ])
    expect([one?.subscribers, two, dropped]).toEqual([["a"], undefined, true])
    const load = db.$batch((db) => [db.channel({ channel: "1" }).$change(() => 1)])
    await expect(load).rejects.toMatchObject({ code: "CALL.DIRECT_ONLY" })
  })

  it("loads once for many readers, in one process and in several", async () => {
    let loads = 0
    const loader = async () => {
      loads += 1
      await new Promise((resolve) => setTimeout(resolve, 30))
      return { info: { name: "n" }, subscribers: ["a", "a", "b"] }
    }
    const readers = Array.from({ length: 50 }, (_, i) => (i % 2 ? channel() : elsewhere()).$load(loader))
    for (const found of await Promise.all(readers)) {
      expect(found?.info).toEqual({ name: "n" })
      expect(found?.subscribers.sort()).toEqual(["a", "b"])
    }
    expect(loads).toBe(1)
    expect(await server().keys()).toEqual(["Ch:1", "Ch:1:Sub"])
    await channel().$load(() => Promise.reject(new Error("not asked")))
  })

  it("stores nothing when the source has nothing, and nothing when it fails", async () => {
    expect(await channel().$load(async () => undefined)).toBeUndefined()
    const failing = Array.from({ length: 5 }, () => channel().$load(() => Promise.reject(new Error("no source"))))
    for (const one of await Promise.allSettled(failing)) expect(one).toMatchObject({ status: "rejected" })
    expect(await server().keys()).toEqual([])
    expect((await channel().$load(async () => ({ info: { name: "n" } })))?.info.name).toBe("n")
  })

  it.each(["$drop", "$fill", "$change"] as const)(
    "does not store what was loaded before a %s in another process",
    async (how) => {
      const [begun, go] = [gate(), gate()]
      const reading = channel().$load(async () => {
        begun.open()
        await go.promise
        return { info: { name: "old" } }
      })
      await begun.promise
      if (how === "$drop") await elsewhere().$drop()
      if (how === "$fill") await elsewhere().$fill({ info: { name: "new" } })
      if (how === "$change") await elsewhere().$change(() => undefined)
      go.open()
      expect((await reading)?.info.name).toBe("old")
      const now = await channel().$load(async () => ({ info: { name: "new" } }))
      expect(now?.info.name).toBe("new")
    },
  )

  it("gives a reader who comes after a drop what is loaded after it", async () => {
    const [begun, go] = [gate(), gate()]
    const before = channel().$load(async () => {
      begun.open()
      await go.promise
      return { info: { name: "old" } }
    })
    await begun.promise
    await channel().$drop()
    expect((await channel().$load(async () => ({ info: { name: "new" } })))?.info.name).toBe("new")
    go.open()
    expect((await before)?.info.name).toBe("old")
    expect((await channel().$read())?.info.name).toBe("new")
  })

  it("is not stored by anybody while the source is being changed", async () => {
    let source = "old"
    const loader = async () => ({ info: { name: source } })
    await channel().$load(loader)
    await channel().$change(async () => {
      expect(await elsewhere().$read()).toBeUndefined()
      expect((await elsewhere().$load(loader))?.info.name).toBe("old")
      expect(await elsewhere().$read()).toBeUndefined()
      source = "new"
    })
    expect((await elsewhere().$load(loader))?.info.name).toBe("new")
    expect((await elsewhere().$read())?.info.name).toBe("new")
    expect((await server().keys()).filter((key) => key.startsWith("keywright:"))).toEqual([])
  })

  it("stays unstored while a second change is under way, and after a change that failed", async () => {
    const slow = gate()
    const first = channel().$change(() => slow.promise)
    await expect(elsewhere().$change(() => Promise.reject(new Error("constraint")))).rejects.toThrow("constraint")
    await elsewhere().$load(async () => ({ info: { name: "too early" } }))
    expect(await channel().$read()).toBeUndefined()
    slow.open()
    await first
    await elsewhere().$load(async () => ({ info: { name: "new" } }))
    expect((await channel().$read())?.info.name).toBe("new")
  })

  it("is free again when a writer died and its hold is over", async () => {
    void channel().$change(() => new Promise(() => {}), "50ms")
    let stored: unknown
    while (stored === undefined) {
      await elsewhere().$load(async () => ({ info: { name: "n" } }))
      stored = await elsewhere().$read()
    }
    expect(stored).toMatchObject({ info: { name: "n" } })
  })

  it("is loaded without storing when another process takes too long", async () => {
    const slow = gate()
    const first = elsewhere().$load(async () => {
      await slow.promise
      return { info: { name: "slow" } }
    })
    await vi.waitUntil(async () => (await server().keys()).length > 0, { timeout: 30_000 })
    const found = await channel().$load(async () => ({ info: { name: "own" } }), { wait: "20ms" })
    expect(found?.info.name).toBe("own")
    expect(await channel().$read()).toBeUndefined()
    slow.open()
    await first
    expect((await channel().$read())?.info.name).toBe("slow")
  })

  it("never shows a reader two contents mixed, however many fill it", async () => {
    const fills = async (name: string) => {
      for (let i = 0; i < 60; i++) await channel().$fill({ info: { name }, subscribers: [name], banned: [name] })
    }
    const reads = async () => {
      for (let i = 0; i < 200; i++) {
        const found = await elsewhere().$read()
        if (found) expect(new Set([found.info.name, ...found.subscribers, ...found.banned]).size).toBe(1)
      }
    }
    await Promise.all([fills("a"), fills("b"), fills("c"), reads()])
  })

  it("refuses content that it does not know, that a codec refuses, or without its marker", async () => {
    const fill = (content: object) =>
      channel()
        .$fill(content as never)
        .catch((error: SchemaError) => error.code)
    expect(await fill({ info: { name: "n" }, subs: [] })).toBe("FAMILY.UNKNOWN_NAME")
    expect(await fill({ subscribers: ["a"] })).toBe("FAMILY.MARKER")
    expect(await fill({ info: { name: 1 } })).toMatch(/^CODEC\./)
    expect(await fill({ info: {} })).toMatch(/\./)
    expect(await server().keys()).toEqual([])
  })

  it("names key and part when what it finds does not fit", async () => {
    await server().raw("HSET", "All:1:map", "x", "no number")
    await expect(db.everything({ id: "1" }).$read()).rejects.toMatchObject({
      code: "VALUE.UNDECODABLE",
      key: "All:1:map",
    })
    await server().raw("SET", "Ch:1", "x")
    await expect(channel().$read()).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
  })
})

describe("a family that cannot be one", () => {
  const attempt = (entries: Parameters<typeof family>[2]) =>
    connect(keyspace({ f: family("f:{a}", { ttl: "1h" }, entries) }), "memory:").then(
      (db) => db.$close().then(() => "accepted"),
      (error: SchemaError) => error.code,
    )

  it("is refused on connect: keys with parameters of their own, groups, kinds that cannot be filled", async () => {
    expect(await attempt({ x: set(":x", text), y: set(":y:{b}", text) })).toBe("FAMILY.REFUSED")
    expect(await attempt({ x: scope(":x", { y: set(":y", text) }) })).toBe("FAMILY.REFUSED")
    expect(await attempt({ x: stream(":x", { a: text }) })).toBe("FAMILY.REFUSED")
    expect(await attempt({ x: set(":x", text) })).toBe("accepted")
  })

  it("is refused when its marker is not one of its keys", () => {
    const make = () => family("f:{a}", { ttl: "1h", marker: "z" as never }, { x: set(":x", text) })
    expect(make).toThrow(expect.objectContaining({ code: "DEFINE.FAMILY" }))
  })
})
