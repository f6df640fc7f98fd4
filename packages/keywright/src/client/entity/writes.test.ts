import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { RecordChanged } from "../../errors/record.ts"
import { isoInstant } from "../../schema/codec/date.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { entity } from "../../schema/entity.ts"
import { scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"
import { kitchen } from "./entity.cases.ts"
import { versionOf } from "./handed-out.ts"

const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:by:{index}:{value}" })
const Task = z.object({
  id: z.string(),
  owner: z.string(),
  state: z.string(),
  due: z.coerce.date().optional(),
  done: z.boolean().optional(),
})
const others = keyspace(
  {
    task: record("task", json(Task), {
      ids: "given",
      index: {
        open: { on: ["owner", "state"], where: { done: false } },
        byDate: { on: "owner", score: "due", mirrors: ["owner:{owner}:dates"] },
      },
    }),
    loose: entity(
      "loose:{id}",
      json<Record<string, unknown>>({
        "~standard": { version: 1, vendor: "none", validate: (value) => ({ value: value as Record<string, unknown> }) },
      }),
      {
        index: { colour: "loose:colour:{colour}" } as never,
      },
    ),
    meter: entity(
      "meter:{id}",
      { id: int, room: text, at: isoInstant, createdAt: isoInstant },
      {
        params: { id: int },
        all: "meter:list",
        index: { room: "meter:room:{room}" },
        unique: { place: "meter:place:{room}:{at}" },
        stamps: ["createdAt"],
      },
    ),
    tenant: scope("t:{tenant}:", {
      note: record("note", json(z.object({ id: z.string(), title: z.string() })), {
        ids: "given",
        unique: { title: "title" },
      }),
    }),
  },
  { ttl: "never" },
)

onBothServers("changing records", (server) => {
  let db: ClientOf<typeof kitchen>
  let more: ClientOf<typeof others>
  const raw = (...command: string[]) => server().raw(...command)

  beforeAll(async () => {
    db = await connect(kitchen, server().target, { sweep: false })
    more = await connect(others, server().target, { sweep: false })
  })
  afterAll(async () => {
    await db?.$close()
    await more?.$close()
  })

  test("a record that its reader changed by hand does not spoil the indexes", async () => {
    await more.loose.create({ id: "1", colour: "red", deep: { a: 1 } })
    const found = (await more.loose.get("1"))!
    found["colour"] = "blue"
    ;(found["deep"] as { a: number }).a = 2
    await more.loose.update(found, { size: 1 })
    expect(JSON.parse((await raw("GET", "loose:1")) as string)).toEqual({
      id: "1",
      colour: "red",
      deep: { a: 1 },
      size: 1,
    })
    expect(await server().keys()).toEqual(["loose:1", "loose:colour:red"])
  })

  test("a record that is outdated is changed as it is now", async () => {
    const old = await db.user.create({ name: "Ann", email: "a@x.org" })
    await db.user.update("1", { email: "b@x.org", points: 3 })
    await db.user.update(old, { name: "Anna" })
    expect(await db.user.get("1")).toMatchObject({ name: "Anna", email: "b@x.org", points: 3 })
    expect((await server().keys()).filter((key) => key.includes("email"))).toEqual(["user:index:email:b@x.org"])
  })

  test("a version that is outdated refuses the change, and tells what is there now", async () => {
    const old = await db.user.create({ name: "Ann" })
    const version = versionOf(old)!
    const now = await db.user.update("1", { name: "Bob" }, { version })
    const refused = await db.user.update("1", { name: "Eve" }, { version }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RecordChanged)
    expect(refused).toMatchObject({ code: "ENTITY.CHANGED", version: versionOf(now) })
    expect((refused as RecordChanged).current).toEqual(now)
    expect(versionOf((await db.user.get("1"))!)).toBe(versionOf(now))
    await expect(db.user.delete("1", { version })).rejects.toMatchObject({ code: "ENTITY.CHANGED" })
  })

  test("a change that is a promise is refused, and nothing is written", async () => {
    await more.loose.create({ id: "promised", colour: "red" })
    const blue = async () => ({ id: "promised", colour: "blue" })
    for (const call of [
      () => more.loose.update("promised", blue as never),
      () => more.loose.update("promised", blue() as never),
      () => more.loose.replace("promised", blue() as never),
      () => more.loose.upsert(blue() as never),
      () => more.loose.create(blue() as never),
      () => more.$transaction((tx) => tx.loose.update("promised", blue as never)),
    ])
      await expect(call()).rejects.toMatchObject({
        code: "CALL.ARGUMENT",
        message: "a loose has to be an object; found a promise",
      })
    expect(await server().keys()).toEqual(["loose:colour:red", "loose:promised"])
    expect(await more.loose.get("promised")).toEqual({ id: "promised", colour: "red" })
  })

  test("versions of hashes do not depend on the order of fields", async () => {
    await raw("HSET", "gauge:g1", "extra", "x", "value", "1", "room", "hall", "id", "g1")
    const changed = await db.gauge.update("g1", { value: 2 })
    expect(versionOf(changed)).toBe(versionOf((await db.gauge.get("g1"))!))
    expect(await raw("HGET", "gauge:g1", "extra")).toBe("x")
    await db.gauge.update(changed, { room: "attic" }, { version: versionOf(changed)! })
    expect(await db.gauge.increment("g1", "limit", 5)).toBe(5)
    expect(await db.gauge.increment("g1", "value", 0.5)).toBe(2.5)
    expect(await raw("SMEMBERS", "gauge:room:attic")).toEqual(["g1"])
  })

  test("replace drops fields that are not given, and keeps those that no schema knows", async () => {
    await raw("SET", "user:3", '{"id":"3","name":"Ann","points":4,"shoe":43}')
    await db.user.replace("3", { name: "Bob" })
    expect(JSON.parse((await raw("GET", "user:3")) as string)).toMatchObject({ id: "3", name: "Bob", shoe: 43 })
    expect(await db.user.get("3")).not.toHaveProperty("points")
    await expect(db.user.replace("3", { id: "4", name: "x" })).rejects.toMatchObject({ code: "ENTITY.ID_FIXED" })
  })

  test("takes a unique value over from a record that is gone, and not from one that is there", async () => {
    await raw("SET", "user:index:email:a@x.org", "77")
    expect(await db.user.find("email", { email: "a@x.org" })).toBeUndefined()
    expect((await db.user.create({ name: "Ann", email: "a@x.org" })).id).toBe("1")
    await raw("SET", "user:index:email:b@x.org", "1")
    expect(await db.user.find("email", { email: "b@x.org" })).toBeUndefined()
    await expect(db.user.create({ name: "Bob", email: "b@x.org" })).rejects.toMatchObject({
      code: "INDEX.UNIQUE_TAKEN",
    })
  })

  test("the sets of a many-to-many relation end with their owner, and lose ids that are deleted", async () => {
    for (const name of ["ADMIN", "USER"]) await db.role.create({ name })
    for (const path of ["/a", "/b"]) await db.permission.create({ path })
    await db.rolePermissions({ roleId: "1" }).add("1", "2")
    await db.rolePermissions({ roleId: "2" }).add("2")
    const told = await db.$explain((x) => x.permission.delete("2"))
    expect(told.writes).toContainEqual(["SREM", "role:2:permissions", "2"])
    await db.permission.delete("2")
    expect(await raw("SMEMBERS", "role:1:permissions")).toEqual(["1"])
    expect(await raw("EXISTS", "role:2:permissions")).toBe(0)
    await db.role.delete("1")
    expect(await raw("EXISTS", "role:1:permissions", "role:1")).toBe(0)
    await db.$transaction(async (t) => {
      await t.rolePermissions({ roleId: "2" }).add("1")
    })
    await db.$transaction((t) => t.permission.delete("1"))
    expect(await raw("EXISTS", "role:2:permissions")).toBe(0)
  })

  test("an index set of another type refuses a change, and what was done before is undone", async () => {
    const dish = await db.dish.create({ name: "Pho", categoryId: "1", price: 5, stock: 3, available: true })
    await raw("SET", "category:2:dishes", "oops")
    const before = await server().keys()
    await expect(db.dish.update(dish, { categoryId: "2" })).rejects.toMatchObject({ code: "ENTITY.WRONG_TYPE" })
    expect(await server().keys()).toEqual(before)
    expect(await raw("SMEMBERS", "dish:index:category:1")).toEqual(["1"])
    expect(await db.dish.get("1")).toMatchObject({ categoryId: "1" })
  })

  test("a counter that was set back jumps over ids that are in use, however many", async () => {
    for (let i = 1; i <= 400; i++) await raw("SET", `category:${i}`, `{"id":"${i}","name":"x"}`)
    const id = Number((await db.category.create({ name: "new" })).id)
    expect(id).toBeGreaterThan(400)
    expect(await raw("GET", "category:counter")).toBe(String(id))
  })

  test.for(["many", "007", "1e3", "-0", " 5", "99999999999999999999"])(
    'a counter that holds "%s" refuses, and writes nothing',
    async (text) => {
      await raw("SET", "category:counter", text)
      await expect(db.category.create({ name: "new" })).rejects.toMatchObject({
        code: "ENTITY.COUNTER",
        key: "category:counter",
      })
      expect(await server().keys()).toEqual(["category:counter"])
    },
  )

  test("an operation that is repeated gives the same result, and is carried out once", async () => {
    const made = await db.user.create({ name: "Ann", points: 0 }, { operationId: "op-1" })
    expect(await db.user.create({ name: "Ann", points: 0 }, { operationId: "op-1" })).toEqual(made)
    expect(await raw("GET", "user:counter")).toBe("1")
    const session = () => db.session.create({ userId: "1", device: "phone" }, { operationId: "op-1" })
    expect(await session()).toEqual(await session())
    expect(await raw("SCARD", "session:list")).toBe(1)
    expect(await db.user.increment("1", "points", 2, { operationId: "op-2" })).toBe(2)
    expect(await db.user.increment("1", "points", 2, { operationId: "op-2" })).toBe(2)
    expect(await db.user.update("1", { name: "Eve" }, { operationId: "op-1" })).toMatchObject({ name: "Eve" })
    expect(await db.user.delete("1", { operationId: "op-1" })).toBe(true)
    expect(await db.user.delete("1", { operationId: "op-1" })).toBe(true)
    expect(await db.user.delete("1")).toBe(false)
  })

  test("an index on several fields, with a condition, and an order by date with a mirror", async () => {
    await more.task.create({ id: "a", owner: "ann", state: "new", done: false, due: new Date("2024-02-01") })
    await more.task.create({ id: "b", owner: "ann", state: "new", done: false, due: new Date("2024-01-01") })
    expect(await raw("SMEMBERS", "task:by:open:ann:new")).toHaveLength(2)
    expect((await more.task.list("byDate", { owner: "ann" })).map(({ id }) => id)).toEqual(["b", "a"])
    expect(await raw("ZRANGE", "owner:ann:dates", "0", "-1")).toEqual(["b", "a"])
    await more.task.update("b", { done: true, due: undefined })
    expect(await more.task.listIds("open", { owner: "ann", state: "new" })).toEqual(["a"])
    expect(await raw("ZRANGE", "owner:ann:dates", "0", "-1")).toEqual(["a"])
    await more.task.delete("a")
    await more.task.delete("b")
    expect(await server().keys()).toEqual([])
  })

  test("ids and stamps go through their codecs", async () => {
    const made = await more.meter.create({ id: 7, room: "hall", at: new Date(0) })
    expect(made.createdAt).toBeInstanceOf(Date)
    expect(await more.meter.get("7")).toEqual(made)
    expect(await raw("SMEMBERS", "meter:list")).toEqual(["7"])
    expect((await more.meter.list("room", { room: "hall" }))[0]).toEqual(made)
    await more.meter.update(made, { room: "attic" })
    expect(await raw("EXISTS", "meter:room:hall")).toBe(0)
    expect(await more.meter.delete("7")).toBe(true)
    expect(await server().keys()).toEqual([])
  })

  test("an error names the record, and its fix what is declared", async () => {
    const { loose } = more
    for (const change of [() => loose.update({} as never, { size: 1 }), () => loose.delete({} as never)])
      await expect(change()).rejects.toMatchObject({
        code: "ENTITY.ID",
        message: "no loose can be found by this object: its id is undefined",
        fix: "Pass the id, or a record that was read.",
      })
    await loose.create({ id: "1", size: "large" })
    const message = "size of loose 1 is not a number"
    await expect(loose.increment("1", "size" as never)).rejects.toMatchObject({ message, key: "loose:1" })
    await expect(more.$transaction((t) => t.loose.increment("1", "size" as never))).rejects.toMatchObject({ message })
    await expect(loose.all()).rejects.toMatchObject({ fix: 'Declare all: "loose:list", or use scan().' })
    await expect(loose.list("size" as "colour", {})).rejects.toMatchObject({ fix: "Use one of: colour." })
    await expect(more.tenant({ tenant: "acme" }).note.list("size" as never, {})).rejects.toMatchObject({
      fix: "No index is declared; declare one first.",
    })
  })

  test("entities in a scope keep to themselves", async () => {
    const acme = more.tenant({ tenant: "acme" })
    await acme.note.create({ id: "1", title: "hello" })
    await more.tenant({ tenant: "other" }).note.create({ id: "1", title: "hello" })
    expect(await acme.note.find("title", { title: "hello" })).toEqual({ id: "1", title: "hello" })
    await expect(more.tenant.note.get("1")).rejects.toMatchObject({
      code: "ENTITY.UNBOUND",
      fix: "Bind them once: db.tenant({ tenant }).",
    })
    expect(await acme.note.ids()).toEqual(["1"])
    const seen: unknown[] = []
    for await (const note of acme.note.scan()) seen.push(note)
    expect(seen).toEqual([{ id: "1", title: "hello" }])
    await acme.note.delete("1")
    expect((await server().keys()).every((key) => key.startsWith("t:other:"))).toBe(true)
  })

  test("in a batch an entity goes its own way; in a MULTI it is refused, and nothing is sent", async () => {
    const [user, visits] = await db.$batch((x) => [x.user.create({ name: "Ann" }), x.visits().increment()])
    expect([user.id, visits]).toEqual(["1", 1])
    await expect(db.$multi((x) => [x.visits().increment(), x.user.create({ name: "Bob" })])).rejects.toMatchObject({
      code: "ENTITY.IN_MULTI",
    })
    expect(await raw("GET", "visits")).toBe("1")
  })

  test("a document whose bytes are not text is not overwritten", async () => {
    await server().driver.send([
      "SET",
      "user:9",
      Buffer.concat([Buffer.from('{"id":"9","name":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    ])
    await expect(db.user.update("9", { points: 1 })).rejects.toMatchObject({ code: "ENTITY.NOT_UTF8" })
  })

  test("explains reads, hashes, deletions and transactions, and writes nothing", async () => {
    await db.gauge.create({ id: "g1", room: "hall", value: 1 })
    const before = await server().keys()
    expect((await db.$explain((x) => x.gauge.list("room", { room: "hall" }))).reads).toEqual([
      ["SMEMBERS", "gauge:room:hall"],
      ["HGETALL", "gauge:g1"],
    ])
    expect((await db.$explain((x) => x.user.find("email", { email: "a@x.org" }))).reads[0]?.[0]).toBe("EVALSHA")
    expect((await db.$explain((x) => x.gauge.delete("g1"))).writes).toContainEqual(["UNLINK", "gauge:g1"])
    const told = await db.$explain((x) =>
      x.$transaction(async (t) => {
        await t.gauge.update("g1", { value: 2 })
        await t.visits().increment()
      }),
    )
    expect(told.writes).toContainEqual(["HSET", "gauge:g1", "value", "2"])
    expect(told.writes).toContainEqual(["INCRBY", "visits", "1"])
    expect(await server().keys()).toEqual(before)
    expect(await raw("HGET", "gauge:g1", "value")).toBe("1")
  })
})
