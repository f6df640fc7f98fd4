import { expect, it } from "vitest"
import { WrongType } from "../../errors/outcome.ts"
import { bitmap } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const bitmaps = keyspace({ active: bitmap("active:{day}"), page: bitmap("page", { ttl: "1m" }) })

onEveryDriver(bitmaps, (on) => {
  it("sets and gets bits", async () => {
    const active = on.db.active({ day: "1" })
    expect([await active.get(7), await active.count(), await active.position(true)]).toEqual([false, 0, undefined])
    expect(await active.set(7, true)).toBe(false)
    expect(await active.set(7, true)).toBe(true)
    expect(await active.get(7)).toBe(true)
    expect(await on.raw("GETBIT", "active:1", "7")).toBe(1)
    expect(await active.setMany([0, 7, 9], true)).toEqual([false, true, false])
    expect(await active.getMany([9, 8, 7, 0])).toEqual([true, false, true, true])
    expect([await active.getMany([]), await active.setMany([], true)]).toEqual([[], []])
    for (let i = 0; i < 2; i++) expect(await active.set(9, false, { operationId: "a" })).toBe(true)
    for (let i = 0; i < 2; i++) expect(await active.setMany([9, 7], true, { operationId: "b" })).toEqual([false, true])
  })

  it("counts and finds bits", async () => {
    const active = on.db.active({ day: "1" })
    await active.setMany([0, 9, 20], true)
    expect(await active.count()).toBe(3)
    expect(await active.count({ from: 1, to: 1 })).toBe(1)
    expect(await active.count({ from: 9, to: -1, unit: "bit" })).toBe(2)
    expect([await active.position(true), await active.position(false)]).toEqual([0, 1])
    expect(await active.position(true, { from: 1, to: -1 })).toBe(9)
    expect(await active.position(true, { from: 10, to: -1, unit: "bit" })).toBe(20)
  })

  it("follows the TTL of the schema, and rejects bad offsets", async () => {
    await on.db.page().set(1, true)
    expect(await on.db.page().ttl()).toBeGreaterThan(59_000)
    for (const offset of [-1, 0.5, 2 ** 32]) {
      await expect(on.db.active({ day: "1" }).set(offset, true)).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    }
    await expect(on.db.active({ day: "1" }).count({ from: 0.5, to: 1 })).rejects.toMatchObject({
      code: "CALL.ARGUMENT",
    })
    await on.raw("LPUSH", "active:2", "1")
    await expect(on.db.active({ day: "2" }).get(1)).rejects.toBeInstanceOf(WrongType)
  })
})
