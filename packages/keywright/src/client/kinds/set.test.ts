import { expect, it } from "vitest"
import { SchemaError } from "../../errors/error.ts"
import { WrongType } from "../../errors/outcome.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { int } from "../../schema/codec/number.ts"
import { set } from "../../schema/define.ts"
import { database, family } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { sliding } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const sets = keyspace({
  liked: set("{user}_liked", int, { params: { user: int } }),
  online: set("online", int, { ttl: "1m" }),
  seen: set("seen", int, { ttl: sliding("1m") }),
  blobs: set("blobs", bytes),
  channel: family("ch:{id}", { ttl: "1h" }, { subscribers: set(":sub", int), owners: set(":own", int) }),
  archive: database(1, "archive", { old: set("old", int) }),
})

const sorted = (members: readonly number[]) => members.toSorted((a, b) => a - b)

onEveryDriver(sets, (on) => {
  it("adds, removes and knows its members", async () => {
    const liked = on.db.liked({ user: 7 })
    expect([await liked.members(), await liked.size(), await liked.has(1)]).toEqual([[], 0, false])
    expect(await liked.add(1, 2, 2)).toBe(2)
    expect(await liked.addMany([2, 3])).toBe(1)
    expect([await liked.add(), await liked.remove(), await liked.hasMany([])]).toEqual([0, 0, []])
    expect(await on.raw("SMEMBERS", "7_liked")).toEqual(["1", "2", "3"])
    expect(await liked.members()).toEqual([1, 2, 3])
    expect([await liked.has(1), await liked.has(9), await liked.size()]).toEqual([true, false, 3])
    expect(await liked.hasMany([1, 9, 3])).toEqual([true, false, true])
    expect(await liked.remove(1, 9)).toBe(1)
    expect(await liked.removeMany([2])).toBe(1)
    await liked.replace([5, 6])
    expect(await liked.members()).toEqual([5, 6])
    await liked.replace([])
    expect(await liked.exists()).toBe(false)
  })

  it("gives members at random, and pops them once", async () => {
    const liked = on.db.liked({ user: 7 })
    expect([await liked.random(), await liked.randomMany(2), await liked.pop(), await liked.popMany(2)]).toEqual([
      undefined,
      [],
      undefined,
      [],
    ])
    await liked.add(1, 2, 3, 4)
    expect(await liked.has((await liked.random())!)).toBe(true)
    expect(new Set(await liked.randomMany(10)).size).toBe(4)
    const first = await liked.pop({ operationId: "a" })
    expect(await liked.pop({ operationId: "a" })).toBe(first)
    expect(await liked.size()).toBe(3)
    const more = await liked.popMany(2, { operationId: "b" })
    expect(await liked.popMany(2, { operationId: "b" })).toEqual(more)
    expect(await liked.size()).toBe(1)
    expect(await liked.pop()).toBeDefined()
    for (let i = 0; i < 2; i++) expect(await liked.addMany([1, 2], { operationId: "c" })).toBe(2)
    for (let i = 0; i < 2; i++) expect(await liked.removeMany([1], { operationId: "d" })).toBe(1)
  })

  it("walks many members in pages, each once", async () => {
    const liked = on.db.liked({ user: 7 })
    await liked.addMany(Array.from({ length: 3000 }, (_, i) => i))
    const found: number[] = []
    for await (const member of liked.scan({ pageSize: 100 })) found.push(member)
    expect(sorted(found)).toEqual(Array.from({ length: 3000 }, (_, i) => i))
    for await (const _member of on.db.liked({ user: 8 }).scan()) expect.unreachable()
  })

  it("combines and moves", async () => {
    const [one, other, third] = [on.db.liked({ user: 1 }), on.db.liked({ user: 2 }), on.db.online()]
    await Promise.all([one.add(1, 2, 3), other.add(2, 3, 4), third.add(3)])
    expect(sorted(await one.union(other, third))).toEqual([1, 2, 3, 4])
    expect(sorted(await one.intersect(other))).toEqual([2, 3])
    expect(await one.intersect(other, third)).toEqual([3])
    expect(await one.difference(other)).toEqual([1])
    expect(await one.move(1, third)).toBe(true)
    expect(await one.move(1, third)).toBe(false)
    expect([await one.has(1), await third.has(1)]).toEqual([false, true])
    await on.raw("PERSIST", "online")
    await one.move(2, third)
    expect(await third.ttl()).toBeGreaterThan(59_000)
  })

  it("refuses to combine what one command cannot reach", async () => {
    const old = on.db.archive.old()
    await expect(on.db.liked({ user: 1 }).union(old)).rejects.toMatchObject({ code: "CALL.NOT_TOGETHER" })
    await expect(on.db.liked({ user: 1 }).move(1, old)).rejects.toMatchObject({ code: "CALL.NOT_TOGETHER" })
    const owners = on.db.channel.owners({ id: "1" })
    await expect(owners.move(1, on.db.channel.subscribers({ id: "1" }))).rejects.toMatchObject({
      code: "CALL.NOT_TOGETHER",
    })
  })

  it("lives in the database that it was declared in", async () => {
    await on.db.archive.old().add(1)
    expect(await on.raw("EXISTS", "old")).toBe(0)
    expect(await on.db.$driver(1).send(["SMEMBERS", "old"])).toEqual(["1"])
  })

  it("keeps bytes as members", async () => {
    const [one, other] = [Uint8Array.of(255, 0), Uint8Array.of(254, 0)]
    const blobs = on.db.blobs()
    expect(await blobs.add(one, other)).toBe(2)
    expect(await blobs.has(Uint8Array.of(254, 0))).toBe(true)
    expect((await blobs.members()).map((raw) => Uint8Array.from(raw)[0]).toSorted()).toEqual([254, 255])
    const found: number[] = []
    for await (const member of blobs.scan()) found.push(member[0]!)
    expect(found.toSorted()).toEqual([254, 255])
    expect((await blobs.popMany(2, { operationId: "a" })).length).toBe(2)
  })

  it("follows the TTL of the schema, and its family", async () => {
    const seen = on.db.seen()
    await seen.add(1)
    const walk = async () => {
      for await (const _member of seen.scan());
    }
    for (const read of [() => seen.has(1), () => seen.members(), () => seen.union(), walk]) {
      await on.raw("PEXPIRE", "seen", "1000")
      await read()
      expect(await seen.ttl()).toBeGreaterThan(59_000)
    }
    const owners = on.db.channel.owners({ id: "1" })
    expect([await owners.add(1), await owners.pop(), await owners.popMany(2)]).toEqual([0, undefined, []])
    await on.raw("SADD", "ch:1:sub", "1")
    await on.raw("PEXPIRE", "ch:1:sub", "100000")
    expect(await owners.add(1, 2)).toBe(2)
    expect(await owners.ttl()).toBeLessThanOrEqual(100_000)
    expect(await owners.ttl()).toBeGreaterThan(50_000)
    expect(await owners.addMany([3], { operationId: "a" })).toBe(1)
    expect(await owners.remove(3)).toBe(1)
  })

  it("rejects bad members, and says what does not decode", async () => {
    await expect(on.db.online().add(1, 0.5)).rejects.toBeInstanceOf(SchemaError)
    await expect(on.db.online().popMany(0.5)).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    expect(await on.raw("DBSIZE")).toBe(0)
    await on.raw("SADD", "online", "x")
    await expect(on.db.online().members()).rejects.toMatchObject({ details: { part: "a member", codec: "int" } })
    await on.raw("SET", "seen", "1")
    await expect(on.db.seen().members()).rejects.toBeInstanceOf(WrongType)
  })
})
