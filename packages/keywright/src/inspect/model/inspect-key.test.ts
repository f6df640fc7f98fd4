import { expect, it } from "vitest"
import * as z from "zod"
import { onBothServers } from "../../client/servers.cases.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { string } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { database } from "../../schema/group.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { CANARY as SECRET, unreadKeys, wallet, walletKeys, walletWrites } from "../../schema/listed-secrets.cases.ts"
import { bistro, CANARY, fillBistro, openBistro } from "../audit/bistro.cases.ts"
import { inspectKey } from "./inspect-key.ts"
import { CANARY as TOKEN, fillPlaza, plaza } from "../audit/plaza.cases.ts"

const schema = bistro as unknown as Keyspace
const plain = plaza as unknown as Keyspace

const digest = "0a4d55a8d778e5022fab701977c5d840bbc486d0"
const own = (type: string) => `keywright:import:${type}:{${SECRET}}:${digest}`
const ownWrites: string[][] = [
  ["ZADD", "keywright:expiry:session:{token}", "1", `${SECRET}\tname=a`],
  ["SET", "keywright:op:order-1", `{"pin":"${SECRET}"}`],
  ["SET", `keywright:fill:${digest}`, SECRET],
  ["RPUSH", own("list"), SECRET],
  ["SADD", own("set"), SECRET],
  ["ZADD", own("zset"), "1", SECRET],
  ["HSET", own("hash"), SECRET, SECRET],
  ["XADD", own("stream"), "*", SECRET, SECRET],
]

onBothServers("one key", (server) => {
  it.each(ownWrites)(
    "of Keywright's own is shown without its value, which may repeat a secret: %s %s",
    async (...words) => {
      const { driver } = server()
      await driver.send(words)
      const shown = await inspectKey(wallet as unknown as Keyspace, driver, words[1]!)
      expect(shown).toMatchObject({ hidden: true, type: expect.not.stringContaining("none") })
      expect(JSON.stringify(shown)).not.toContain(SECRET)
      const open = await inspectKey(wallet as unknown as Keyspace, driver, words[1]!, { secrets: true })
      expect(open).toHaveProperty("value")
    },
  )

  it("is shown with its pattern, its value without secrets, and its relations both ways", async () => {
    const db = await openBistro(server().target)
    await fillBistro(db, 12)
    const user = await inspectKey(schema, server().driver, "user:1")
    expect(user).toMatchObject({
      key: "user:1",
      pattern: "user:{id}",
      params: { id: "1" },
      type: "string",
      ttlMs: null,
      value: { id: "1", name: "User 1", password: "…" },
    })
    expect(user.relations).toEqual([
      { name: "index email", keys: ["user:index:email:u1@example.com"], count: 1, exists: true },
      { name: "index role", keys: ["user:index:role:2"], count: 1, exists: true },
      { name: "role", keys: ["role:2"], count: 1, exists: true },
      { name: "cart", keys: ["cart:1"], count: 1, exists: true },
    ])
    expect(JSON.stringify(user)).not.toContain(CANARY)
    const open = await inspectKey(schema, server().driver, "user:1", { secrets: true })
    expect(JSON.stringify(open)).toContain(CANARY)
    const role = await inspectKey(schema, server().driver, "role:2")
    expect(role.relations.find(({ name }) => name === "users")).toMatchObject({ count: 2, exists: true })
    await db.$close()
  })

  it("is cut when it is large, and hides secret segments and members", async () => {
    await fillPlaza(server().driver, 150)
    const login = await inspectKey(plain, server().driver, "login:", { elements: 3 })
    expect(login).toMatchObject({
      type: "hash",
      length: 150,
      cut: true,
      value: [["…", "u1"], ["…", expect.any(String)], expect.any(Array)],
    })
    const viewed = await inspectKey(plain, server().driver, `viewed:${TOKEN}-1`)
    expect(viewed).toMatchObject({ key: "viewed:…", params: { token: "…" }, type: "zset", length: 1 })
    expect(JSON.stringify([login, viewed])).not.toContain(TOKEN)
  })

  it("hides fields that are listed as secret, in every kind that has some", async () => {
    const { driver } = server()
    for (const command of walletWrites) await driver.send(command)
    for (const key of walletKeys) {
      const shown = await inspectKey(wallet as unknown as Keyspace, driver, key)
      expect(shown.pattern).toBeDefined()
      expect(JSON.stringify(shown)).not.toContain(SECRET)
      const open = await inspectKey(wallet as unknown as Keyspace, driver, key, { secrets: true })
      if (!unreadKeys.has(key)) expect(JSON.stringify(open)).toContain(SECRET)
    }
  })

  it("leads to the mirrors of an index by that name, and passes over an entry that no key can hold", async () => {
    const { driver } = server()
    const task = json(z.object({ id: z.string(), owner: z.string(), label: z.string() }))
    const board = keyspace(
      {
        task: entity("task:{id}", task, {
          index: { owner: ["task:owner:{owner}", "owner:{owner}:tasks"], label: "task:label:{label}" },
        }),
      },
      { ttl: "never" },
    ) as unknown as Keyspace
    await driver.send(["SET", "task:1", '{"id":"1","owner":"ada","label":"a:b"}'])
    expect((await inspectKey(board, driver, "task:1")).relations).toMatchObject([
      { name: "index owner", keys: ["task:owner:ada"] },
      { name: "mirror of owner", keys: ["owner:ada:tasks"] },
    ])
  })

  it("does not tell a secret field by where it leads, nor by who is in an index with a condition on it", async () => {
    const { driver } = server()
    const person = json(z.object({ id: z.string(), mail: z.string(), vip: z.boolean(), doctorId: z.string() }))
    const clinic = keyspace(
      {
        doctor: entity("doctor:{id}", json(z.object({ id: z.string() }))),
        person: entity("person:{id}", person, {
          secret: ["vip", "doctorId"],
          unique: { mail: { patterns: "vip:{mail}", where: { vip: true } } },
          index: { vips: { patterns: "vips", where: { vip: true } }, doctor: "patients:{doctorId}" },
        }),
      },
      { ttl: "never", relations: { person: { doctor: { one: "doctor", from: "doctorId", inverse: "patients" } } } },
    ) as unknown as Keyspace
    for (const command of [
      ["SET", "doctor:who", '{"id":"who"}'],
      ["SET", "person:ada", '{"id":"ada","mail":"a@b.c","vip":true,"doctorId":"who"}'],
      ["SET", "vip:a@b.c", "ada"],
      ["SADD", "vips", "ada"],
      ["SADD", "patients:who", "ada"],
    ])
      await driver.send(command)
    const look = async (key: string, secrets = false) => inspectKey(clinic, driver, key, { secrets })
    expect((await look("person:ada")).relations).toEqual([
      { name: "index doctor", keys: ["patients:…"], count: 1, exists: true },
    ])
    expect((await look("person:ada", true)).relations.length).toBe(4)
    expect((await look("doctor:who")).relations).toEqual([])
    for (const key of ["vips", "vip:a@b.c"]) {
      expect(await look(key)).toMatchObject({ relations: [], key: key.replace("a@b.c", "…") })
      expect((await look(key, true)).relations).toMatchObject([{ keys: ["person:ada"] }])
    }
  })

  it("of a record that is a hash is related by the fields themselves, hidden or not, and by none that cannot be read", async () => {
    const { driver } = server()
    const fields = { id: text, pin: int, rank: int }
    const index = { pin: "badge-pin:{pin}", rank: "badge-rank:{rank}" } as const
    const desk = keyspace({ badge: entity("badge:{id}", fields, { secret: ["pin"], index }) }, { ttl: "never" })
    for (const command of [
      ["HSET", "badge:1", "id", "1", "pin", "4711", "rank", "x"],
      ["SADD", "badge-pin:4711", "1"],
    ])
      await driver.send(command)
    const { value, relations } = await inspectKey(desk as unknown as Keyspace, driver, "badge:1")
    expect(value).toEqual({ id: "1", pin: "…", rank: { undecodable: "int", raw: "…" } })
    expect(relations).toEqual([{ name: "index pin", keys: ["badge-pin:…"], count: 1, exists: true }])
  })

  it("may be missing, of another type, or nobody's", async () => {
    const { driver } = server()
    expect(await inspectKey(plain, driver, "log-1")).toMatchObject({ type: "none", pattern: "log-{day}", bytes: null })
    await driver.send(["SET", "log-1", "x"])
    expect(await inspectKey(plain, driver, "log-1")).toMatchObject({ type: "string", expectedType: "list" })
    await driver.send(["SET", "odd", "x"])
    const odd = await inspectKey(plain, driver, "odd")
    expect(odd).toMatchObject({ type: "string", relations: [], hidden: true })
    expect(odd.pattern).toBeUndefined()
    expect(odd.value).toBeUndefined()
  })

  it("that no pattern owns, or of another type, shows its value as it is when secrets are asked for", async () => {
    const { driver } = server()
    const writes = [
      ["SET", "log-1", "x"],
      ["SET", "odd:string", "a text"],
      ["SET", "odd:long", "x".repeat(70_000)],
      ["SET", "odd:bytes", new Uint8Array([0x61, 0xff])],
      ["HSET", "odd:hash", "f", "1"],
      ["RPUSH", "odd:list", "a", "b", "c"],
      ["SADD", "odd:set", "m"],
      ["ZADD", "odd:zset", "1.5", "m"],
      ["XADD", "odd:stream", "1-1", "f", "v"],
    ]
    for (const words of writes) await driver.send(words as string[])
    const look = async (key: string, elements = 100) => {
      const { value, cut, hidden } = await inspectKey(plain, driver, key, { secrets: true, elements })
      expect(hidden).toBeUndefined()
      return [value, cut]
    }
    expect(await look("log-1")).toEqual(["x", false])
    expect(await look("odd:string")).toEqual(["a text", false])
    expect(await look("odd:long")).toEqual(["x".repeat(65_536), true])
    expect(await look("odd:bytes")).toEqual(["a\\xff", false])
    expect(await look("odd:hash")).toEqual([[["f", "1"]], false])
    expect(await look("odd:list", 2)).toEqual([["a", "b"], true])
    expect(await look("odd:set")).toEqual([["m"], false])
    expect(await look("odd:zset")).toEqual([[["m", "1.5"]], false])
    expect(await look("odd:stream")).toEqual([[{ id: "1-1", f: "v" }], false])
  })

  it("may nest deeper than can be printed", async () => {
    const { driver } = server()
    const deep = (levels: number) => `{"id":"1","name":"]\\"[","more":${"[".repeat(levels)}${"]".repeat(levels)}}`
    await driver.send(["SET", "page:1", deep(20_000)])
    await driver.send(["SET", "page:2", deep(999)])
    const any = json(z.looseObject({}))
    const space = keyspace({ page: string("page:{id}", any) }, { ttl: "never" }) as unknown as Keyspace
    const { value } = await inspectKey(space, driver, "page:1")
    expect(value).toEqual({ undecodable: "json", raw: expect.stringContaining("[[[") })
    expect(JSON.stringify((await inspectKey(space, driver, "page:2")).value)).toBe(deep(999))
  })

  it("is shown where it is, when several databases could have it", async () => {
    const { driver } = server()
    const space = keyspace(
      {
        one: database(1, "one", { a: string("a:{id}", text) }),
        two: database(2, "two", { b: string("b:{id}", text) }),
      },
      { ttl: "never" },
    ) as unknown as Keyspace
    const second = await driver.database(2)
    await second.send(["SET", "a:7", "x"])
    expect(await inspectKey(space, driver, "a:7")).toMatchObject({ db: 2, type: "string" })
    await (await driver.database(1)).send(["SET", "a:7", "x"])
    expect(await inspectKey(space, driver, "a:7")).toMatchObject({ db: 1, pattern: "a:{id}" })
    expect(await inspectKey(space, driver, "b:7")).toMatchObject({ db: 2, pattern: "b:{id}", type: "none" })
  })
})
