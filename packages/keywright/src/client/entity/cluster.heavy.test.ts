/* Entities on a real cluster of six nodes. With one hash tag in all patterns, every
 * operation is as atomic as on one server; without, those that span slots are refused
 * before anything is sent. */

import { once } from "node:events"
import { connect as connectTo } from "node:net"
import { Cluster } from "ioredis"
import { createCluster } from "redis"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { untilCalm } from "../../../../../test/cluster-control.ts"
import { type RealCluster, startCluster } from "../../../../../test/redis-cluster.ts"
import type { Reply } from "../../driver/driver.ts"
import { findDriver } from "../../driver/find-driver.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, set } from "../../schema/define.ts"
import { entity, replicated } from "../../schema/entity.ts"
import { scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import type { Target } from "../target.ts"

const naming = {
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
} as const
const record = layout(naming)
const Dish = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  stock: z.number(),
  at: z.number().optional(),
})
const User = z.object({ id: z.string(), email: z.string(), points: z.number().optional() })
const dish = () =>
  record("dish", json(Dish), {
    unique: { name: "name" },
    index: { category: ["category", "category:{category}:dishes"], dates: { on: "category", score: "at" } },
  })
const quotedRecord = layout({ ...naming, quoted: true })
const inQuotes = keyspace(
  {
    tenant: scope("{{tenant}}:", {
      dish: quotedRecord("dish", json(Dish), {
        unique: { name: "name" },
        index: { category: ["category", "category:{category}:dishes"], dates: { on: "category", score: "at" } },
      }),
    }),
  },
  { ttl: "never" },
)
const Session = z.object({ id: z.string(), user: z.string() })
const Payment = z.object({ id: z.string(), sum: z.number() })
const tagged = keyspace(
  {
    tenant: scope("{{tenant}}:", {
      dish: dish(),
      user: record("user", json(User), { unique: { email: "email" }, stamps: ["createdAt"] }),
      gauge: entity(
        "gauge:{id}",
        { id: text, room: text },
        { all: "gauge:list", index: { room: "gauge:room:{room}" } },
      ),
      payment: entity("payment:{id}", json(Payment), { durability: replicated(1) }),
      session: entity("session:{id}", json(Session), { ttl: "1s", index: { user: "session:user:{user}" } }),
      seen: set("seen:{userId}", text),
      visits: counter("visits"),
    }),
  },
  { ttl: "never" },
)
const untagged = keyspace({ dish: dish(), lone: entity("lone:{id}", json(Session)) }, { ttl: "never" })

interface Opened {
  readonly target: Exclude<Target, { readonly engine: unknown }>
  close(): void
}

/** What a node receives and what its scripts call, until the returned function is called. */
async function watchCommands(port: number): Promise<() => Promise<string[]>> {
  const socket = connectTo(port, "127.0.0.1")
  let told = ""
  socket.setEncoding("utf8").on("data", (part: string) => (told += part))
  const until = async (text: string) => {
    while (!told.includes(text)) await once(socket, "data")
  }
  socket.write("MONITOR\r\n")
  await until("+OK")
  return async () => {
    const other = connectTo(port, "127.0.0.1")
    other.write("ECHO the-end\r\n")
    await until("the-end")
    other.destroy()
    socket.destroy()
    return told.split("\r\n")
  }
}

describe.runIf(needs("redis-server"))("entities in a cluster", () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.stop())

  const clients: Readonly<Record<string, () => Promise<Opened>>> = {
    "own connection": async () => ({ target: cluster.nodes[4]!.url, close: () => undefined }),
    "node-redis": async () => {
      const client = createCluster({ rootNodes: cluster.nodes.map(({ url }) => ({ url })) })
      client.on("error", () => undefined)
      await client.connect()
      return { target: { client }, close: () => client.destroy() }
    },
    ioredis: async () => {
      const client = new Cluster(cluster.nodes.map(({ port }) => ({ host: "127.0.0.1", port })))
      client.on("error", () => undefined)
      return { target: { client }, close: () => client.disconnect() }
    },
  }

  test("a repetition of what replicas have is answered as the first call was", async () => {
    await untilCalm(cluster)
    const db = await connect(tagged, cluster.nodes[0]!.url)
    const { payment } = db.tenant({ tenant: "r" })
    await payment.create({ id: "p", sum: 1 }, { operationId: "made" })
    expect(await payment.create({ id: "p", sum: 1 }, { operationId: "made" })).toEqual({ id: "p", sum: 1 })
    for (let i = 0; i < 3; i++)
      expect(await payment.update("p", (one) => ({ sum: one.sum + 1 }), { operationId: "raised" })).toMatchObject({
        sum: 2,
      })
    // The repetition finds nothing left to write.
    const pay = () =>
      db.$transaction(
        async (t) => {
          const inside = t.tenant({ tenant: "r" }).payment
          const one = (await inside.get("p"))!
          if (one.sum < 50) await inside.update("p", { sum: one.sum + 50 })
          return one.sum
        },
        { operationId: "paid" },
      )
    for (let i = 0; i < 3; i++) expect(await pay()).toBe(2)
    expect(await payment.get("p")).toEqual({ id: "p", sum: 52 })
    await db.$close()
  })

  test("replicas answer reads, and nothing that a write is based on", async () => {
    const db = await connect(tagged, `${cluster.nodes[0]!.url}?read=replica`)
    const drivers = await Promise.all(cluster.nodes.map(({ url }) => findDriver(`${url}?cluster=off`)))
    const roles = await Promise.all(drivers.map((one) => one.facts().then(({ role }) => role)))
    const replicas = drivers.filter((_, i) => roles[i] === "replica")
    /** How often replicas were asked for something. */
    const asked = async (): Promise<number> => {
      const infos = await Promise.all(replicas.map((one) => one.send(["INFO", "commandstats"])))
      const counts = infos.flatMap((info) => [...String(info).matchAll(/^cmdstat_(?:get|smembers):calls=(\d+)/gm)])
      return counts.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    const { user } = db.tenant({ tenant: "r" })
    await user.create({ email: "a@x.org", points: 0 })
    const before = await asked()
    for (let i = 0; i < 20; i++) {
      await user.update("1", (one) => ({ points: (one.points ?? 0) + 1 }))
      await db.$transaction(async (t) => {
        const one = await t.tenant({ tenant: "r" }).user.get("1")
        await t.tenant({ tenant: "r" }).user.update("1", { points: (one?.points ?? 0) + 1 })
      })
    }
    expect((await user.get("1", { read: "primary" }))?.points).toBe(40)
    expect(await asked()).toBe(before)
    while ((await asked()) === before) await user.get("1")
    const twice = await connect(tagged, cluster.nodes[0]!.url)
    while ((await twice.tenant({ tenant: "r" }).user.get("1", { read: "replica" }))?.points !== 40);
    await Promise.all([db.$close(), twice.$close()])
    for (const one of drivers.filter((_, i) => roles[i] === "primary")) await one.send(["FLUSHALL"])
    await Promise.all(drivers.map((one) => one.close()))
  })

  test("a record is deleted for good, also when sets in other slots refuse to let its id go", async () => {
    const Named = z.object({ id: z.string(), name: z.string() })
    const roles = keyspace(
      {
        role: layout({ key: "{entity}:{id}", all: "{entity}:list" })("role", json(Named)),
        permission: entity("permission:{{id}}", json(Named), { ids: "given" }),
        rolePermissions: set("role:{roleId}:permissions", text),
      },
      { ttl: "never", relations: { role: { permissions: { many: "permission", through: "rolePermissions" } } } },
    )
    const nodes = await Promise.all(cluster.nodes.map(({ url }) => findDriver(`${url}?cluster=off`)))
    for (const node of nodes)
      await node.send([
        "ACL",
        "SETUSER",
        "reader",
        "on",
        ">secret",
        "+@all",
        "~permission:*",
        "~keywright:*",
        "%R~role:*",
      ])
    const all = await connect(roles, cluster.nodes[0]!.url, { acceptSplit: ["role", "permission"] })
    const reader = await connect(roles, cluster.nodes[0]!.url.replace("//", "//reader:secret@"), {
      acceptSplit: ["role", "permission"],
    })
    const raw = (...command: string[]) => all.$driver().send(command)
    for (const one of [
      ["SET", "permission:{1}", '{"id":"1","name":"p"}'],
      ["SADD", "role:list", "1", "2"],
      ["SADD", "role:1:permissions", "1"],
      ["SADD", "role:2:permissions", "1"],
    ])
      await raw(...one)
    const left = async () => [
      await raw("EXISTS", "permission:{1}"),
      await raw("SCARD", "role:1:permissions"),
      await raw("SCARD", "role:2:permissions"),
    ]
    const refused = { code: "ENTITY.LEFT_IN_SETS", message: expect.stringContaining("is deleted") }
    const deleting = reader.permission.delete("1")
    await expect(deleting).rejects.toMatchObject(refused)
    await expect(deleting).rejects.toBeInstanceOf(OutcomeUnknown)
    expect(await left()).toEqual([0, 1, 1])
    // The record is gone: deleting it again is what removes its id from these sets.
    expect(await all.permission.delete("1")).toBe(false)
    expect(await left()).toEqual([0, 0, 0])
    await Promise.all([all.$close(), reader.$close()])
    for (const node of nodes) {
      await node.send(["ACL", "DELUSER", "reader"])
      await node.close()
    }
  })

  for (const [kind, open] of Object.entries(clients)) {
    describe(kind, () => {
      let opened: Opened
      let db: ClientOf<typeof tagged>
      let bare: ClientOf<typeof untagged>
      const raw = (...command: string[]): Promise<Reply> => db.$driver().send(command)
      const keys = async (): Promise<string[]> => {
        const found: string[] = []
        for (const node of await db.$driver().primaries()) {
          found.push(...((await node.send(["KEYS", "*"])) as string[]))
          await node.close()
        }
        return found.sort()
      }
      beforeAll(async () => {
        opened = await open()
        db = await connect(tagged, opened.target)
        bare = await connect(untagged, opened.target, { acceptSplit: ["dish"] })
      })
      afterEach(async () => {
        for (const node of await db.$driver().primaries()) {
          await node.send(["FLUSHALL"])
          await node.close()
        }
      })
      afterAll(async () => {
        await db?.$close()
        await bare?.$close()
        opened?.close()
      })

      test("creates, finds, lists, changes and deletes, in every slot", async () => {
        for (const tenant of ["a", "b", "c", "d"]) {
          const { dish: dishes } = db.tenant({ tenant })
          for (let i = 0; i < 5; i++) await dishes.create({ name: `n${i}`, category: `c${i % 2}`, stock: i, at: -i })
          expect((await dishes.find("name", { name: "n3" }))?.id).toBe("4")
          expect((await dishes.list("category", { category: "c0" })).map(({ id }) => id)).toEqual(["1", "3", "5"])
          expect((await dishes.list("dates", { category: "c0" })).map(({ id }) => id)).toEqual(["5", "3", "1"])
          expect((await dishes.getMany(["1", "9", "2"])).map((one) => one?.name)).toEqual(["n0", undefined, "n1"])
          await expect(dishes.create({ name: "n1", category: "c", stock: 1 })).rejects.toMatchObject({
            code: "INDEX.UNIQUE_TAKEN",
          })
          await dishes.update("1", { category: "c1", name: "new" })
          expect(await raw("SMEMBERS", `{${tenant}}:category:c1:dishes`)).toHaveLength(3)
          expect(await dishes.increment("2", "stock", 5)).toBe(6)
          const scanned: string[] = []
          for await (const one of dishes.scan()) scanned.push(one.id)
          expect(scanned.sort()).toEqual(["1", "2", "3", "4", "5"])
          for (const id of await dishes.ids()) expect(await dishes.delete(id)).toBe(true)
          expect((await keys()).filter((key) => key.startsWith(`{${tenant}}`))).toEqual([`{${tenant}}:dish:counter`])
        }
      })

      test("keeps ids in quotes in lists, indexes and unique values", async () => {
        const team = await connect(inQuotes, opened.target)
        const { dish: dishes } = team.tenant({ tenant: "q" })
        await dishes.create({ name: "pho", category: "soup", stock: 1, at: 5 })
        await dishes.create({ name: "bun", category: "soup", stock: 1, at: 3 })
        expect(((await raw("SMEMBERS", "{q}:dish:list")) as string[]).sort()).toEqual(['"1"', '"2"'])
        expect(await raw("GET", "{q}:dish:index:name:pho")).toBe('"1"')
        expect(await raw("ZRANGE", "{q}:dish:index:dates:soup", "0", "-1")).toEqual(['"2"', '"1"'])
        expect((await dishes.find("name", { name: "bun" }))?.id).toBe("2")
        await dishes.update("1", { category: "noodles", name: "phobo" })
        expect(await raw("SMEMBERS", "{q}:category:soup:dishes")).toEqual(['"2"'])
        expect(await raw("SMEMBERS", "{q}:category:noodles:dishes")).toEqual(['"1"'])
        expect((await dishes.list("category", { category: "noodles" })).map(({ id }) => id)).toEqual(["1"])
        for (const id of await dishes.ids()) expect(await dishes.delete(id)).toBe(true)
        expect(await keys()).toEqual(["{q}:dish:counter"])
        await team.$close()
      })

      test("keeps hashes, operation ids and updates of many", async () => {
        const { gauge, user } = db.tenant({ tenant: "t1" })
        await gauge.create({ id: "g", room: "hall" })
        await gauge.update("g", { room: "attic" })
        expect((await gauge.list("room", { room: "attic" })).map(({ id }) => id)).toEqual(["g"])
        const made = await user.create({ email: "a@x.org", points: 0 }, { operationId: "o1" })
        expect(await user.create({ email: "a@x.org", points: 0 }, { operationId: "o1" })).toEqual(made)
        await Promise.all(
          Array.from({ length: 40 }, () => user.update("1", (one) => ({ points: (one.points ?? 0) + 1 }))),
        )
        expect((await user.get("1"))?.points).toBe(40)
      })

      test("a transaction of one tenant commits as one, with new ids in its keys", async () => {
        const result = await db.$transaction(async (t) => {
          const { user, seen, visits, dish: dishes } = t.tenant({ tenant: "t2" })
          const made = await user.create({ email: "b@x.org" })
          const pho = await dishes.create({ name: "pho", category: made.id, stock: 1 })
          await seen({ userId: made.id }).add(pho.id)
          await visits().increment()
          return [made.id, pho.id]
        })
        expect(result).toEqual(["1", "1"])
        expect(await raw("SMEMBERS", "{t2}:seen:1")).toEqual(["1"])
        expect(await raw("SMEMBERS", "{t2}:category:1:dishes")).toEqual(["1"])
        await expect(
          db.$transaction(async (t) => {
            await t.tenant({ tenant: "t3" }).visits().increment()
            await t.tenant({ tenant: "t4" }).visits().increment()
          }),
        ).rejects.toMatchObject({ code: "PLACEMENT.SPLIT" })
        expect(await raw("EXISTS", "{t3}:visits")).toBe(0)
      })

      test("no script touches a key that it was not given", async () => {
        const { dish: dishes } = db.tenant({ tenant: "m" })
        const watched = await Promise.all(cluster.nodes.map(({ port }) => watchCommands(port)))
        await raw("SET", "{m}:dish:7", "{}")
        await raw("SET", "{m}:dish:counter", "6")
        await raw("SET", "{m}:dish:index:name:left", "99") // Held by a record that is gone.
        expect((await dishes.create({ name: "left", category: "c", stock: 1 })).id).toBe("8")
        await expect(dishes.create({ name: "left", category: "c", stock: 1 })).rejects.toMatchObject({
          code: "INDEX.UNIQUE_TAKEN",
        })
        const many = await Promise.all(
          Array.from({ length: 20 }, (_, i) => dishes.create({ name: `n${i}`, category: "c", stock: 1 })),
        )
        expect(new Set(many.map(({ id }) => id)).size).toBe(20)
        expect(await raw("GET", "{m}:dish:counter")).toBe("28")
        const lines = (await Promise.all(watched.map((stop) => stop()))).flat()
        const keysIn = (line: string) => line.match(/\{m\}:[^"]+/g) ?? []
        const given = new Set(lines.filter((line) => / "(?:EVAL|EVALSHA|evalsha|eval)" /.test(line)).flatMap(keysIn))
        const touched = lines.filter((line) => line.includes(" lua] ")).flatMap(keysIn)
        expect(touched).not.toEqual([])
        expect(touched.filter((key) => !given.has(key))).toEqual([])
      })

      test("a counter that another program has spoiled is named, and nothing is written", async () => {
        for (const spoil of [
          ["SET", "{s}:user:counter", "many"],
          ["HSET", "{s}:user:counter", "a", "b"],
        ]) {
          await raw("DEL", "{s}:user:counter")
          await raw(...spoil)
          await expect(db.tenant({ tenant: "s" }).user.create({ email: "a@x.org" })).rejects.toMatchObject({
            key: "{s}:user:counter",
          })
        }
        expect(await keys()).toEqual(["{s}:user:counter"])
      })

      test("sweeps what has expired, in every slot", async () => {
        for (const tenant of ["a", "b", "c", "d", "e"])
          await db.tenant({ tenant }).session.create({ id: "1", user: "ann" })
        await expect.poll(() => db.$sweep().then(() => keys()), { timeout: 5000 }).toEqual([])
      })

      test("refuses what spans slots, before it is sent; one key alone is accepted", async () => {
        await expect(bare.dish.create({ name: "pho", category: "c", stock: 1 })).rejects.toMatchObject({
          code: "PLACEMENT.SPLIT",
        })
        expect(await keys()).toEqual([])
        await bare.lone.create({ id: "1", user: "ann" })
        await bare.lone.update("1", { user: "bob" })
        expect((await bare.lone.get("1"))?.user).toBe("bob")
        expect(await bare.lone.delete("1")).toBe(true)
      })
    })
  }
})
