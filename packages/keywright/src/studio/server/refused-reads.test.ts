/* The studio of a user who may not read everything: its rows say so. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { hash, int, keyspace, list, string, text } from "../../schema/index.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { startStudio } from "./start-studio.ts"
import { enter } from "./studio-client.cases.ts"

const schema = keyspace(
  {
    cart: hash("cart:{token}", { total: int }),
    queue: list("queue:{name}", text),
    page: string("page:{id}", text),
  },
  { ttl: "1h", name: "refused" },
) as unknown as Keyspace

describe.runIf(needs("redis-server"))("keys that the server refuses to show", () => {
  let redis: RealRedis
  const without = ["pttl", "type", "hmget", "getrange", "llen", "lrange"]
  beforeAll(async () => {
    redis = await startRedis()
    const driver = openResp(redis.url)
    await driver.batch([
      ["HSET", "cart:1", "total", "5"],
      ["RPUSH", "queue:1", "a", "b"],
      ["SET", "page:1", "text"],
      ...["cart:1", "queue:1", "page:1"].map((key) => ["EXPIRE", key, "600"]),
      ...without.map((name) => ["ACL", "SETUSER", `no-${name}`, "on", ">x", "~*", "&*", "+@all", `-${name}`]),
      ["ACL", "SETUSER", "pages", "on", ">x", "~page:*", "&*", "+@all"],
    ])
    await driver.close()
  })
  afterAll(() => redis.stop())

  it.each([
    ["no-pttl", "cart", "PTTL", { ttlMs: null, cells: [{ decoded: 5 }] }],
    ["no-type", "cart", "TYPE", { type: "unreadable" }],
    ["no-hmget", "cart", "HMGET", { type: "hash" }],
    ["no-getrange", "page", "GETRANGE", { type: "string" }],
    ["no-llen", "queue", "LLEN", { type: "list", preview: "" }],
    ["no-lrange", "queue", "elements", { type: "list", preview: "2 items" }],
    ["pages", "queue", "TYPE", { type: "unreadable" }],
  ])("as %s, the row of a %s says that %s was refused", async (user, name, command, shown) => {
    const url = redis.url.replace("//", `//${user}:x@`)
    const studio = await startStudio({ systems: [{ keyspace: schema, server: url }] })
    try {
      const page = await enter(studio)
      const scanned = () => page.call("GET /api/systems/:system/overview", { system: "refused" })
      await vi.waitFor(async () => expect((await scanned()).scan.state).toBe("done"), { timeout: 30_000 })
      const { keys } = await page.call("GET /api/systems/:system/keys", { system: "refused", query: { pattern: name } })
      expect(keys).toMatchObject([
        { ...shown, unreadable: expect.arrayContaining([{ command, reason: expect.stringContaining("NOPERM") }]) },
      ])
      if (command !== "PTTL") return
      const query = { db: 0, ref: keys[0]!.ref }
      const one = await page.call("GET /api/systems/:system/key", { system: "refused", query })
      expect(one).toMatchObject({ ttlMs: null, unreadable: [{ command }] })
    } finally {
      await studio.close()
    }
  })
})
