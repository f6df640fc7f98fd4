/* The studio of a user who may not read everything: its rows say so. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { entity, hash, int, keyspace, list, set, string, text, zset } from "../../schema/index.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { startStudio } from "./start-studio.ts"
import { enter, type StudioClient } from "./studio-client.cases.ts"

const schema = keyspace(
  {
    cart: hash("cart:{token}", { total: int }),
    queue: list("queue:{name}", text),
    page: string("page:{id}", text),
    shop: entity(
      "shop:{id}",
      { id: text, name: text },
      { counter: "shop:counter", unique: { name: "shop:by:{name}" } },
    ),
    dish: entity(
      "dish:{id}",
      { id: text, shop: text, price: int },
      {
        counter: "dish:counter",
        index: { shop: "of:{shop}:dishes", price: { patterns: "dish:by-price", score: "price" } },
      },
    ),
    best: zset("best:{shopId}", text),
    broken: set("broken:{shopId}", text),
  },
  {
    ttl: "1h",
    name: "refused",
    relations: {
      dish: { inShop: { one: "shop", from: "shop", inverse: "dishes" } },
      shop: { best: { many: "dish", through: "best" }, broken: { many: "dish", through: "broken" } },
    },
  } as never,
) as unknown as Keyspace

describe.runIf(needs("redis-server"))("keys that the server refuses to show", () => {
  let redis: RealRedis
  const without = ["pttl", "type", "hmget", "getrange", "llen", "lrange", "scard", "sscan", "zcard", "zrange", "get"]
  beforeAll(async () => {
    redis = await startRedis()
    const driver = openResp(redis.url)
    await driver.batch([
      ["HSET", "cart:1", "total", "5"],
      ["RPUSH", "queue:1", "a", "b"],
      ["SET", "page:1", "text"],
      ["HSET", "shop:1", "id", "1", "name", "A"],
      ["HSET", "dish:2", "id", "2", "shop", "1", "price", "9"],
      ["SADD", "of:1:dishes", "2"],
      ["ZADD", "dish:by-price", "9", "2"],
      ["ZADD", "best:1", "1", "2"],
      ["SET", "shop:by:A", "1"],
      ["RPUSH", "broken:1", "2"],
      ...["cart:1", "queue:1", "page:1", "shop:1", "dish:2", "best:1", "broken:1"].map((key) => ["EXPIRE", key, "600"]),
      ...without.map((name) => ["ACL", "SETUSER", `no-${name}`, "on", ">x", "~*", "&*", "+@all", `-${name}`]),
      ["ACL", "SETUSER", "pages", "on", ">x", "~page:*", "&*", "+@all"],
    ])
    await driver.close()
  })
  afterAll(() => redis.stop())

  const as = async (user: string, look: (page: StudioClient) => Promise<void>) => {
    const url = redis.url.replace("//", `//${user}:x@`)
    const studio = await startStudio({ systems: [{ keyspace: schema, server: url }] })
    try {
      const page = await enter(studio)
      const scanned = () => page.call("GET /api/systems/:system/overview", { system: "refused" })
      await vi.waitFor(async () => expect((await scanned()).scan.state).toBe("done"), { timeout: 30_000 })
      await look(page)
    } finally {
      await studio.close()
    }
  }
  const rowsOf = (page: StudioClient, pattern: string, more: object = {}) =>
    page.call("GET /api/systems/:system/keys", { system: "refused", query: { pattern, ...more } })

  it.each([
    ["no-pttl", "cart", "PTTL", { ttlMs: null, cells: [{ decoded: 5 }] }],
    ["no-type", "cart", "TYPE", { type: "unreadable" }],
    ["no-hmget", "cart", "HMGET", { type: "hash" }],
    ["no-getrange", "page", "GETRANGE", { type: "string" }],
    ["no-llen", "queue", "LLEN", { type: "list", preview: "" }],
    ["no-lrange", "queue", "elements", { type: "list", preview: "2 items" }],
    ["pages", "queue", "TYPE", { type: "unreadable" }],
  ])("as %s, the row of a %s says that %s was refused", (user, name, command, shown) =>
    as(user, async (page) => {
      const { keys } = await rowsOf(page, name)
      expect(keys).toMatchObject([
        { ...shown, unreadable: expect.arrayContaining([{ command, reason: expect.stringContaining("NOPERM") }]) },
      ])
      if (command !== "PTTL") return
      const query = { db: 0, ref: keys[0]!.ref }
      const one = await page.call("GET /api/systems/:system/key", { system: "refused", query })
      expect(one).toMatchObject({ ttlMs: null, unreadable: [{ command }] })
    }),
  )

  it.each([
    ["no-scard", "dishes", { count: null, links: [{ exists: true }], unreadable: [{ command: "SCARD" }] }],
    ["no-sscan", "dishes", { count: 1, links: [], unreadable: [{ command: "elements" }] }],
    ["no-zcard", "best", { count: null, links: [{ exists: true }], unreadable: [{ command: "ZCARD" }] }],
    ["no-zrange", "best", { count: 1, links: [], unreadable: [{ command: "elements" }] }],
    ["no-llen", "broken", { count: null, links: [], unreadable: [{ command: "SCARD" }, { command: "elements" }] }],
  ])("as %s, the relation %s is not shown as empty", (user, name, shown) =>
    as(user, async (page) => {
      const { keys } = await rowsOf(page, "shop")
      const query = { db: 0, ref: keys[0]!.ref }
      const { relations } = await page.call("GET /api/systems/:system/key", { system: "refused", query })
      expect(relations.find((one) => one.name === name)).toMatchObject(shown)
      if (shown.links.length > 0) return
      const further = { ...query, relation: name, how: name === "dishes" ? "from" : "to", cursor: "0.0" }
      const refusal = await page.refused("GET /api/systems/:system/related", { system: "refused", query: further })
      expect(refusal.code).toBe(name === "broken" ? "SERVER.WRONGTYPE" : "SERVER.NOPERM")
    }),
  )

  it.each([
    ["no-sscan", "dish", { index: "dish#shop", "x.shop": "1" }],
    ["no-zrange", "dish", { index: "dish#price" }],
    ["no-get", "shop", { index: "shop#name", "x.name": "A" }],
  ])("as %s, the records of %s by an index are not none", (user, pattern, index) =>
    as(user, async (page) => {
      const query = { pattern, ...index }
      const refusal = await page.refused("GET /api/systems/:system/keys", { system: "refused", query })
      expect(refusal).toMatchObject({ code: "SERVER.NOPERM", status: 502 })
    }),
  )
})
