import { afterAll, beforeAll, expect, test } from "vitest"
import { WrongType } from "../../errors/outcome.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"
import { kitchen } from "./entity.cases.ts"

onBothServers("entities", (server) => {
  let db: ClientOf<typeof kitchen>
  const raw = (...command: string[]) => server().raw(...command)

  beforeAll(async () => {
    db = await connect(kitchen, server().target, { sweep: false })
  })
  afterAll(() => db?.$close())

  test("creates a record with its id, list and index entries", async () => {
    const user = await db.user.create({ name: "Ann", email: "ann@example.com", roleId: "1" }, { by: "root" })
    expect(user).toMatchObject({ id: "1", name: "Ann", createdBy: "root", updatedBy: "root" })
    expect(await raw("GET", "user:counter")).toBe("1")
    expect(await raw("SMEMBERS", "user:list")).toEqual(["1"])
    expect(await raw("GET", "user:index:email:ann@example.com")).toBe("1")
    expect(await raw("SMEMBERS", "user:index:role:1")).toEqual(["1"])
    expect(JSON.parse((await raw("GET", "user:1")) as string)).toEqual(user)
    expect(await db.user.get("1")).toEqual(user)
    expect(await db.user.find("email", { email: "ann@example.com" })).toEqual(user)
  })

  test("refuses a unique value that is taken, and consumes no id", async () => {
    await db.user.create({ name: "Ann", email: "ann@example.com" })
    await expect(db.user.create({ name: "Bob", email: "ann@example.com" })).rejects.toMatchObject({
      code: "INDEX.UNIQUE_TAKEN",
      details: { holder: "1" },
    })
    expect(await raw("GET", "user:counter")).toBe("1")
    expect(await raw("SMEMBERS", "user:list")).toEqual(["1"])
  })

  test("moves index entries and mirrors when a field changes", async () => {
    const dish = await db.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 3 })
    await db.dish.update(dish, { categoryId: "2" })
    expect(await raw("EXISTS", "dish:index:category:1", "category:1:dishes")).toBe(0)
    expect(await raw("SMEMBERS", "dish:index:category:2")).toEqual(["1"])
    expect(await raw("SMEMBERS", "category:2:dishes")).toEqual(["1"])
    await db.dish.update("1", { categoryId: null })
    expect(await raw("EXISTS", "dish:index:category:2", "category:2:dishes")).toBe(0)
  })

  test("keeps conditional and ordered indexes", async () => {
    for (const [i, day] of ["2024-03-01", "2024-01-01", "2024-02-01"].entries()) {
      await db.dish.create({ name: `d${i}`, categoryId: "1", price: i, stock: 1, available: i > 0, addedAt: day })
    }
    expect((await db.dish.list("byDate", { categoryId: "1" })).map((dish) => dish.name)).toEqual(["d1", "d2", "d0"])
    expect(
      (await db.dish.list("byDate", { categoryId: "1" }, { reverse: true, limit: 1 })).map((dish) => dish.name),
    ).toEqual(["d0"])
    expect(
      (await db.dish.list("byDate", { categoryId: "1" }, { min: new Date("2024-01-15") })).map((dish) => dish.name),
    ).toEqual(["d2", "d0"])
    expect((await db.dish.list("onSale", { categoryId: "1" })).map((dish) => dish.name)).toEqual(["d1", "d2"])
    await db.dish.update("2", { available: false })
    expect(await db.dish.count("onSale", { categoryId: "1" })).toBe(1)
  })

  test("deletes a record with all its entries", async () => {
    await db.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 3, available: true, addedAt: "2024-01-01" })
    expect(await db.dish.delete("1")).toBe(true)
    expect(await db.dish.delete("1")).toBe(false)
    expect(await raw("DBSIZE")).toBe(1)
    expect(await raw("KEYS", "*")).toEqual(["dish:counter"])
  })

  test("fields that no schema knows survive an update", async () => {
    await raw("SET", "user:7", '{"id":"7","name":"Old","shoe":{"size":43},"tags":[]}')
    await db.user.update("7", { name: "New" })
    const stored = JSON.parse((await raw("GET", "user:7")) as string)
    expect(stored).toMatchObject({ id: "7", name: "New", shoe: { size: 43 }, tags: [] })
  })

  test("never hands out an id that is in use", async () => {
    await raw("SET", "user:1", '{"id":"1","name":"Imported"}')
    expect((await db.user.create({ name: "Ann" })).id).toBe("2")
    await raw("SET", "user:counter", "0")
    expect((await db.user.create({ name: "Bob" })).id).toBe("3")
  })

  test("refuses reserved words as ids", async () => {
    await expect(db.user.create({ id: "list", name: "x" })).rejects.toMatchObject({ code: "KEY.RESERVED" })
    await expect(db.user.create({ id: "index", name: "x" })).rejects.toMatchObject({ code: "KEY.RESERVED" })
    expect(await raw("DBSIZE")).toBe(0)
  })

  test("loses no update of parallel writers", async () => {
    await db.user.create({ name: "Ann", points: 0 })
    // How often each is overtaken is up to the machine: no call may run out of time for it.
    const add = () => db.user.update("1", (user) => ({ points: (user.points ?? 0) + 1 }), { timeoutMs: 30_000 })
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let i = 0; i < 10; i++) await add()
      }),
    )
    expect((await db.user.get("1"))?.points).toBe(640)
    expect(await db.user.increment("1", "points", 5)).toBe(645)
  })

  test("of 32 creators of one unique value one wins", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 32 }, (_, i) => db.user.create({ name: `n${i}`, email: "same@example.com" })),
    )
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(await raw("SCARD", "user:list")).toBe(1)
    expect(await raw("GET", "user:counter")).toBe("1")
  })

  test("keeps records as hashes where fields are codecs", async () => {
    await db.gauge.create({ id: "g1", room: "kitchen", value: 1.5, limit: 3 })
    expect(await raw("HGETALL", "gauge:g1")).toEqual(["id", "g1", "room", "kitchen", "value", "1.5", "limit", "3"])
    await db.gauge.update("g1", { room: "hall", limit: undefined })
    expect(await db.gauge.get("g1")).toEqual({ id: "g1", room: "hall", value: 1.5 })
    expect(await raw("SMEMBERS", "gauge:room:hall")).toEqual(["g1"])
    expect(await raw("EXISTS", "gauge:room:kitchen")).toBe(0)
    expect((await db.gauge.list("room", { room: "hall" })).length).toBe(1)
  })

  test("loads relations in batches", async () => {
    await db.role.create({ name: "ADMIN" })
    await db.permission.create({ path: "/a" })
    await db.permission.create({ path: "/b" })
    await db.rolePermissions({ roleId: "1" }).add("1", "2")
    await db.user.create({ name: "Ann", roleId: "1" })
    await db.user.create({ name: "Bob" })
    await db.cart.create({ userId: "1" })
    const users = await db.user.all({ with: { role: { permissions: true }, cart: true } })
    expect(users.map((user) => user.role?.permissions.map((one) => one.path))).toEqual([["/a", "/b"], undefined])
    expect(users[0]!.cart?.id).toBe("1")
    const role = await db.role.get("1", { with: { users: true } })
    expect(role?.users.map((user) => user.name)).toEqual(["Ann"])
  })

  test("a transaction writes several entities and plain keys together", async () => {
    await db.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 3 })
    await db.cartCache({ userId: "9" }).set("old")
    const result = await db.$transaction(async (t) => {
      const dish = (await t.dish.get("1"))!
      if (dish.stock < 2) throw new Error("sold out")
      await t.dish.update("1", { stock: dish.stock - 2 })
      const user = await t.user.create({ name: "Ann", email: "ann@example.com" })
      const cart = await t.cart.create({ userId: user.id })
      await t.cartCache({ userId: "9" }).delete()
      await t.visits().increment()
      return { user: user.id, cart: cart.id }
    })
    expect(result).toEqual({ user: "1", cart: "1" })
    expect((await db.dish.get("1"))?.stock).toBe(1)
    expect(await raw("GET", "user:1:cart")).toBe("1")
    expect(await raw("GET", "cart:index:user:1")).toBe("1")
    expect((await db.cart.get("1"))?.userId).toBe("1")
    expect(await db.cartCache({ userId: "9" }).exists()).toBe(false)
    expect(await raw("GET", "visits")).toBe("1")
  })

  test("a transaction that fails leaves nothing behind", async () => {
    await db.user.create({ name: "Ann", email: "a@example.com" })
    const dump = await raw("KEYS", "*")
    await expect(
      db.$transaction(async (t) => {
        await t.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 3 })
        await t.user.create({ name: "Bob", email: "a@example.com" })
      }),
    ).rejects.toMatchObject({ code: "INDEX.UNIQUE_TAKEN" })
    expect(((await raw("KEYS", "*")) as string[]).sort()).toEqual((dump as string[]).sort())
  })

  test("transactions that compete for stock never sell more than there is", async () => {
    await db.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 10 })
    const sold = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        db.$transaction(async (t) => {
          const dish = (await t.dish.get("1"))!
          if (dish.stock < 1) throw new Error("sold out")
          await t.dish.update("1", { stock: dish.stock - 1 })
          await t.user.create({ name: "buyer" })
        }),
      ),
    )
    const done = sold.filter(({ status }) => status === "fulfilled").length
    const stock = (await db.dish.get("1"))!.stock
    expect(stock).toBe(10 - done)
    expect(await db.user.count()).toBe(done)
    expect(done).toBeGreaterThan(0)
  })

  test("explains what an operation would write, and writes nothing", async () => {
    await db.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 3 })
    const dump = await raw("GET", "dish:1")
    const told = await db.$explain((x) => x.dish.update("1", { categoryId: "2" }))
    expect(told.reads).toEqual([["GET", "dish:1"]])
    expect(told.writes).toContainEqual(["SREM", "dish:index:category:1", "1"])
    expect(told.writes).toContainEqual(["SADD", "category:2:dishes", "1"])
    expect(told.script?.name).toBe("save")
    expect(await raw("GET", "dish:1")).toBe(dump)
  })

  test("works on data that another program wrote in the same layout", async () => {
    await raw("SET", "dish:9", '{"id":"9","name":"Bun","categoryId":"4","price":1,"stock":1}')
    await raw("SADD", "dish:list", "9")
    await raw("SADD", "dish:index:category:4", "9", "77")
    await raw("SADD", "category:4:dishes", "9")
    expect((await db.dish.list("category", { categoryId: "4" })).map((dish) => dish.id)).toEqual(["9"])
    await db.dish.update("9", { categoryId: "5" })
    expect(await raw("SMEMBERS", "category:5:dishes")).toEqual(["9"])
    expect(await raw("SISMEMBER", "dish:index:category:4", "9")).toBe(0)
  })

  test("a key of the wrong type refuses the whole save", async () => {
    await raw("SET", "category:1:dishes", "oops")
    await expect(db.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 3 })).rejects.toMatchObject({
      code: "ENTITY.WRONG_TYPE",
    })
    expect(await raw("KEYS", "*")).toEqual(["category:1:dishes"])
  })

  test("a read of a key of the wrong type names it", async () => {
    const names = (reading: Promise<unknown>, key: string) =>
      expect(reading).rejects.toSatisfy((error: unknown) => error instanceof WrongType && error.key === key)
    await raw("RPUSH", "dish:list", "oops")
    await raw("RPUSH", "dish:1", "oops")
    await raw("SET", "dish:index:category:1", "oops")
    await names(db.dish.ids(), "dish:list")
    await names(db.dish.count(), "dish:list")
    await names(db.dish.get("1"), "dish:1")
    await names(db.dish.list("category", { categoryId: "1" }), "dish:index:category:1")
    await names(db.dish.count("category", { categoryId: "1" }), "dish:index:category:1")
    await names(
      db.$transaction((db) => db.dish.listIds("category", { categoryId: "1" })),
      "dish:index:category:1",
    )
    await raw("RPUSH", "category:counter", "oops")
    await names(db.category.create({ name: "new" }), "category:counter")
  })

  test("an expired record is not returned, frees its unique value and is swept", async () => {
    const session = await db.session.create({ userId: "1", device: "phone" })
    expect(await raw("PTTL", `session:${session.id}`)).toBeGreaterThan(599_000)
    await raw("PEXPIRE", `session:${session.id}`, "1")
    await raw("PEXPIRE", "session:device:phone", "1")
    await raw(
      "ZADD",
      "keywright:expiry:session:{id}",
      "1",
      ((await raw("ZRANGE", "keywright:expiry:session:{id}", "0", "-1")) as string[])[0]!,
    )
    await expect.poll(() => raw("EXISTS", `session:${session.id}`)).toBe(0)
    expect(await db.session.list("user", { userId: "1" })).toEqual([])
    expect(await db.session.find("device", { device: "phone" })).toBeUndefined()
    await db.session.create({ id: "fresh", userId: "1", device: "phone" })
    expect(await db.$sweep()).toBe(1)
    expect(await raw("SMEMBERS", "session:user:1")).toEqual(["fresh"])
    expect(await raw("SMEMBERS", "session:list")).toEqual(["fresh"])
  })
})
