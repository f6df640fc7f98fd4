/* Scans of an application over a server that is restarted meanwhile, or a cluster whose slots move. */

import { Cluster } from "ioredis"
import { createCluster } from "redis"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { askServer } from "../../../../../test/ask-server.ts"
import { moveKey } from "../../../../../test/cluster-control.ts"
import { needs } from "../../../../../test/needs.ts"
import { quiet } from "../../../../../test/quiet-client.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { type RealCluster, startPrimaries } from "../../../../../test/redis-cluster.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { map, set, string, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { connect } from "../connect.ts"
import type { Target } from "../target.ts"

const schema = keyspace(
  {
    key: string("key:{id}", text),
    members: set("members", text),
    fields: map("fields", text, int),
    scored: zset("scored", text),
  },
  { ttl: "never" },
)
const COUNT = 4000
const ids = Array.from({ length: COUNT }, (_, i) => String(i))
const open = (target: Target) => connect(schema, target, { timeoutMs: 10_000 })
type Db = Awaited<ReturnType<typeof open>>
type Scan = (db: Db) => AsyncIterable<unknown>

const OF_A_KEY: readonly [string, Scan][] = [
  ["members", (db) => db.members().scan()],
  ["fields", (db) => db.fields().entries()],
  ["scored", (db) => db.scored().scan()],
]
const SCANS: readonly [string, Scan][] = [["keys", (db) => db.key.scan()], ...OF_A_KEY]

const fill = (db: Db) =>
  db.$batch((db) => [
    ...ids.map((id) => db.key({ id }).set("1")),
    db.members().addMany(ids),
    db.fields().setMany(ids.map((id) => [id, 1])),
    db.scored().addMany(ids.map((id) => [id, 1])),
  ])

/** How many were found, and how many different ones, when something happens in the middle. */
async function found(scan: AsyncIterable<unknown>, happens: () => Promise<unknown>): Promise<[number, number]> {
  const found: string[] = []
  for await (const one of scan) {
    found.push(JSON.stringify(one))
    if (found.length === COUNT / 2) await happens()
  }
  return [found.length, new Set(found).size]
}

describe.runIf(needs("redis-server"))("a server that is restarted in the middle of a scan", { timeout: 30_000 }, () => {
  let redis: RealRedis
  let db: Db
  beforeEach(async () => {
    const users = ["user default on nopass ~* &* +@all", "user app on >x ~* &* +@read +@write +@scripting +ping"]
    redis = await startRedis({ config: users.join("\n") })
    db = await open(redis.url)
    await fill(db)
    await db.$driver().send(["SAVE"])
  })
  afterEach(async () => {
    await db.$close()
    await redis.stop()
  })

  it.each(SCANS)("has %s scanned again, each once, since a cursor says nothing to another process", async (_, scan) => {
    expect(await found(scan(db), () => redis.restart())).toEqual([COUNT, COUNT])
  })

  it.each(SCANS)("has %s scanned again for a user who may ask for nothing but data", async (_, scan) => {
    const app = await open(redis.url.replace("//", "//app:x@"))
    expect(await found(scan(app), () => redis.restart())).toEqual([COUNT, COUNT])
    await app.$close()
  })

  it("is another matter than a lost connection, however often that happens", async () => {
    const driver = db.$driver()
    let at = 0
    for await (const _ of db.members().scan({ pageSize: 50 }))
      if (++at % 400 === 0)
        await askServer(redis.port, "CLIENT", "KILL", "ID", String(await driver.send(["CLIENT", "ID"])))
    expect(at).toBe(COUNT)
  })
})

describe.runIf(needs("redis-server"))("a cluster in which the key of a scan moves", { timeout: 30_000 }, () => {
  let cluster: RealCluster
  beforeEach(async () => {
    cluster = await startPrimaries(2)
    const db = await open(cluster.nodes[0]!.url)
    await fill(db)
    await db.$close()
  })
  afterEach(() => cluster.stop())

  const targets: Readonly<Record<string, () => Promise<readonly [Target, close: () => unknown]>>> = {
    keywright: async () => [cluster.nodes[0]!.url, () => undefined],
    "node-redis": async () => {
      const client = quiet(createCluster({ rootNodes: [{ url: cluster.nodes[0]!.url }] }))
      await client.connect()
      return [{ client }, () => client.destroy()]
    },
    ioredis: async () => {
      const client = quiet(new Cluster([{ host: "127.0.0.1", port: cluster.nodes[0]!.port }]))
      return [{ client }, () => client.disconnect()]
    },
  }

  it.each(Object.keys(targets))("has it scanned again where it is, through %s", async (name) => {
    const [target, close] = await targets[name]!()
    const db = await open(target)
    for (const [key, scan] of OF_A_KEY)
      for (const isEnded of [true, false])
        expect(await found(scan(db), () => moveKey(key, cluster, isEnded)), key).toEqual([COUNT, COUNT])
    await db.$close()
    await close()
  })
})
