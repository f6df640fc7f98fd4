import { expect, it } from "vitest"
import { WrongType } from "../../errors/outcome.ts"
import { int } from "../../schema/codec/number.ts"
import { geo } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const places = keyspace({ shops: geo("shops", int), page: geo("page", int, { ttl: "1m" }) })
const palermo = { longitude: 13.361389, latitude: 38.115556 }
const catania = { longitude: 15.087269, latitude: 37.502669 }

onEveryDriver(places, (on) => {
  it("adds members and tells where they are", async () => {
    const shops = on.db.shops()
    expect([await shops.position(1), await shops.size(), await shops.distance(1, 2)]).toEqual([undefined, 0, undefined])
    expect(await shops.add(1, palermo)).toBe(true)
    expect(await shops.add(1, palermo)).toBe(false)
    expect(await shops.addMany([[2, catania]])).toBe(1)
    expect(await shops.addMany([])).toBe(0)
    expect((await shops.position(1))!.longitude).toBeCloseTo(13.361389, 4)
    const [one, none, two] = await shops.positions([1, 9, 2])
    expect([one!.latitude.toFixed(3), none, two!.latitude.toFixed(3)]).toEqual(["38.116", undefined, "37.503"])
    expect(await shops.positions([])).toEqual([])
    expect(await shops.distance(1, 2)).toBeCloseTo(166_274, -1)
    expect(await shops.distance(1, 2, "km")).toBeCloseTo(166.27, 1)
    expect(await on.raw("ZCARD", "shops")).toBe(2)
    expect(await shops.remove(1, 9)).toBe(1)
    for (let i = 0; i < 2; i++) expect(await shops.removeMany([2], { operationId: "a" })).toBe(1)
    expect([await shops.remove(), await shops.size()]).toEqual([0, 0])
  })

  it("searches circles and boxes, around places and members", async () => {
    const shops = on.db.shops()
    const around = { longitude: 15, latitude: 37 }
    expect(await shops.search({ around, radius: 200, unit: "km" })).toEqual([])
    await shops.addMany([
      [1, palermo],
      [2, catania],
    ])
    const near = await shops.search({ around, radius: 200, unit: "km" })
    expect(near.map(({ member }) => member)).toEqual([2, 1])
    expect(near[0]!.distance).toBeCloseTo(56.44, 1)
    expect(near[0]!.longitude).toBeCloseTo(15.087269, 4)
    const far = await shops.search({ around, radius: 200, unit: "km" }, { order: "farthest", limit: 1 })
    expect(far.map(({ member }) => member)).toEqual([1])
    const box = await shops.search({ aroundMember: 1, width: 100, height: 100, unit: "km" })
    expect(box.map(({ member, distance }) => [member, distance])).toEqual([[1, 0]])
    expect((await shops.search({ aroundMember: 1, radius: 1_000_000 })).length).toBe(2)
  })

  it("follows the TTL of the schema, and rejects what is nowhere", async () => {
    await on.db.page().add(1, palermo)
    expect(await on.db.page().ttl()).toBeGreaterThan(59_000)
    const shops = on.db.shops()
    await expect(shops.add(1, { longitude: 181, latitude: 0 })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    await expect(shops.add(1, { longitude: 0, latitude: 86 })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    await expect(shops.add(0.5, palermo)).rejects.toMatchObject({ code: "CODEC.INT", key: "shops" })
    await expect(shops.search({ around: palermo, radius: -1 })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    expect(await shops.exists()).toBe(false)
    await on.raw("SET", "shops", "1")
    await expect(shops.size()).rejects.toBeInstanceOf(WrongType)
    await on.raw("DEL", "shops")
    await on.raw("GEOADD", "shops", "1", "1", "x")
    await expect(shops.search({ around: palermo, radius: 1e7 })).rejects.toMatchObject({ code: "VALUE.UNDECODABLE" })
  })
})
