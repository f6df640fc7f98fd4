import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, hash, list, map, set, string, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import { sliding } from "../../schema/ttl.ts"
import { int } from "../../schema/codec/number.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:by:{index}:{value}",
})
const shop = keyspace(
  {
    user: record("user", json(z.object({ id: z.string(), email: z.string(), age: z.number().optional() })), {
      unique: { email: "email" },
      index: { byAge: { on: "email", score: "age" } },
    }),
    order: record("order", json(z.object({ id: z.string(), userId: z.string(), at: z.number(), total: z.number() })), {
      index: { user: ["userId", "user:{userId}:orders"], recent: { on: "userId", score: "at" } },
    }),
    profile: hash("profile:{userId}", { name: text, orders: int }),
    seen: set("seen:{userId}", text),
    queue: list("queue", text),
    rank: zset("rank", text),
    names: map("names", text, text),
    stock: counter("stock:{dish}"),
    cache: string("cache:{userId}", text, { ttl: "1m" }),
    session: string("session:{token}", text, { ttl: sliding("10m") }),
  },
  { ttl: "never", relations: { order: { user: { one: "user", from: "userId", inverse: "orders" } } } },
)

onBothServers("transactions", (server) => {
  let db: ClientOf<typeof shop>
  const raw = (...command: string[]) => server().raw(...command)
  beforeAll(async () => {
    db = await connect(shop, server().target)
  })
  afterAll(() => db?.$close())

  test("new ids stand in keys, values and members of plain keys too", async () => {
    const result = await db.$transaction(async (t) => {
      const user = await t.user.create({ email: "a@x.org" })
      const order = await t.order.create({ userId: user.id, at: 5, total: 1 })
      await t.profile({ userId: user.id }).set({ name: `user ${user.id}`, orders: 1 })
      await t.seen({ userId: user.id }).add(order.id)
      await t.queue().pushRight(JSON.stringify({ order: order.id }))
      await t.names().set(user.id, "Ann")
      await t.cache({ userId: user.id }).set(order.id)
      return { user, order, list: [order.id] }
    })
    expect(result).toEqual({
      user: { id: "1", email: "a@x.org" },
      order: { id: "1", userId: "1", at: 5, total: 1 },
      list: ["1"],
    })
    expect(await raw("HGET", "profile:1", "name")).toBe("user 1")
    expect(await raw("SMEMBERS", "seen:1")).toEqual(["1"])
    expect(await raw("LRANGE", "queue", "0", "-1")).toEqual(['{"order":"1"}'])
    expect(await raw("HGET", "names", "1")).toBe("Ann")
    expect(await raw("GET", "cache:1")).toBe("1")
    expect(await raw("PTTL", "cache:1")).toBeGreaterThan(50_000)
    expect(await raw("SMEMBERS", "user:1:orders")).toEqual(["1"])
    expect((await server().keys()).filter((key) => key.includes("kwid"))).toEqual([])
  })

  test("sees its own changes: by id, through indexes, in lists, counts and relations", async () => {
    const ann = await db.user.create({ email: "a@x.org" })
    await db.order.create({ userId: ann.id, at: 3, total: 1 })
    await db.order.create({ userId: ann.id, at: 1, total: 2 })
    await db.$transaction(async (t) => {
      const order = await t.order.create({ userId: ann.id, at: 2, total: 3 })
      await t.order.delete("2")
      expect((await t.order.list("user", { userId: ann.id })).map(({ total }) => total)).toEqual([1, 3])
      expect((await t.order.list("recent", { userId: ann.id })).map(({ at }) => at)).toEqual([2, 3])
      expect((await t.order.list("recent", { userId: ann.id }, { reverse: true, limit: 1 }))[0]?.at).toBe(3)
      expect(await t.order.count("user", { userId: ann.id })).toBe(2)
      expect(await t.order.count()).toBe(2)
      expect(await t.order.exists("2")).toBe(false)
      expect((await t.order.getMany([order.id, "2", "1"])).map((one) => one?.total)).toEqual([3, undefined, 1])
      await t.user.update(ann.id, { email: "b@x.org" })
      expect(await t.user.find("email", { email: "a@x.org" })).toBeUndefined()
      expect((await t.user.find("email", { email: "b@x.org" }))?.id).toBe(ann.id)
      const loaded = await t.user.get(ann.id, { with: { orders: true } })
      expect(loaded?.orders.map(({ total }) => total)).toEqual([1, 3])
      // @ts-expect-error a scan sees no single state
      expect(() => t.user.scan()).toThrow(expect.objectContaining({ code: "TRANSACTION.SCAN" }))
    })
    expect(await raw("ZRANGE", "order:by:recent:1", "0", "-1")).toEqual(["3", "1"])
  })

  test("unique values may change hands within it, and are taken only once", async () => {
    await db.user.create({ email: "a@x.org" })
    await db.user.create({ email: "b@x.org" })
    await db.$transaction(async (t) => {
      await t.user.update("1", { email: "b@x.org" })
      await t.user.update("2", { email: "a@x.org" })
    })
    expect([await raw("GET", "user:by:email:a@x.org"), await raw("GET", "user:by:email:b@x.org")]).toEqual(["2", "1"])
    const third = await db.$transaction(async (t) => {
      await t.user.delete("1")
      return (await t.user.create({ email: "b@x.org" })).id
    })
    expect([third, await raw("GET", "user:by:email:b@x.org")]).toEqual(["3", "3"])
    await expect(
      db.$transaction(async (t) => {
        await t.user.create({ email: "c@x.org" })
        await t.user.create({ email: "c@x.org" })
      }),
    ).rejects.toMatchObject({ code: "INDEX.UNIQUE_TAKEN" })
    expect(await raw("GET", "user:counter")).toBe("3")
  })

  test("a unique value counts as it is at the commit: one that was given up before takes nothing", async () => {
    await db.user.create({ id: "1", email: "a@x.org" })
    await db.$transaction(async (t) => {
      const second = await t.user.create({ id: "2", email: "a@x.org" })
      await t.user.delete(second.id)
      const third = await t.user.create({ id: "3", email: "a@x.org" })
      await t.user.update(third.id, { email: "c@x.org" })
    })
    expect([await raw("GET", "user:by:email:a@x.org"), await raw("GET", "user:by:email:c@x.org")]).toEqual(["1", "3"])
    expect(await raw("EXISTS", "user:2")).toBe(0)
    expect(await raw("SMEMBERS", "user:list")).toEqual(["1", "3"])
  })

  test("an id that is given and one that is allocated never meet", async () => {
    const ids = await db.$transaction(async (t) => {
      await t.user.create({ id: "1", email: "given@x.org" })
      return [(await t.user.create({ email: "a@x.org" })).id, (await t.user.create({ email: "b@x.org" })).id]
    })
    expect(ids).toEqual(["2", "3"])
    await expect(
      db.$transaction(async (t) => {
        await t.user.create({ id: "9", email: "x@x.org" })
        await t.user.create({ id: "9", email: "y@x.org" })
      }),
    ).rejects.toMatchObject({ code: "ENTITY.EXISTS" })
  })

  test("is decided again when anything that it read was changed, also what was not there", async () => {
    let tries = 0
    await db.$transaction(async (t) => {
      tries++
      const none = await t.stock({ dish: "1" }).get()
      const [members, all] = [await t.seen({ userId: "1" }).members(), await t.names().all()]
      expect(await db.$getMany([db.cache({ userId: "1" })])).toEqual([undefined])
      if (tries === 1) await raw("SET", "stock:1", "5")
      if (tries === 2) await raw("SADD", "seen:1", "x")
      if (tries === 3) await raw("HSET", "names", "k", "v")
      await t.rank().add(`${String(none)} ${[...members].length} ${all.size}`, 1)
    })
    expect(tries).toBe(4)
    expect(await raw("ZRANGE", "rank", "0", "-1")).toEqual(["5 1 1"])
  })

  test("a key that it has written cannot be read before it commits", async () => {
    await expect(
      db.$transaction(async (t) => {
        await t.stock({ dish: "1" }).increment()
        return t.stock({ dish: "1" }).get()
      }),
    ).rejects.toMatchObject({ code: "TRANSACTION.READ_AFTER_WRITE" })
    expect(await server().keys()).toEqual([])
  })

  test("nothing is written when one of its writes could not be carried out", async () => {
    await raw("SET", "queue", "no list")
    await raw("SET", "stock:1", "many")
    const attempts: ((t: Parameters<Parameters<typeof db.$transaction>[0]>[0]) => Promise<unknown>)[] = [
      (t) => t.queue().pushRight("x"),
      (t) => t.stock({ dish: "1" }).increment(),
      (t) => t.$blind.queue().pushRight("x"),
      (t) => t.$blind.stock({ dish: "1" }).increment(),
    ]
    for (const attempt of attempts) {
      await expect(
        db.$transaction(async (t) => {
          await t.user.create({ email: "a@x.org" })
          await t.names().set("a", "b")
          await attempt(t)
        }),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^(SERVER\.WRONGTYPE|TRANSACTION\.(WRONG_TYPE|NOT_A_NUMBER))$/),
      })
    }
    expect(await server().keys()).toEqual(["queue", "stock:1"])
  })

  test("a deadline that slides is moved when it commits", async () => {
    await db.session({ token: "t" }).set("ann")
    await raw("PEXPIRE", "session:t", "1000")
    await db.$transaction(async (t) => {
      expect(await t.session({ token: "t" }).get()).toBe("ann")
      expect(await raw("PTTL", "session:t")).toBeLessThanOrEqual(1000)
      await t.rank().add("x", 1)
    })
    expect(await raw("PTTL", "session:t")).toBeGreaterThan(500_000)
  })

  test("takes many thousands of words, and refuses what no script can take", async () => {
    const members = Array.from({ length: 20_000 }, (_, i) => `m${i}`)
    await db.$transaction(
      async (t) => {
        await t.seen({ userId: "1" }).add(...members)
        for (let i = 0; i < 300; i++) await t.user.create({ email: `u${i}@x.org`, age: i })
      },
      { timeoutMs: 30_000 },
    )
    expect(await raw("SCARD", "seen:1")).toBe(20_000)
    expect(await db.user.count()).toBe(300)
  })

  test("the same operation id gives the same ids, and is carried out once", async () => {
    const work = () =>
      db.$transaction(async (t) => (await t.order.create({ userId: "7", at: 1, total: 1 })).id, { operationId: "o1" })
    expect([await work(), await work()]).toEqual(["1", "1"])
    expect(await db.order.count()).toBe(1)
  })

  test("another transaction under the same operation id is refused: it gets no result of the first", async () => {
    const order = { userId: "7", at: 1, total: 1 }
    const once = { operationId: "shared" }
    await db.$transaction((t) => t.order.create(order), once)
    const other = db.$transaction((t) => t.user.create({ email: "shared@x.org" }), once)
    await expect(other).rejects.toMatchObject({ name: "Conflict", code: "TRANSACTION.OPERATION_REUSED" })
    await expect(db.$transaction((t) => t.cache({ userId: "7" }).set("x"), once)).rejects.toThrow("operation id")
    expect(await db.user.find("email", { email: "shared@x.org" })).toBeUndefined()
    expect(await raw("EXISTS", "cache:7")).toBe(0)
  })

  test("the same transaction repeated is recognised, also when indexes moved the first time", async () => {
    const { id } = await db.order.create({ userId: "1", at: 1, total: 1 })
    const move = () =>
      db.$transaction((t) => t.order.update(id, { userId: "2", total: 9 }), {
        operationId: `move-${id}`,
      })
    expect(await move()).toMatchObject({ userId: "2", total: 9 })
    await db.order.update(id, { total: 3 })
    await move()
    expect(await db.order.get(id)).toMatchObject({ userId: "2", total: 3 })
  })

  test("writes of one key happen in their order", async () => {
    await db.$transaction(async (t) => {
      await t.cache({ userId: "a" }).delete()
      await t.names().set("k", "1")
      await t.cache({ userId: "a" }).set("after")
      await t.seen({ userId: "a" }).add("x")
      await t.seen({ userId: "a" }).delete()
      await t.names().remove("k")
    })
    expect(await raw("GET", "cache:a")).toBe("after")
    expect(await raw("EXISTS", "seen:a", "names")).toBe(0)
  })

  test("many new records of one kind: their ids pass over those in use, and all stand in every set", async () => {
    const before = Number((await raw("GET", "order:counter")) ?? 0)
    await raw("SET", `order:${before + 2}`, JSON.stringify({ id: "taken", userId: "t", at: 1, total: 1 }))
    const ids = await db.$transaction(async (t) => {
      const made: string[] = []
      for (let i = 0; i < 5; i++) made.push((await t.order.create({ userId: "many", at: i, total: i })).id)
      return made
    })
    expect(ids).toEqual([1, 3, 4, 5, 6].map((n) => String(before + n)))
    for (const key of ["order:by:user:many", "user:many:orders"])
      expect(((await raw("SMEMBERS", key)) as string[]).sort()).toEqual([...ids].sort())
    expect(await raw("GET", "order:counter")).toBe(String(before + 6))
    await raw("DEL", `order:${before + 2}`)
  })

  test("a key that should be a set and is not stops everything, also where several members would go into it", async () => {
    const [counter, all] = [await raw("GET", "order:counter"), await raw("SMEMBERS", "order:list")]
    await raw("SET", "user:odd:orders", "no set")
    const work = db.$transaction(async (t) => {
      await t.user.create({ email: "odd@x.org" })
      for (let i = 0; i < 3; i++) await t.order.create({ userId: "odd", at: i, total: i })
    })
    await expect(work).rejects.toMatchObject({ code: "ENTITY.WRONG_TYPE" })
    expect([await raw("GET", "order:counter"), await raw("SMEMBERS", "order:list")]).toEqual([counter, all])
    expect(await raw("EXISTS", "order:by:user:odd", "user:by:email:odd@x.org")).toBe(0)
    await raw("DEL", "user:odd:orders")
  })

  test("all records of an index are deleted as one, and its sets whole; what enters meanwhile stays", async () => {
    for (let i = 0; i < 3; i++) await db.order.create({ userId: "all", at: i, total: i })
    const kept = await db.order.create({ userId: "other", at: 1, total: 1 })
    await raw("SADD", "user:all:orders", "stale")
    expect(await db.$transaction((t) => t.order.deleteAll("user", { userId: "all" }))).toBe(3)
    expect(await raw("EXISTS", "user:all:orders", "order:by:user:all")).toBe(0)
    expect(await db.order.ids()).toEqual([kept.id])

    const { id } = await db.order.create({ userId: "all", at: 1, total: 1 })
    await raw("SADD", "order:by:user:all", "stale")
    const next = await db.$transaction(async (t) => {
      await t.order.deleteAll("user", { userId: "all" })
      return (await t.order.create({ userId: "all", at: 2, total: 2 })).id
    })
    expect(await db.order.get(id)).toBeUndefined()
    expect((await db.order.list("user", { userId: "all" })).map((order) => order.id)).toEqual([next])

    expect(await db.order.deleteAll("user", { userId: "all" })).toBe(1)
    expect(await raw("EXISTS", "user:all:orders", "order:by:user:all")).toBe(0)
    await raw("SET", "user:all:orders", "of another program")
    await expect(db.order.deleteAll("user", { userId: "all" })).rejects.toMatchObject({ code: "ENTITY.WRONG_TYPE" })
    await raw("DEL", "user:all:orders")
  })

  test("what was read of a set is compared, in whatever order it comes", async () => {
    await raw("DEL", "seen:s")
    await raw("SADD", "seen:s", "b", "a", "c")
    let tries = 0
    await db.$transaction(async (t) => {
      const members = await t.seen({ userId: "s" }).members()
      if (tries++ === 0) {
        await raw("SREM", "seen:s", "b")
        await raw("SADD", "seen:s", "d")
      }
      await t.cache({ userId: "s" }).set([...members].sort().join())
    })
    expect([tries, await raw("GET", "cache:s")]).toEqual([2, "a,c,d"])
  })

  test("gives up when others are always faster, and says so", async () => {
    await raw("SET", "stock:1", "0")
    await expect(
      db.$transaction(
        async (t) => {
          await t.stock({ dish: "1" }).get()
          await raw("INCR", "stock:1")
          await t.rank().add("x", 1)
        },
        { timeoutMs: 200 },
      ),
    ).rejects.toMatchObject({ code: "TRANSACTION.CONTENDED" })
  })

  test("stamps who did it", async () => {
    await expect(db.$transaction(async (t) => t.user.get("1"), { by: "root" })).resolves.toBeUndefined()
  })
})
