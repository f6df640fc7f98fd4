/* A pattern's keys as a grid: fields as columns, values decoded and linked, found and sorted by index. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { connect } from "../../client/connect.ts"
import {
  entity,
  hash,
  int,
  json,
  keyspace,
  layout,
  list,
  map,
  secret,
  string,
  text,
  unixSeconds,
  zset,
} from "../../schema/index.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { KeyRow, KeysPage } from "../api.ts"
import { type RunningStudio, startStudio } from "./start-studio.ts"
import { enter, type StudioClient } from "./studio-client.cases.ts"

const CANARY = "canary-password"
const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const Shop = z.object({ id: z.string(), name: z.string() })
const Dish = z.object({
  id: z.string(),
  name: z.string(),
  shopId: z.string(),
  price: z.number(),
  note: z.string().optional(),
})
const Staff = z.object({ id: z.string(), email: z.string(), password: z.string() })

const grid = keyspace(
  {
    shop: record("shop", json(Shop), { unique: { name: "name" } }),
    dish: entity("dish:{id}", json(Dish), {
      counter: "dish:counter",
      index: { shop: "shop:{shopId}:dishes", price: { patterns: "dish:by-price", score: "price" } },
    }),
    staff: record("staff", json(Staff), { unique: { password: "password" }, secret: ["password"] }),
    cart: hash("cart:{token}", { total: int, at: unixSeconds, pin: secret(text) }),
    stock: map("stock:{day}", text, int),
    seen: zset("seen:{day}", text, { score: int }),
    queue: list("queue:{name}", text),
    page: string("page:{id}", text),
  } as never,
  {
    ttl: "never",
    name: "grid",
    relations: { dish: { shop: { one: "shop", from: "shopId", inverse: "dishes" } } },
  } as never,
)

describe.runIf(needs("redis-server"))("the grid", { timeout: 60_000 }, () => {
  let redis: RealRedis
  let studio: RunningStudio
  let page: StudioClient
  const keys = (pattern: string, query: object = {}): Promise<KeysPage> =>
    page.call("GET /api/systems/:system/keys", { system: "grid", query: { pattern, ...query } as never })
  const valuesOf = ({ columns, keys: rows }: KeysPage, column: string) =>
    rows.map(({ cells }: KeyRow) => cells?.[columns.findIndex(({ name }) => name === column)]?.decoded)

  beforeAll(async () => {
    redis = await startRedis()
    // oxlint-disable-next-line typescript/no-explicit-any -- the schema is made of parts whose types matter elsewhere.
    const db = (await connect(grid as any, redis.url)) as any
    for (const name of ["North", "South"]) await db.shop.create({ name })
    for (let i = 1; i <= 60; i++)
      await db.dish.create({ name: `dish ${i}`, shopId: String(1 + (i % 2)), price: (i * 37) % 61 })
    await db.staff.create({ email: "a@example.com", password: CANARY })
    const send = (...words: string[]) => db.$driver().send(words)
    await send("HSET", "cart:T1", "total", "12", "at", "1700000000", "pin", CANARY)
    await send("HSET", "cart:T2", "total", "many")
    await send("HSET", "stock:mon", "soup", "3", "rice", "4")
    await send("ZADD", "seen:mon", "5", "a", "7", "b", "9", "c", "11", "d", "12", "e")
    await send("RPUSH", "queue:mail", "first", "second")
    await send("RPUSH", "queue:long", "x".repeat(100_000))
    await send("SET", "page:1", "<b>hello</b>")
    await send("SET", "page:2", "y".repeat(10_000))
    await send("SET", "dish:61", "{broken")
    await send("SET", "stray", CANARY)
    await db.$close()
    studio = await startStudio({ systems: [{ keyspace: grid as unknown as Keyspace, server: redis.url }] })
    page = await enter(studio)
    const scan = () => page.call("GET /api/systems/:system/overview", { system: "grid" })
    await vi.waitFor(async () => expect((await scan()).scan.state).toBe("done"), { timeout: 30_000 })
  }, 60_000)
  afterAll(async () => {
    await studio?.close()
    await redis?.stop()
  })

  it("has the declared fields of documents as columns, decoded, and links where a field refers to a record", async () => {
    const found = await keys("dish", { limit: 100 })
    expect(found.columns.map(({ name }) => name)).toEqual(["id", "name", "shopId", "price", "note"])
    const row = found.keys.find(({ key }) => key === "dish:7")
    expect(row?.cells?.map(({ decoded }) => decoded)).toEqual(["7", "dish 7", "2", (7 * 37) % 61, undefined])
    expect(row?.cells?.[2]?.link).toMatchObject({ key: "shop:2", name: "shop" })
    const broken = found.keys.find(({ key }) => key === "dish:61")
    expect([broken?.cells, broken?.preview]).toEqual([undefined, "{broken"])
  })

  it("has the fields of hashes, says what cannot be decoded, and never shows a secret", async () => {
    const found = await keys("cart")
    expect(found.columns).toMatchObject([{ name: "total" }, { name: "at" }, { name: "pin", secret: true }])
    const [one, two] = ["cart:T1", "cart:T2"].map((key) => found.keys.find((row) => row.key === key)?.cells)
    expect(one).toMatchObject([
      { decoded: 12 },
      { decoded: { "~": "date", text: "2023-11-14T22:13:20.000Z" } },
      { decoded: { "~": "secret" }, secret: true },
    ])
    expect(two).toMatchObject([{ error: expect.any(String), raw: { text: "many" } }, {}, {}])
    for (const pattern of ["cart", "staff", "?0/stray"])
      expect(JSON.stringify(await keys(pattern))).not.toContain(CANARY)
  })

  it.each([
    ["stock", "stock:mon", /^(soup: 3, rice: 4|rice: 4, soup: 3)$/],
    ["seen", "seen:mon", /^a: 5, b: 7, c: 9, … 5 members$/],
    ["queue", "queue:mail", /^first, second$/],
    ["queue", "queue:long", /^1 item$/],
    ["page", "page:2", /^10000 bytes$/],
    ["?0/stray", "stray", /^15 bytes$/],
  ])("%s: %s is previewed", async (pattern, key, preview) => {
    const { keys: rows } = await keys(pattern)
    expect(rows.find((row) => row.key === key)?.preview).toMatch(preview)
  })

  it("a plain value is one cell", async () => {
    const found = await keys("page")
    expect(found.columns).toEqual([{ name: "value", type: "text", secret: false }])
    expect(found.keys.find(({ key }) => key === "page:1")?.cells).toMatchObject([{ decoded: "<b>hello</b>" }])
  })

  it("finds records by unique and set indexes, page by page", async () => {
    const unique = await keys("shop", { index: "shop#name", "x.name": "South" })
    expect(unique.keys.map(({ key }) => key)).toEqual(["shop:2"])
    const seen: string[] = []
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const query: object = { index: "dish#shop", "x.shopId": "1", limit: 7, ...(cursor !== "" && { cursor }) }
      const found: KeysPage = await keys("dish", query)
      expect(new Set(valuesOf(found, "shopId"))).toEqual(new Set(["1"]))
      seen.push(...found.keys.map(({ key }) => key))
      cursor = found.next
    }
    expect(new Set(seen).size).toBe(30)
    expect((await keys("shop", { index: "shop#name", "x.name": "Nowhere" })).keys).toEqual([])
  })

  it("sorts by an ordered index, both ways and over pages", async () => {
    const up = await keys("dish", { index: "dish#price", limit: 25 })
    const more = await keys("dish", { index: "dish#price", limit: 50, cursor: up.next })
    const prices = [...valuesOf(up, "price"), ...valuesOf(more, "price")] as number[]
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    expect(prices).toHaveLength(60)
    const down = await keys("dish", { index: "dish#price", descending: "1", limit: 3 })
    expect(valuesOf(down, "price")).toEqual([60, 59, 58])
  })

  it.each([
    [{ index: "dish#shop" }, "x.shopId"],
    [{ index: "dish#shop", "x.shopId": "1", "x.other": "2" }, "x.other"],
    [{ index: "shop#name", "x.name": "South" }, "index"],
    [{ index: "nothing" }, "index"],
    [{ index: "dish#price", cursor: "1; FLUSHALL" }, "cursor"],
  ])("%j is refused", async (query, what) => {
    const refused = await page.refused("GET /api/systems/:system/keys", {
      system: "grid",
      query: { pattern: "dish", ...query },
    })
    expect(refused).toMatchObject({ status: 400, code: "STUDIO.QUERY", message: expect.stringContaining(what) })
  })

  it("a secret is not looked up by, because it would be in an address", async () => {
    const { tree } = await page.call("GET /api/systems/:system/schema", { system: "grid" })
    expect(JSON.stringify(tree)).not.toContain('"staff#password","label"')
    const query = { pattern: "staff", index: "staff#password", "x.password": CANARY }
    expect(await page.refused("GET /api/systems/:system/keys", { system: "grid", query })).toMatchObject({
      status: 400,
    })
  })
})
