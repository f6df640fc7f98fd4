/* The acceptance scenarios of the shop, through real HTTP, looked at by plain commands. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { onEveryServer } from "../platform/testing/cluster-server.ts"
import { dump, misfits } from "../platform/testing/stored.ts"
import { shop as schema } from "./schema.ts"
import { onShards } from "./shards.cases.ts"

onEveryServer(
  "the shop",
  (server) => {
    let shop: Served
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const open = async (...args: string[]) =>
      (shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true", ...args))
    const login = async (user = "user1") => (await shop.call("POST /login", { body: { user } })).body["token"] as string
    const view = async (token: string, item: string) => {
      expect((await shop.call("POST /views", { token, body: { item } })).status).toBe(204)
      if (server().settings?.["shards"] !== undefined) await shop.admin("POST /jobs/drain/run")
    }
    const near = (score: unknown, seconds: number) => Math.abs(Number(score) - seconds) < 5
    const now = () => Date.now() / 1000
    afterEach(() => shop?.close())

    it("SHOP-1 SHOP-2: a login makes a session and nothing else", async () => {
      await open()
      const { status, body, headers } = await shop.call("POST /login", { body: { user: "user1" } })
      const token = body["token"] as string
      expect(status).toBe(201)
      expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(headers.get("set-cookie")).toBe(`session=${token}; HttpOnly; Path=/; SameSite=Lax`)
      expect(await raw("HGET", "login:", token)).toBe("user1")
      expect(await raw("TYPE", "login:")).toBe("hash")
      expect(near(await raw("ZSCORE", "recent:", token), now())).toBe(true)
      expect(await raw("EXISTS", `viewed:${token}`, `cart:${token}`)).toBe(0)
      expect([await raw("TTL", "login:"), await raw("TTL", "recent:")]).toEqual([-1, -1])
      expect((await shop.call("GET /session", { token })).body).toEqual({ user: "user1" })
      expect((await shop.call("GET /session", { headers: { cookie: `a=b; session=${token}` } })).body).toEqual({
        user: "user1",
      })
      expect((await shop.call("GET /session", { token: token.toUpperCase() })).status).toBe(401)
    })

    it("SHOP-3 SHOP-4 SHOP-6: a session keeps its 25 newest views, and all views count", async () => {
      await open()
      const token = await login()
      for (let i = 1; i <= 30; i++) await view(token, `item${i}`)
      expect(await raw("ZCARD", `viewed:${token}`)).toBe(25)
      for (let i = 1; i <= 5; i++) expect(await raw("ZSCORE", `viewed:${token}`, `item${i}`)).toBeNull()
      expect(await raw("ZSCORE", "viewed:", "item1")).toBe("-1")
      expect(await raw("ZCARD", "viewed:")).toBe(30)
      for (let i = 0; i < 22; i++) await view(token, "item1")
      expect(await raw("ZSCORE", "viewed:", "item1")).toBe("-23")
      expect(await raw("ZRANK", "viewed:", "item1")).toBe(0)
      expect(await raw("ZCARD", `viewed:${token}`)).toBe(25)

      const { items } = (await shop.call("GET /session/viewed?limit=3", { token })).body as {
        items: { item: string; at: number }[]
      }
      expect(items.map(({ item }) => item)).toEqual(["item1", "item30", "item29"])
      expect(near(items[0]!.at, now())).toBe(true)
      expect((await shop.call("GET /session/viewed", { token })).body["items"]).toHaveLength(25)
      expect((await shop.call("GET /popular?limit=1")).body).toEqual({ items: [{ item: "item1", views: 23 }] })
      expect((await shop.call("GET /popular?limit=5&offset=29")).body["items"]).toHaveLength(1)
      expect((await shop.call("GET /popular?offset=30")).body).toEqual({ items: [] })
    })

    it("SHOP-5: an unknown session changes nothing", async () => {
      await open()
      const token = await login()
      await view(token, "item1")
      await raw("HDEL", "login:", token)
      const before = await dump(raw)
      expect((await shop.call("POST /views", { token, body: { item: "item2" } })).status).toBe(401)
      expect((await shop.call("PUT /cart/items/item1", { token, body: { quantity: 1 } })).status).toBe(401)
      expect((await shop.call("DELETE /cart/items/item1", { token })).status).toBe(401)
      expect((await shop.call("GET /cart", { token })).status).toBe(401)
      expect((await shop.call("DELETE /cart", { token })).status).toBe(401)
      expect((await shop.call("GET /session/viewed", { token })).status).toBe(401)
      expect(await dump(raw)).toEqual(before)
    })

    it("SHOP-7 SHOP-8: a cart is set, and emptied", async () => {
      await open()
      const token = await login()
      const set = async (item: string, quantity: number) =>
        (await shop.call(`PUT /cart/items/${item}`, { token, body: { quantity } })).body
      expect((await shop.call("GET /cart", { token })).body).toEqual({ items: {} })
      expect(await set("item1", 10)).toEqual({ items: { item1: 10 } })
      expect(await set("item2", 3)).toEqual({ items: { item1: 10, item2: 3 } })
      expect(await raw("HGETALL", `cart:${token}`)).toEqual(["item1", "10", "item2", "3"])
      expect(await set("item1", 0)).toEqual({ items: { item2: 3 } })
      expect(await set("item2", -1)).toEqual({ items: {} })
      expect(await raw("EXISTS", `cart:${token}`)).toBe(0)
      await set("a%2Fb:c%20".slice(0, 7), 1_000_000)
      expect((await shop.call("GET /cart", { token })).body).toEqual({ items: { "a/b:c": 1_000_000 } })
      expect((await shop.call("DELETE /cart/items/a%2Fb:c", { token })).status).toBe(204)
      await set("item1", 1)
      expect((await shop.call("DELETE /cart", { token })).status).toBe(204)
      expect(await raw("EXISTS", `cart:${token}`)).toBe(0)
    })

    it("SHOP-9: a logout leaves nothing of the session, however often", async () => {
      await open()
      const [token, other] = [await login(), await login("user2")]
      await view(token, "item1")
      await shop.call("PUT /cart/items/item1", { token, body: { quantity: 2 } })
      expect((await shop.call("DELETE /session", { token })).status).toBe(204)
      expect(await raw("HGETALL", "login:")).toEqual([other, "user2"])
      expect(await raw("ZRANGE", "recent:", 0, -1)).toEqual([other])
      expect(await raw("EXISTS", `viewed:${token}`, `cart:${token}`)).toBe(0)
      expect(await raw("ZSCORE", "viewed:", "item1")).toBe("-1")
      expect((await shop.call("DELETE /session", { token })).status).toBe(204)
      expect((await shop.call("DELETE /session")).status).toBe(401)
      expect((await shop.call("DELETE /session", { token: "not/a/token" })).status).toBe(401)
      expect(await raw("EXISTS", "viewed:")).toBe(1)
    })

    it("SHOP-19 SHOP-20: the cleaner removes the oldest sessions whole, and no popularity", async () => {
      await open("--set", "shop.sessionLimit=1", "--set", "shop.cleanBatch=2")
      const tokens = [await login("a"), await login("b"), await login("c"), await login("d")] as const
      for (const token of tokens) {
        await view(token, "item1")
        await shop.call("PUT /cart/items/item1", { token, body: { quantity: 1 } })
      }
      await view(tokens[0], "item2")
      expect((await shop.admin("POST /jobs/clean/run")).body).toEqual({ removed: 2 })
      expect(await raw("HLEN", "login:")).toBe(2)
      expect((await shop.admin("POST /jobs/clean/run")).body).toEqual({ removed: 1 })
      expect((await shop.admin("POST /jobs/clean/run")).body).toEqual({ removed: 0 })
      expect(await raw("HGETALL", "login:")).toEqual([tokens[0], "a"])
      expect(await raw("ZRANGE", "recent:", 0, -1)).toEqual([tokens[0]])
      for (const token of tokens.slice(1)) expect(await raw("EXISTS", `viewed:${token}`, `cart:${token}`)).toBe(0)
      expect(await raw("EXISTS", `viewed:${tokens[0]}`, `cart:${tokens[0]}`)).toBe(2)
      expect(await raw("ZRANGE", "viewed:", 0, -1, "WITHSCORES")).toEqual(["item1", "-4", "item2", "-1"])
    })

    it("SHOP-19: with a limit of 0 nothing of a session is left", async () => {
      await open("--set", "shop.sessionLimit=0")
      const token = await login()
      await view(token, "item1")
      await shop.call("PUT /cart/items/item1", { token, body: { quantity: 1 } })
      expect((await shop.admin("POST /jobs/clean/run")).body).toEqual({ removed: 1 })
      expect([await raw("HLEN", "login:"), await raw("ZCARD", "recent:")]).toEqual([0, 0])
      expect(await raw("EXISTS", `viewed:${token}`, `cart:${token}`)).toBe(0)
      expect(await raw("ZCARD", "viewed:")).toBe(1)
    })

    it("SHOP-10 SHOP-11 SHOP-12 SHOP-15: a row is copied when it is due, until that is ended", async () => {
      await open()
      const run = async () => (await shop.admin("POST /jobs/rows/run")).body
      await shop.admin("PUT /source/rows/273", { qty: 629, name: "GTab 7inch" })
      expect((await shop.call("GET /inventory/273")).body).toEqual({ qty: 629, name: "GTab 7inch" })
      expect(await raw("EXISTS", "inv:273")).toBe(0)
      expect((await shop.admin("PUT /rows/273/schedule", { delay: 5 })).status).toBe(204)
      expect(await run()).toEqual({ refreshed: 1, removed: 0, failed: 0 })
      expect(JSON.parse((await raw("GET", "inv:273")) as string)).toEqual({ qty: 629, name: "GTab 7inch" })
      expect(near(await raw("ZSCORE", "schedule:", "273"), now() + 5)).toBe(true)
      expect(await raw("ZSCORE", "delay:", "273")).toBe("5")
      expect(await raw("TTL", "inv:273")).toBe(-1)

      await shop.admin("PUT /source/rows/273", { qty: 628, name: "GTab 7inch", tags: ["a", { b: null }], weight: 1.5 })
      expect(await run()).toEqual({ refreshed: 0, removed: 0, failed: 0 })
      expect((await shop.call("GET /inventory/273")).body).toMatchObject({ qty: 629 })
      await raw("ZADD", "schedule:", now() - 1, "273")
      expect(await run()).toEqual({ refreshed: 1, removed: 0, failed: 0 })
      expect((await shop.call("GET /inventory/273")).body).toEqual({
        qty: 628,
        name: "GTab 7inch",
        tags: ["a", { b: null }],
        weight: 1.5,
      })

      expect((await shop.admin("DELETE /rows/273/schedule")).status).toBe(204)
      expect(await run()).toEqual({ refreshed: 0, removed: 1, failed: 0 })
      expect(await raw("EXISTS", "inv:273", "delay:", "schedule:")).toBe(0)
      expect((await shop.call("GET /inventory/273")).body).toMatchObject({ qty: 628 })
      await shop.admin("DELETE /source/rows/273")
      expect((await shop.call("GET /inventory/273")).status).toBe(404)
    })

    it("SHOP-13: a row that the source does not have is dropped", async () => {
      await open()
      await shop.admin("PUT /source/rows/1", { qty: 1 })
      await shop.admin("PUT /rows/1/schedule", { delay: 0.001 })
      await shop.admin("PUT /rows/2/schedule", { delay: 60 })
      expect((await shop.admin("POST /jobs/rows/run")).body).toEqual({ refreshed: 1, removed: 1, failed: 0 })
      expect(await raw("ZRANGE", "delay:", 0, -1)).toEqual(["1"])
      await shop.admin("DELETE /source/rows/1")
      await raw("ZADD", "schedule:", 1, "1")
      expect((await shop.admin("POST /jobs/rows/run")).body).toEqual({ refreshed: 0, removed: 1, failed: 0 })
      expect(await raw("EXISTS", "inv:1", "delay:", "schedule:")).toBe(0)
    })

    it("SHOP-12: a copy that comes late, after the caching was ended, is not stored", async () => {
      await open()
      await shop.admin("PUT /source/rows/7", { qty: 1 })
      await shop.admin("PUT /rows/7/schedule", { delay: 60 })
      await Promise.all([shop.admin("POST /jobs/rows/run"), shop.admin("DELETE /rows/7/schedule")])
      await shop.admin("POST /jobs/rows/run")
      expect(await raw("EXISTS", "inv:7", "delay:", "schedule:")).toBe(0)
    })

    it("SHOP-14: of many refreshers at once, one loads a row", async () => {
      await open()
      const second = await serveForTest(server(), "shop")
      try {
        for (let i = 0; i < 20; i++) {
          await shop.admin(`PUT /source/rows/${i}`, { qty: i })
          await second.admin(`PUT /source/rows/${i}`, { qty: i })
          await shop.admin(`PUT /rows/${i}/schedule`, { delay: 60 })
        }
        const passes = await Promise.all([shop, second, shop, second].map((one) => one.admin("POST /jobs/rows/run")))
        expect(passes.reduce((sum, { body }) => sum + Number(body["refreshed"]), 0)).toBe(20)
      } finally {
        await second.close()
      }
    })

    it("SHOP-16 SHOP-17: pages of items that were viewed are cached, unless they are dynamic", async () => {
      await open()
      const token = await login()
      await view(token, "item1")
      const cacheOf = async (query: string) => (await shop.call(`GET /pages${query}`)).headers.get("x-cache")
      const caches = async () => (await raw("KEYS", "cache:*")) as string[]
      expect(await cacheOf("?item=item1")).toBe("MISS")
      expect(await cacheOf("?item=item1")).toBe("HIT")
      const [key] = await caches()
      expect(key).toMatch(/^cache:[0-9a-f]{64}$/)
      expect(Number(await raw("TTL", key!))).toBeGreaterThan(290)
      expect(Number(await raw("TTL", key!))).toBeLessThanOrEqual(300)
      expect(await cacheOf("?item=item1&_=123")).toBe("BYPASS")
      expect(await cacheOf("")).toBe("BYPASS")
      expect(await cacheOf("?item=never-viewed")).toBe("BYPASS")
      expect(await caches()).toHaveLength(1)
      expect(await cacheOf("?b=2&item=item1&a=1")).toBe("MISS")
      expect(await cacheOf("?a=1&b=2&item=item1")).toBe("HIT")
      const page = await shop.call("GET /pages?item=item1")
      expect(page.headers.get("content-type")).toMatch(/^text\/html/)
      expect(page.body).toContain("item1")
    })

    it("SHOP-C8: two servers share their pages", async () => {
      await open()
      const second = await serveForTest(server(), "shop")
      try {
        await view(await login(), "item1")
        expect((await shop.call("GET /pages?item=item1")).headers.get("x-cache")).toBe("MISS")
        expect((await second.call("GET /pages?item=item1")).headers.get("x-cache")).toBe("HIT")
      } finally {
        await second.close()
      }
    })

    it("SHOP-16: only items above the rank are cached", async () => {
      await open("--set", "shop.cacheableRank=1", "--set", "shop.pageTtl=60")
      const token = await login()
      await view(token, "item1")
      await view(token, "item1")
      await view(token, "item2")
      expect((await shop.call("GET /pages?item=item2")).headers.get("x-cache")).toBe("BYPASS")
      expect((await shop.call("GET /pages?item=item1")).headers.get("x-cache")).toBe("MISS")
      const [key] = (await raw("KEYS", "cache:*")) as string[]
      expect(Number(await raw("TTL", key!))).toBeLessThanOrEqual(60)
    })

    it("SHOP-17: an empty page that was stored is a hit", async () => {
      await open()
      await view(await login(), "item1")
      await shop.call("GET /pages?item=item1")
      const [key] = (await raw("KEYS", "cache:*")) as string[]
      await raw("SET", key!, "", "EX", 100)
      const page = await shop.call("GET /pages?item=item1")
      expect([page.status, page.body, page.headers.get("x-cache")]).toEqual([200, "", "HIT"])
    })

    it("SHOP-17: the content of a row cannot become markup", async () => {
      await open()
      await shop.admin("PUT /source/rows/x", { name: "<script>alert(1)</script>", "\"'": "&" })
      const { body } = await shop.call("GET /pages?item=x")
      expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
      expect(body).not.toContain("<script>")
      expect((await shop.call("GET /pages?item=%3Cb%3E")).body).not.toContain("<b>")
    })

    it("SHOP-21 SHOP-22: the popularity is halved once per interval, or by force", async () => {
      await open()
      await raw("ZADD", "viewed:", -23, "item1", -1, "item2")
      expect((await shop.admin("POST /jobs/rescale/run")).body).toEqual({ rescaled: true, kept: 2 })
      expect(await raw("ZRANGE", "viewed:", 0, -1, "WITHSCORES")).toEqual(["item1", "-11.5", "item2", "-0.5"])
      expect((await shop.admin("POST /jobs/rescale/run", {})).body).toEqual({ rescaled: false, kept: 2 })
      expect((await shop.admin("POST /jobs/rescale/run", { force: true })).body).toEqual({ rescaled: true, kept: 2 })
      expect((await shop.admin("POST /jobs/rescale/run")).body).toEqual({ rescaled: false, kept: 2 })
      expect(await raw("ZSCORE", "viewed:", "item1")).toBe("-5.75")
      expect((await shop.call("GET /popular")).body["items"]).toEqual([
        { item: "item1", views: 5.75 },
        { item: "item2", views: 0.25 },
      ])
    })

    it("SHOP-21: of 20,001 items the least popular goes", async () => {
      await open()
      for (let from = 0; from < 20_001; from += 1000) {
        const members = Array.from({ length: Math.min(1000, 20_001 - from) }, (_, i) => [
          -(from + i + 1),
          `i${from + i + 1}`,
        ])
        await raw("ZADD", "viewed:", ...members.flat())
      }
      expect((await shop.admin("POST /jobs/rescale/run")).body).toEqual({ rescaled: true, kept: 20_000 })
      expect(await raw("ZSCORE", "viewed:", "i1")).toBeNull()
      expect(await raw("ZSCORE", "viewed:", "i2")).toBe("-1")
      expect(await raw("ZRANK", "viewed:", "i20001")).toBe(0)
    })

    it("SHOP-2: customers log in with their passwords, and nobody else", async () => {
      shop = await serveForTest(server(), "shop")
      const tries = async (body: object) => (await shop.call("POST /login", { body })).status
      expect(await tries({ user: "ann", password: "secret-of-ann" })).toBe(401)
      expect((await shop.admin("PUT /source/customers/ann", { password: "secret-of-ann" })).status).toBe(204)
      expect(await tries({ user: "ann" })).toBe(401)
      for (const password of ["wrong", "", "x".repeat(5000)])
        expect([password.length, await tries({ user: "ann", password })]).toEqual([password.length, 401])
      expect(await tries({ user: "bob", password: "secret-of-ann" })).toBe(401)
      expect(await tries({ user: "ann", password: "secret-of-ann" })).toBe(201)
      await shop.admin("PUT /source/customers/ann", { password: "another" })
      expect(await tries({ user: "ann", password: "secret-of-ann" })).toBe(401)
      expect(await tries({ user: "ann", password: "another" })).toBe(201)
      expect(await raw("HLEN", "login:")).toBe(1)
    })

    it("SHOP-24: metrics say how many sessions, carts and due rows there are, and how pages were answered", async () => {
      await open()
      const token = await login()
      await view(token, "item1")
      await shop.call("PUT /cart/items/item1", { token, body: { quantity: 1 } })
      await shop.admin("PUT /rows/1/schedule", { delay: 5 })
      for (let i = 0; i < 3; i++) await shop.call("GET /pages?item=item1")
      const text = await (await fetch(`${shop.url}/metrics`)).text()
      for (const line of [
        "shop_sessions 1",
        "shop_carts 1",
        "shop_due_rows 1",
        'shop_pages_total{cache="hit"} 2',
        'shop_pages_total{cache="miss"} 1',
      ])
        expect(text.split("\n")).toContain(line)
      expect(text).toContain('http_requests_total{system="shop",method="POST",route="/views",status="204"} 1')
      expect(text).not.toContain(token)
    })

    it("ALL-2: every key is declared, with its type and TTL", async () => {
      await open("--set", "shop.sessionLimit=2")
      for (const user of ["a", "b", "c"]) {
        const token = await login(user)
        for (let i = 0; i < 30; i++) await view(token, `item${i}`)
        await shop.call("PUT /cart/items/item1", { token, body: { quantity: 1 } })
      }
      await shop.admin("PUT /source/rows/a*{b}", { qty: 1 })
      await shop.admin("PUT /rows/a*%7Bb%7D/schedule", { delay: 60 })
      await shop.call("GET /pages?item=item1")
      for (const job of ["clean", "rows", "rescale"]) await shop.admin(`POST /jobs/${job}/run`)
      expect(await misfits(raw, schema.keys)).toEqual([])
      const patterns = Object.keys(await dump(raw)).map((key) => key.split(":")[0])
      expect(new Set(patterns)).toEqual(
        new Set(["login", "recent", "viewed", "cart", "inv", "delay", "schedule", "cache", "keywright"]),
      )
      await raw("SET", "something:else", 1)
      await raw("EXPIRE", "login:", 100)
      expect(await misfits(raw, schema.keys)).toHaveLength(2)
    })
  },
  onShards,
)
