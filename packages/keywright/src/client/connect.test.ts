import { inspect } from "node:util"
import { Cluster, Redis } from "ioredis"
import { createClient, createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { startClusterNode } from "../../../../test/redis-cluster.ts"
import { startProxy } from "../../../../test/tcp-proxy.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { secret } from "../schema/codec/wrap.ts"
import { int } from "../schema/codec/number.ts"
import { text } from "../schema/codec/text.ts"
import { counter, list, set, string } from "../schema/define.ts"
import { entity } from "../schema/entity.ts"
import { database } from "../schema/group.ts"
import { keyspace } from "../schema/keyspace.ts"
import { step } from "../schema/step.ts"
import { connect } from "./connect.ts"
import type { Target } from "./target.ts"

const schema = keyspace({
  note: string("note:{id}", text),
  hits: counter("hits:{id}"),
  jobs: list("jobs", text),
  liked: set("liked:{id}", int),
})

describe.runIf(needs("redis-server"))("connect", () => {
  let server: RealRedis
  let cluster: RealRedis

  beforeAll(async () => {
    server = await startRedis()
    cluster = await startClusterNode()
  })
  afterAll(() => Promise.all([server?.stop(), cluster?.stop()]))

  const connections = async () => {
    const driver = openResp(server.url)
    const text = String(await driver.send(["CLIENT", "LIST"]))
    await driver.close()
    return text.trim().split("\n").length - 1
  }

  it("uses the connection of another client, refuses what does not fit its server, and leaves it open", async () => {
    const db = await connect(schema, server.url)
    await db.$ready()
    const before = await connections()
    const other = await connect(keyspace({ title: string("title:{id}", text) }), { driver: db.$driver() })
    await other.title({ id: "1" }).set("Emma")
    expect(await connections()).toBe(before)
    await other.$close()
    expect(await db.$driver().send(["GET", "title:1"])).toBe("Emma")
    await db.$close()

    const onCluster = await connect(keyspace({}), cluster.url)
    const both = step({ script: "-- KEYS note, jobs\nreturn 1", keys: ["note", "jobs"], args: {}, returns: int })
    const split = keyspace({ note: string("note:{id}", text), jobs: list("jobs", text) }, { steps: { both } })
    await onCluster.$ready()
    await expect(connect(split, { driver: onCluster.$driver() })).rejects.toMatchObject({ code: "PLACEMENT.SPLIT" })
    await onCluster.$ready()
    await onCluster.$close()
  })

  it("closes all that it opened, and ends calls that wait without taking anything", async () => {
    const before = await connections()
    const db = await connect(schema, server.url)
    const waits = [db.jobs().takeLeft({ waitMs: 60_000 }), db.jobs().takeRight({ waitMs: 60_000 })]
    const settled = Promise.allSettled(waits)
    await db.note({ id: "1" }).set("a")
    for (let blocked = false; !blocked;) blocked = (await connections()) >= before + 3
    await db.$close()
    expect((await settled).map((one) => (one.status === "rejected" ? one.reason.code : one.value))).toEqual([
      "DRIVER.CLOSED",
      "DRIVER.CLOSED",
    ])
    for (let open = true; open;) open = (await connections()) > before
    await expect(db.note({ id: "1" }).get()).rejects.toMatchObject({ code: "DRIVER.CLOSED", key: "note:1" })
    await expect(db.jobs().takeLeft({ waitMs: 10 })).rejects.toMatchObject({ code: "DRIVER.CLOSED" })
  })

  it("leaves a client that was handed in open, and closes its own connections", async () => {
    const before = await connections()
    const client = await createClient({ url: server.url }).connect()
    const io = new Redis(server.url)
    for (const given of [client, io]) {
      const db = await connect(schema, { client: given })
      await db.jobs().pushRight("a")
      expect(await db.jobs().takeLeft({ waitMs: 1000 })).toBe("a")
      await db.$close()
    }
    expect([await client.ping(), await io.ping()]).toEqual(["PONG", "PONG"])
    for (let open = true; open;) open = (await connections()) > before + 2
    client.destroy()
    io.disconnect()
  })

  it("has a driver for each database, also for one that is reserved and empty", async () => {
    const several = keyspace({
      a: database(0, "a", { x: string("x", text) }),
      none: database(4, "none", {}),
    })
    const db = await connect(several, server.url)
    expect([0, 4].map((number) => db.$driver(number).db)).toEqual([0, 4])
    await db.a.x().set("here")
    expect(await db.$driver(4).send(["DBSIZE"])).toBe(0)
    await db.$close()
  })

  it("refuses several databases on a cluster", async () => {
    const client = new Cluster([{ host: "127.0.0.1", port: cluster.port }], { lazyConnect: true })
    const several = keyspace({
      a: database(0, "a", { x: string("x", text) }),
      b: database(1, "b", { x: string("x", text) }),
    })
    await expect(connect(several, { client })).rejects.toMatchObject({ code: "CONNECT.CLUSTER_DATABASES" })
    client.disconnect()
  })

  describe("on a cluster", () => {
    const script = "-- KEYS the two\nredis.call('SET', KEYS[1], 1)\nreturn redis.call('INCR', KEYS[2])"
    const made = (first: "note:{id}" | "note:{{id}}") => {
      const entries = { note: string(first, text), hits: counter("hits:{{id}}"), lone: string("lone:{id}", text) }
      return keyspace(entries, { steps: { both: step({ script, keys: ["note", "hits"], returns: int }) } })
    }
    /** However slow the machine is, the node has said what it is by then. */
    const PATIENT = { ready: true, timeoutMs: 60_000 }
    const targets: Record<string, () => { target: Target; end: () => void }> = {
      "by address": () => ({ target: cluster.url, end: () => undefined }),
      "with ioredis": () => {
        const client = new Cluster([{ host: "127.0.0.1", port: cluster.port }], { lazyConnect: true })
        return { target: { client }, end: () => client.disconnect() }
      },
    }
    for (const [how, open] of Object.entries(targets))
      it(`refuses what is not in one slot, by the names of its patterns, and takes it where it is accepted: ${how}`, async () => {
        const { target, end } = open()
        const refused = await connect(made("note:{id}"), target, PATIENT).catch((error: unknown) => error)
        expect(refused).toMatchObject({
          code: "PLACEMENT.SPLIT",
          message: expect.stringContaining("the step $steps.both (note:{id} and hits:{{id}})"),
          fix: expect.stringMatching(/^note:\{\{id\}\}, hits:\{\{id\}\}; or .*\["\$steps.both"\]/),
          details: { split: [{ name: "$steps.both", kind: "step", apart: ["note:{id}", "hits:{{id}}"] }] },
        })
        const accepted = await connect(made("note:{id}"), target, { ...PATIENT, acceptSplit: ["$steps.both"] })
        // By its patterns, not by luck: "hits:{7}" and "7" would share a slot.
        for (const id of ["1", "2", "3"])
          await expect(accepted.$steps.both({ id })).rejects.toMatchObject({ code: "PLACEMENT.SPLIT" })
        await accepted.lone({ id: "1" }).set("alone")
        await accepted.$close()
        const whole = await connect(made("note:{{id}}"), target, PATIENT)
        expect(await whole.$steps.both({ id: how.replaceAll(" ", "-") })).toBe(1)
        await whole.$close()
        end()
      })

    it("refuses them without the secret parts of their keys", async () => {
      const params = { token: secret(text) }
      const session = string("session:{token}", text, { params })
      const seen = set("seen:{token}", text, { params })
      const user = entity("user:{token}", { token: text, name: text }, { params, ids: "given" })
      const both = step({ script, keys: ["session", "seen"], returns: int })
      const db = await connect(keyspace({ session, seen, user }, { ttl: "never", steps: { both } }), cluster.url, {
        ...PATIENT,
        acceptSplit: ["$steps.both"],
      })
      const calls = [
        db.$transaction(async (t) => {
          await t.session({ token: "CANARY1" }).set("a")
          await t.session({ token: "CANARY2" }).set("b")
        }),
        db.$transaction(async (t) => {
          await t.user.create({ token: "CANARY1", name: "a" })
          await t.user.create({ token: "CANARY2", name: "b" })
        }),
        db.$steps.both({ token: "CANARY1" }),
        db.$multi((all) => [all.session({ token: "CANARY1" }).get(), all.session({ token: "CANARY2" }).get()]),
      ]
      const errors = await Promise.all(calls.map((call) => call.catch((caught: unknown) => caught)))
      for (const error of errors) {
        expect(error).toBeInstanceOf(Error)
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("CANARY")
      }
      const apart = (one: string, other: string) => ({
        code: "PLACEMENT.SPLIT",
        why: expect.stringContaining(`For example ${one} and ${other}.`),
      })
      expect(errors.slice(0, 3)).toMatchObject([
        apart("session:…", "session:…"),
        apart("user:…", "user:…"),
        apart("session:…", "seen:…"),
      ])
      await db.$close()
    })

    it("refuses calls where the node could be reached only later", async () => {
      const proxy = await startProxy(cluster.port)
      await proxy.refuse()
      const db = await connect(made("note:{id}"), proxy.url, { timeoutMs: 20_000 })
      const call = db.lone({ id: "1" }).get()
      await proxy.admit()
      await expect(call).rejects.toMatchObject({ code: "PLACEMENT.SPLIT" })
      await db.$close()
      await proxy.close()
    })

    it("says which names there are when it is to accept another, with a cluster or without", async () => {
      for (const target of [cluster.url, server.url])
        await expect(connect(made("note:{{id}}"), target, { acceptSplit: ["both"] })).rejects.toMatchObject({
          code: "PLACEMENT.UNKNOWN_NAME",
          fix: "It has $steps.both.",
        })
      const plain = await connect(made("note:{id}"), server.url)
      expect(await plain.$steps.both({ id: "plain" })).toBe(1)
      await plain.$close()
    })
  })

  for (const kind of ["node-redis", "ioredis"] as const) {
    it(`asks a cluster for each slot, and puts an operation id beside its key: ${kind}`, async () => {
      const node = createCluster({ rootNodes: [{ url: cluster.url }] })
      node.on("error", () => undefined)
      const io = new Cluster([{ host: "127.0.0.1", port: cluster.port }], { lazyConnect: true })
      io.on("error", () => undefined)
      if (kind === "ioredis") await io.connect()
      if (kind === "node-redis") await node.connect()
      const db = await connect(schema, { client: kind === "ioredis" ? io : node })
      const ids = Array.from({ length: 20 }, (_, i) => String(i))
      await Promise.all(ids.map((id) => db.note({ id }).set(id)))
      expect(await db.$getMany(ids.map((id) => db.note({ id })))).toEqual(ids)
      for (let i = 0; i < 2; i++)
        expect(await db.hits({ id: kind }).increment(1, { operationId: `once-${kind}` })).toBe(1)
      expect(await db.$batch((db) => ids.map((id) => db.note({ id }).get()))).toEqual(ids)
      await expect(db.liked({ id: "a" }).union(db.liked({ id: "b" }))).rejects.toMatchObject({
        code: "SERVER.CROSSSLOT",
      })
      const found: string[] = []
      for await (const { params } of db.note.scan()) found.push(params.id)
      expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids)
      await db.$close()
      if (kind === "node-redis") node.destroy()
      io.disconnect()
    })
  }
})
