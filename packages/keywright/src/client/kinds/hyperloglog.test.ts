import { expect, it } from "vitest"
import { SchemaError } from "../../errors/error.ts"
import { int } from "../../schema/codec/number.ts"
import { hyperloglog } from "../../schema/define.ts"
import { database } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const logs = keyspace({
  visitors: hyperloglog("visitors:{day}", int),
  month: hyperloglog("month", int, { ttl: "1d" }),
  other: database(1, "other", { visitors: hyperloglog("visitors", int) }),
})

onEveryDriver(logs, (on) => {
  it("counts different members, alone and together", async () => {
    const [one, two] = [on.db.visitors({ day: "1" }), on.db.visitors({ day: "2" })]
    expect(await one.count()).toBe(0)
    expect([await one.add(1, 2, 3), await one.add(3), await one.add()]).toEqual([true, false, false])
    await two.addMany([3, 4])
    expect([await one.count(), await two.count(), await one.countWith(two)]).toEqual([3, 2, 4])
    expect(await on.raw("PFCOUNT", "visitors:1")).toBe(3)
    await on.db.month().merge(one, two)
    expect(await on.db.month().count()).toBe(4)
    expect(await on.db.month().ttl()).toBeGreaterThan(86_000_000)
  })

  it("rejects bad members, other databases and strings of another kind", async () => {
    await expect(on.db.visitors({ day: "1" }).add(0.5)).rejects.toBeInstanceOf(SchemaError)
    await expect(on.db.visitors({ day: "1" }).countWith(on.db.other.visitors())).rejects.toMatchObject({
      code: "CALL.NOT_TOGETHER",
    })
    await expect(on.db.month().merge(on.db.other.visitors())).rejects.toMatchObject({ code: "CALL.NOT_TOGETHER" })
    expect(await on.raw("DBSIZE")).toBe(0)
    await on.raw("SET", "visitors:1", "text")
    await expect(on.db.visitors({ day: "1" }).count()).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
  })
})
