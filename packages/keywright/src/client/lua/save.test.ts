/* What save.lua leaves behind, read with raw commands: everything, or nothing. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { json } from "../../schema/codec/json.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import { connect } from "../connect.ts"

const Dish = z.object({ id: z.string(), a: z.string().optional(), b: z.string().optional(), c: z.string().optional() })
const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })
const menu = keyspace(
  { dish: record("dish", json(Dish), { index: { a: "a", b: "b", c: "c" }, ids: "given" }) },
  { ttl: "never" },
)
const before = { id: "1", a: "x", b: "x", c: "x" }
const moved = { a: "y", b: "y", c: "y" }
const open = (url: string) => connect(menu, url)

describe.runIf(needs("redis-server"))("a save of one record", () => {
  let server: RealRedis
  let raw: Driver
  let db: Awaited<ReturnType<typeof open>>
  let dish: z.infer<typeof Dish>
  beforeAll(async () => {
    server = await startRedis()
    raw = openResp(server.url)
    db = await open(server.url)
  })
  afterAll(async () => {
    await db?.$close()
    await raw?.close()
    await server?.stop()
  })
  beforeEach(async () => {
    await raw.send(["FLUSHALL"])
    dish = await db.dish.create(before)
  })

  /** Every key with its value, sets in order. */
  async function all(): Promise<Record<string, unknown>> {
    const keys = ((await raw.send(["KEYS", "*"])) as string[]).sort()
    const values = keys.map(async (key) => {
      if ((await raw.send(["TYPE", key])) === "string") return [key, await raw.send(["GET", key])]
      return [key, ((await raw.send(["SMEMBERS", key])) as string[]).sort()]
    })
    return Object.fromEntries(await Promise.all(values))
  }
  const indexed = (value: object) =>
    Object.fromEntries(
      Object.entries(value).map(([field, text]: [string, string]) => [`dish:index:${field}:${text}`, ["1"]]),
    )

  test.each([
    ["all fields move", before, moved],
    ["one field moves", before, { a: "y" }],
    ["fields move, and one has no value any more", before, { a: "y", b: "y", c: undefined }],
    ["fields have no value any more", before, { a: undefined, b: undefined, c: undefined }],
    ["fields move, and one has a value now", { id: "1", a: "x", b: "x" }, moved],
  ])("%s: the sets are those of the new values", async (_, from, change) => {
    const record = await db.dish.replace("1", from)
    await db.dish.update(record, change)
    const { id: _id, ...fields } = Dish.parse(JSON.parse(JSON.stringify({ ...from, ...change })))
    const { "dish:1": text, ...sets } = await all()
    expect(sets).toMatchObject(indexed(fields))
    expect(Object.keys(sets).filter((key) => key.startsWith("dish:index:"))).toHaveLength(Object.keys(fields).length)
    expect(JSON.parse(text as string)).toEqual({ id: "1", ...fields })
  })

  test.each(["a:x", "b:x", "c:x"])(
    "an id that is missing from %s, which it leaves, is where it belongs",
    async (set) => {
      await raw.send(["DEL", `dish:index:${set}`])
      await db.dish.update(dish, moved)
      expect(await all()).toMatchObject(indexed(moved))
      expect(Object.keys(await all()).filter((key) => key.endsWith(":x"))).toEqual([])
    },
  )

  test.each(["a:x", "b:x", "c:x", "a:y", "b:y", "c:y"])("%s is not a set: nothing is written", async (key) => {
    await raw.send(["SET", `dish:index:${key}`, "not a set"])
    const expected = await all()
    await expect(db.dish.update(dish, moved)).rejects.toMatchObject({ code: "ENTITY.WRONG_TYPE" })
    expect(await all()).toEqual(expected)
  })

  test("a user who may not call SMOVE saves without it", async () => {
    await raw.send(["ACL", "SETUSER", "default", "-smove"])
    await db.dish.update(dish, moved)
    await raw.send(["ACL", "SETUSER", "default", "+smove"])
    expect(await all()).toMatchObject(indexed(moved))
  })

  test("a full server is not written to", async () => {
    const expected = await all()
    await raw.send(["CONFIG", "SET", "maxmemory", "1"])
    await expect(db.dish.update(dish, moved)).rejects.toMatchObject({ code: "SERVER.OOM" })
    await raw.send(["CONFIG", "SET", "maxmemory", "0"])
    expect(await all()).toEqual(expected)
  })
})
