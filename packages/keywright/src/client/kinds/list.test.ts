import { expect, it } from "vitest"
import { SchemaError } from "../../errors/error.ts"
import { NotApplied, WrongType } from "../../errors/outcome.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { delimited } from "../../schema/codec/delimited.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { list } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { fixed } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const lists = keyspace({
  jobs: list("jobs:{name}", text),
  log: list("log", delimited("#", { ip: text, action: text })),
  last: list("last", int, { keep: 3 }),
  page: list("page", int, { ttl: "1m" }),
  window: list("window", int, { ttl: fixed("1m"), keep: 2 }),
  blobs: list("blobs", bytes),
})

onEveryDriver(lists, (on) => {
  it("pushes and pops at both ends", async () => {
    const jobs = on.db.jobs({ name: "a" })
    expect([await jobs.popLeft(), await jobs.popRight(), await jobs.popLeftMany(2)]).toEqual([undefined, undefined, []])
    expect(await jobs.pushRight("b", "c")).toBe(2)
    expect(await jobs.pushLeft("a")).toBe(3)
    expect(await jobs.pushRight()).toBe(3)
    expect(await jobs.range(0, -1)).toEqual(["a", "b", "c"])
    expect(await on.raw("LRANGE", "jobs:a", "0", "-1")).toEqual(["a", "b", "c"])
    expect(await jobs.popLeft()).toBe("a")
    expect(await jobs.popRight()).toBe("c")
    await jobs.pushRightMany(["c", "d"])
    await jobs.pushLeftMany(["a"])
    expect(await jobs.popLeftMany(2)).toEqual(["a", "b"])
    expect(await jobs.popRightMany(9)).toEqual(["d", "c"])
    expect(await jobs.exists()).toBe(false)
  })

  it("looks at items and changes them", async () => {
    const jobs = on.db.jobs({ name: "a" })
    await jobs.pushRight("a", "b", "a", "c")
    expect([await jobs.length(), await jobs.at(0), await jobs.at(-1), await jobs.at(9)]).toEqual([
      4,
      "a",
      "c",
      undefined,
    ])
    await jobs.setAt(1, "B")
    expect([await jobs.position("a"), await jobs.position("B"), await jobs.position("x")]).toEqual([0, 1, undefined])
    expect(await jobs.remove("a", -1)).toBe(1)
    expect(await jobs.range(0, -1)).toEqual(["a", "B", "c"])
    expect(await jobs.remove("a")).toBe(1)
    await jobs.trim(0, 0)
    expect(await jobs.range(0, -1)).toEqual(["B"])
    await jobs.replace(["x", "y"])
    expect(await jobs.range(0, -1)).toEqual(["x", "y"])
    await jobs.replace([])
    expect(await jobs.length()).toBe(0)
    await expect(jobs.setAt(3, "x")).rejects.toMatchObject({ code: "SERVER.ERR", key: "jobs:a" })
  })

  it("keeps only the newest, at the side that was pushed to", async () => {
    const last = on.db.last()
    expect(await last.pushLeft(1, 2, 3, 4)).toBe(3)
    expect(await last.range(0, -1)).toEqual([4, 3, 2])
    expect(await last.pushRight(5)).toBe(3)
    expect(await last.range(0, -1)).toEqual([3, 2, 5])
    for (let i = 0; i < 2; i++) expect(await last.pushRightMany([6], { operationId: "a" })).toBe(3)
    expect(await last.range(0, -1)).toEqual([2, 5, 6])
    await last.replace([1, 2, 3, 4, 5])
    expect(await last.range(0, -1)).toEqual([3, 4, 5])
  })

  it("pushes and pops once with an operation id", async () => {
    const jobs = on.db.jobs({ name: "a" })
    for (let i = 0; i < 3; i++) expect(await jobs.pushRightMany(["a", "b"], { operationId: "push" })).toBe(2)
    for (let i = 0; i < 3; i++) expect(await jobs.popLeft({ operationId: "pop" })).toBe("a")
    for (let i = 0; i < 3; i++) expect(await jobs.popRightMany(5, { operationId: "many" })).toEqual(["b"])
    for (let i = 0; i < 3; i++) expect(await jobs.popRightMany(5, { operationId: "none" })).toEqual([])
    for (let i = 0; i < 3; i++) expect(await jobs.popRight({ operationId: "none2" })).toBeUndefined()
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
    await on.db.blobs().pushRight(raw, raw)
    for (let i = 0; i < 2; i++) {
      const popped = await on.db.blobs().popLeftMany(1, { operationId: "bytes" })
      expect(popped.map((item) => Uint8Array.from(item))).toEqual([raw])
    }
    expect(Uint8Array.from((await on.db.blobs().at(0))!)).toEqual(raw)
    const many = Array.from({ length: 7001 }, () => "x")
    await expect(jobs.pushLeftMany(many, { operationId: "long" })).rejects.toMatchObject({ code: "CALL.TOO_LONG" })
    expect(await jobs.pushLeftMany(many)).toBe(7001)
  })

  it("moves items between lists", async () => {
    const [one, other] = [on.db.jobs({ name: "a" }), on.db.jobs({ name: "b" })]
    await one.pushRight("a", "b")
    expect(await one.move(other, { from: "left", to: "right" })).toBe("a")
    expect(await one.move(other, { from: "right", to: "left" })).toBe("b")
    expect(await one.move(other, { from: "left", to: "left" })).toBeUndefined()
    expect(await other.range(0, -1)).toEqual(["b", "a"])
    await on.db.page().pushRight(7)
    await on.db.page().move(on.db.last(), { from: "left", to: "right" })
    expect(await on.db.last().range(0, -1)).toEqual([7])
    await on.db.last().move(on.db.page(), { from: "left", to: "left" })
    expect(await on.db.page().ttl()).toBeGreaterThan(59_000)
  })

  it("waits for an item on a connection of its own, while others continue", async () => {
    const jobs = on.db.jobs({ name: "a" })
    await jobs.pushRight("now")
    expect(await jobs.takeLeft({ waitMs: 1000 })).toBe("now")
    const waiting = [jobs.takeLeft({ waitMs: 10_000 }), on.db.jobs({ name: "b" }).takeRight({ waitMs: 10_000 })]
    expect(await jobs.length()).toBe(0)
    await jobs.pushRight("later")
    await on.db.jobs({ name: "b" }).pushRight("too")
    expect(await Promise.all(waiting)).toEqual(["later", "too"])
    expect(await jobs.takeLeft({ waitMs: 20 })).toBeUndefined()
    await on.db.page().pushRight(1, 2)
    await on.raw("PEXPIRE", "page", "1000")
    expect(await on.db.page().takeRight({ waitMs: 1000 })).toBe(2)
    expect(await on.db.page().ttl()).toBeGreaterThan(59_000)
  })

  it("ends a wait that is aborted, takes nothing, and can wait again", async () => {
    const jobs = on.db.jobs({ name: "a" })
    const stop = new AbortController()
    const wait = jobs.takeLeft({ waitMs: 60_000, signal: stop.signal })
    await jobs.length()
    stop.abort(new Error("enough"))
    await expect(wait).rejects.toMatchObject({ code: "DRIVER.ABORTED", key: "jobs:a" })
    await expect(wait).rejects.toBeInstanceOf(NotApplied)
    await jobs.pushRight("kept")
    expect(await jobs.length()).toBe(1)
    await expect(jobs.takeLeft({ waitMs: 10, signal: stop.signal })).rejects.toMatchObject({ code: "DRIVER.ABORTED" })
    expect(await jobs.takeLeft({ waitMs: 1000 })).toBe("kept")
  })

  it("a wait that is given up does not end the next one", async () => {
    const [jobs, others] = [on.db.jobs({ name: "a" }), on.db.jobs({ name: "b" })]
    for (let i = 0; i < 5; i++) {
      const stop = new AbortController()
      const wait = jobs.takeLeft({ waitMs: 60_000, signal: stop.signal })
      await jobs.length()
      stop.abort()
      await expect(wait).rejects.toMatchObject({ code: "DRIVER.ABORTED" })
      const next = others.takeLeft({ waitMs: 60_000 })
      await new Promise((resolve) => setTimeout(resolve, 30))
      await others.pushRight("mine")
      expect(await next).toBe("mine")
    }
  })

  it("refuses to wait inside a batch, and for a time that is not valid", async () => {
    const jobs = on.db.jobs({ name: "a" })
    for (const waitMs of [0, -1, NaN, Infinity]) {
      await expect(jobs.takeLeft({ waitMs })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    }
    const batch = on.db.$batch((db) => [db.jobs({ name: "a" }).takeLeft({ waitMs: 10 })])
    await expect(batch).rejects.toMatchObject({ code: "BATCH.WAITS" })
  })

  it("follows the TTL of the schema", async () => {
    await on.db.page().pushRight(1, 2)
    await on.raw("PEXPIRE", "page", "1000")
    await on.db.page().popLeft()
    expect(await on.db.page().ttl()).toBeGreaterThan(59_000)
    await on.db.window().pushRight(1, 2, 3)
    expect(await on.db.window().range(0, -1)).toEqual([2, 3])
    await on.raw("PEXPIRE", "window", "1000")
    await on.db.window().pushRightMany([4], { operationId: "a" })
    await on.db.window().pushRight(5)
    expect(await on.db.window().range(0, -1)).toEqual([4, 5])
    expect(await on.db.window().ttl()).toBeLessThanOrEqual(1000)
  })

  it("rejects bad items and counts, and says what does not decode", async () => {
    await expect(on.db.last().pushLeft(1, 0.5)).rejects.toBeInstanceOf(SchemaError)
    await expect(on.db.last().popLeftMany(-1)).rejects.toMatchObject({ code: "CALL.ARGUMENT", key: "last" })
    await expect(on.db.last().range(0.5, 1)).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    expect(await on.raw("DBSIZE")).toBe(0)
    await on.db.log().pushLeft({ ip: "1.2.3.4", action: "run" })
    expect(await on.raw("LRANGE", "log", "0", "-1")).toEqual(["1.2.3.4#run"])
    expect(await on.db.log().at(0)).toEqual({ ip: "1.2.3.4", action: "run" })
    await on.raw("RPUSH", "log", "nothing")
    await expect(on.db.log().range(0, -1)).rejects.toMatchObject({
      code: "VALUE.UNDECODABLE",
      details: { part: "item 1" },
    })
    await on.raw("SET", "page", "1")
    await expect(on.db.page().pushLeft(1)).rejects.toBeInstanceOf(WrongType)
    await expect(on.db.page().takeLeft({ waitMs: 100 })).rejects.toMatchObject({
      code: "SERVER.WRONGTYPE",
      key: "page",
    })
  })
})
