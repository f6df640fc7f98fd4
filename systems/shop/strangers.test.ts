/* What somebody may do to the shop who is not a customer, or not yet. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { allKeys, misfits } from "../platform/testing/stored.ts"
import { rawRequest } from "../platform/testing/raw-http.ts"
import { shop as schema } from "./schema.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onShards } from "./shards.cases.ts"

onAnyServerAndInFullOnCluster(
  "strangers in the shop",
  (server) => {
    let shop: Served
    afterEach(() => shop.close())
    const pagesStored = async () => (await allKeys(server().raw)).filter((key) => key.startsWith("cache:")).length
    /** Counted at once, also in shards. */
    const view = async (token: string, item: string) => {
      await shop.call("POST /views", { token, body: { item } })
      if (server().settings?.["shards"] !== undefined) await shop.admin("POST /jobs/drain/run")
    }

    it("store only a limited number of addresses of a page, and are served all the same", async () => {
      shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true", "--set", "shop.pageVariants=5")
      const { token } = (await shop.call("POST /login", { body: { user: "ann" } })).body as { token: string }
      for (const item of ["a", "b"]) await view(token, item)
      const cached = async (path: string, headers = {}) =>
        (await shop.call(`GET ${path}`, { headers })).headers.get("x-cache")
      expect(await cached("/pages?item=a")).toBe("MISS")
      for (let i = 0; i < 20; i++) await cached(`/pages?item=a&x=${i}`)
      for (let i = 0; i < 20; i++) {
        const { status } = await rawRequest(shop.url, "GET /pages?item=a", { host: `h${i}.example` })
        expect(status).toBe(200)
      }
      expect(await pagesStored()).toBe(11)
      expect([await cached("/pages?item=a"), await cached("/pages?item=a&x=0")]).toEqual(["HIT", "HIT"])
      expect(await cached("/pages?item=a&x=new")).toBe("BYPASS")
      for (let i = 0; i < 20; i++) await cached(`/pages?item=b&x=${i}`)
      expect([await cached("/pages?item=b"), await cached("/pages?item=b")]).toEqual(["MISS", "HIT"])
      expect(await misfits(server().raw, schema.keys)).toEqual([])
    })

    it("do not keep a page out of the cache by asking for it under invented hosts", async () => {
      shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true", "--set", "shop.pageVariants=5")
      const { token } = (await shop.call("POST /login", { body: { user: "ann" } })).body as { token: string }
      await view(token, "a")
      for (let i = 0; i < 10; i++) await rawRequest(shop.url, "GET /pages?item=a", { host: `h${i}.example` })
      const cached = async (path: string) => (await shop.call(`GET ${path}`)).headers.get("x-cache")
      expect([await cached("/pages?item=a"), await cached("/pages?item=a")]).toEqual(["MISS", "HIT"])
      for (let i = 10; i < 50; i++) await rawRequest(shop.url, "GET /pages?item=a", { host: `h${i}.example` })
      expect(await cached("/pages?item=a")).toBe("HIT")
      expect(await cached("/pages?item=a&x=1")).toBe("BYPASS")
      expect(await pagesStored()).toBe(11)
    })

    it("put only a limited number of items into a cart, and see the whole of it", async () => {
      shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true", "--set", "shop.cartItems=3")
      const { token } = (await shop.call("POST /login", { body: { user: "ann" } })).body as { token: string }
      const put = async (item: string, quantity = 1) =>
        (await shop.call(`PUT /cart/items/${item}`, { token, body: { quantity } })).status
      expect([await put("a"), await put("b"), await put("c"), await put("d"), await put("a", 7)]).toEqual([
        200, 200, 200, 409, 200,
      ])
      expect([await put("b", 0), await put("d")]).toEqual([200, 200])
      expect(await server().raw("HKEYS", `cart:${token}`)).toEqual(["a", "c", "d"])
    })

    it("invent only a limited number of items to look at", async () => {
      shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true", "--set", "shop.popularKept=5")
      const { token } = (await shop.call("POST /login", { body: { user: "ann" } })).body as { token: string }
      const many = Array.from({ length: 999 }, (_, i) => ["-1", `invented${i}`]).flat()
      await server().raw("ZADD", "viewed:", "-9", "popular", ...many)
      await view(token, "one-more")
      expect(await server().raw("ZCARD", "viewed:")).toBe(5)
      expect(await server().raw("ZRANGE", "viewed:", "0", "0")).toEqual(["popular"])
    })

    it("guess passwords only so often, however they are called", async () => {
      shop = await serveForTest(server(), "shop", "--set", "shop.failuresPerAccount=4")
      await shop.admin("PUT /source/customers/ann", { password: "the right one" })
      const login = async (user: string, password?: string) =>
        (await shop.call("POST /login", { body: { user, ...(password !== undefined && { password }) } })).status
      const tried = [
        await login("ann", "x"),
        await login("ann", ""),
        await login("ann"),
        await login("ann", "y"),
        await login("ann", "z"),
      ]
      expect(tried).toEqual([401, 401, 401, 401, 429])
      expect(await login("ann", "the right one")).toBe(429)
      expect(await login("bob", "x")).toBe(401)
      expect(await misfits(server().raw, schema.keys)).toEqual([])
    })

    it("who have stolen a session are out when the customer has another password", async () => {
      shop = await serveForTest(server(), "shop")
      const put = async (user: string, password: string) =>
        expect((await shop.admin(`PUT /source/customers/${user}`, { password })).status).toBe(204)
      const login = async (user: string, password: string) =>
        ((await shop.call("POST /login", { body: { user, password } })).body as { token?: string }).token ?? ""
      const session = async (token: string) => (await shop.call("GET /session", { token })).status
      for (const user of ["ann", "bob"]) await put(user, "the first one")
      const [stolen, own, other] = [
        await login("ann", "the first one"),
        await login("ann", "the first one"),
        await login("bob", "the first one"),
      ]
      await shop.call("PUT /cart/items/a", { token: stolen, body: { quantity: 1 } })
      await put("ann", "the first one")
      expect([await session(stolen), await session(own)]).toEqual([200, 200])
      const [, ...meanwhile] = await Promise.all([
        put("ann", "the second one"),
        ...Array.from({ length: 6 }, () => login("ann", "the first one")),
      ])
      for (const token of [stolen, own, ...meanwhile]) expect(await session(token)).toBe(401)
      expect(await session(other)).toBe(200)
      expect([await login("ann", "the first one"), await session(await login("ann", "the second one"))]).toEqual([
        "",
        200,
      ])
      expect((await allKeys(server().raw)).filter((key) => key.includes("cart:"))).toEqual([])
      expect(await misfits(server().raw, schema.keys)).toEqual([])
    })

    it("get a session cookie that crosses no network unencrypted", async () => {
      shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true")
      const cookie = async (host: string) =>
        /set-cookie: ([^\r]*)/i.exec((await rawRequest(shop.url, "POST /login", { host }, '{"user":"ann"}')).head)![1]!
      expect(await cookie("127.0.0.1:3000")).toMatch(/^session=[\w-]+; HttpOnly; Path=\/; SameSite=Lax$/)
      expect(await cookie("localhost")).not.toContain("Secure")
      expect(await cookie("[::1]:80")).not.toContain("Secure")
      for (const host of ["shop.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1:3000"])
        expect(await cookie(host)).toMatch(/^session=[\w-]+; HttpOnly; Path=\/; SameSite=Lax; Secure$/)
    })
  },
  onShards,
)

it("wrong admin tokens are tried only so often from one address; the right one is not listened to then", async () => {
  const shop = await serveForTest({ redis: undefined, engine: undefined }, "shop")
  const tried: number[] = []
  for (let i = 0; i < 310; i++)
    tried.push((await rawRequest(shop.url, "POST /jobs/clean/run", { authorization: `Bearer guess-${i}` })).status)
  expect(tried.filter((status) => status === 401)).toHaveLength(300)
  expect(tried.filter((status) => status === 429)).toHaveLength(10)
  expect((await shop.admin("POST /jobs/clean/run")).status).toBe(429)
  await shop.close()
})
