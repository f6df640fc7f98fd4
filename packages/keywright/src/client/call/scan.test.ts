/* Scans of an application over a server that is restarted meanwhile. */

import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { map, set, string, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { connect } from "../connect.ts"

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
const open = (url: string) => connect(schema, url, { timeoutMs: 10_000 })
type Db = Awaited<ReturnType<typeof open>>

describe.runIf(needs("redis-server"))("a server that is restarted in the middle of a scan", { timeout: 30_000 }, () => {
  let redis: RealRedis
  let db: Db
  beforeEach(async () => {
    redis = await startRedis()
    db = await open(redis.url)
    const ids = Array.from({ length: COUNT }, (_, i) => String(i))
    await db.$batch((db) => [
      ...ids.map((id) => db.key({ id }).set("1")),
      db.members().addMany(ids),
      db.fields().setMany(ids.map((id) => [id, 1])),
      db.scored().addMany(ids.map((id) => [id, 1])),
    ])
    await db.$driver().send(["SAVE"])
  })
  afterEach(async () => {
    await db.$close()
    await redis.stop()
  })

  it.each<[string, (db: Db) => AsyncIterable<unknown>, number]>([
    ["keys", (db) => db.key.scan(), COUNT],
    ["members", (db) => db.members().scan(), COUNT],
    ["fields", (db) => db.fields().entries(), COUNT],
    ["scores", (db) => db.scored().scan(), COUNT],
  ])("has %s scanned again, each once, since a cursor says nothing to another process", async (_, scan, count) => {
    const found: string[] = []
    let restarted = false
    for await (const one of scan(db)) {
      found.push(JSON.stringify(one))
      if (restarted || found.length < count / 2) continue
      restarted = true
      await redis.restart()
    }
    expect([found.length, new Set(found).size]).toEqual([count, count])
  })
})
