import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { json } from "../../schema/codec/json.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"

const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:by:{index}:{value}" })
const menu = keyspace(
  {
    dish: record("dish", json(z.object({ id: z.string(), kitchen: z.string(), stock: z.number() })), {
      index: { kitchen: "kitchen" },
      ids: "given",
    }),
  },
  { ttl: "never" },
)

describe.runIf(needs("redis-server"))("all records of a set index", () => {
  let redis: RealRedis
  let beside: Driver
  let db: ClientOf<typeof menu>
  const names = async () =>
    [...String(await beside.send(["INFO", "commandstats"])).matchAll(/cmdstat_(\w+)/g)].map(([, name]) => name)
  beforeAll(async () => {
    redis = await startRedis()
    beside = openResp(redis.url)
    db = await connect(menu, redis.url)
  })
  beforeEach(() => beside.send(["FLUSHALL"]))
  afterAll(async () => {
    await db?.$close()
    await beside?.close()
    await redis?.stop()
  })
  const fill = async (...ids: string[]) => {
    for (const id of ids) await db.dish.create({ id, kitchen: "k", stock: 1 })
  }

  test("come in one round trip, by id: numbers first", async () => {
    await fill("b", "10", "9", "a", "2x")
    await beside.send(["CONFIG", "RESETSTAT"])
    const ids = (await db.dish.list("kitchen", { kitchen: "k" })).map(({ id }) => id)
    expect(ids).toEqual(["9", "10", "2x", "a", "b"])
    const reversed = await db.dish.list("kitchen", { kitchen: "k" }, { reverse: true })
    expect(reversed.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(await names()).toContain("sort_ro")
    expect(await names()).not.toContain("smembers")
  })

  test("entries that lead to nothing, or to a record that belongs elsewhere, are passed over", async () => {
    await fill("1", "2")
    await beside.send(["SADD", "dish:by:kitchen:k", "gone"])
    await beside.send(["SET", "dish:2", JSON.stringify({ id: "2", kitchen: "other", stock: 1 })])
    expect(await db.dish.list("kitchen", { kitchen: "k" })).toEqual([{ id: "1", kitchen: "k", stock: 1 }])
  })

  test("can be saved without reading them again; fields that no schema knows stay", async () => {
    await beside.send(["SET", "dish:1", JSON.stringify({ id: "1", note: { a: [1] }, kitchen: "k", stock: 1 })])
    await beside.send(["SADD", "dish:by:kitchen:k", "1"])
    const [dish] = await db.dish.list("kitchen", { kitchen: "k" })
    await beside.send(["CONFIG", "RESETSTAT"])
    await db.dish.update(dish!, { stock: 2 })
    expect(await names()).not.toContain("mget")
    expect(JSON.parse(String(await beside.send(["GET", "dish:1"])))).toEqual({
      id: "1",
      note: { a: [1] },
      kitchen: "k",
      stock: 2,
    })
  })

  test("too many for one reply are read in parts", async () => {
    await beside.batch(
      Array.from({ length: 1200 }, (_, i) => [
        "SET",
        `dish:${i}`,
        JSON.stringify({ id: String(i), kitchen: "k", stock: i }),
      ]),
    )
    await beside.send(["SADD", "dish:by:kitchen:k", ...Array.from({ length: 1200 }, (_, i) => String(i))])
    const found = await db.dish.list("kitchen", { kitchen: "k" })
    expect(found.map(({ stock }) => stock)).toEqual(Array.from({ length: 1200 }, (_, i) => i))
  })

  test("a user who may not read every key gets them in two steps", async () => {
    await fill("1", "2")
    await beside.send(["ACL", "SETUSER", "narrow", "on", ">word", "~dish*", "+@all"])
    const narrow = await connect(menu, redis.url.replace("//", "//narrow:word@"))
    for (let i = 0; i < 2; i++) expect(await narrow.dish.list("kitchen", { kitchen: "k" })).toHaveLength(2)
    await narrow.$close()
  })

  test("a key of another type is an error", async () => {
    await beside.send(["SET", "dish:by:kitchen:k", "text"])
    await expect(db.dish.list("kitchen", { kitchen: "k" })).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
  })
})
