/* The shop on a cluster, with sessions and rows in shards: what only shards have, looked at by plain commands. */

import { clusterAtomicity, connect, type Keyspace } from "keywright"
import { audit, copyKeys } from "keywright/operate"
import { afterEach, describe, expect, it } from "vitest"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { shopSchema } from "./schema.ts"
import { onShards, shardedShop, SHARDS } from "./shards.cases.ts"

describe("the schema of the shop", () => {
  it("is in one slot where it has to be, with shards or a tag, and keeps the document's names without", () => {
    for (const shards of [1, 16, 1024, 16_384])
      expect(clusterAtomicity(shopSchema({ shards })).filter(({ atomic }) => !atomic)).toEqual([])
    const plain = shopSchema().keys.map(({ pattern }) => pattern)
    expect(plain.filter((pattern) => !pattern.startsWith("keywright:"))).toEqual([
      "login:",
      "recent:",
      "viewed:{token}",
      "cart:{token}",
      "viewed:",
      "inv:{row}",
      "delay:",
      "schedule:",
      "cache:{hash}",
    ])
  })
})

onRealServer("the shop on one server", (server) => {
  it("is not started without shards where its data have some", async () => {
    await (await serveForTest(server(), "shop", "--set", "shop.shards=4")).close()
    await expect(serveForTest(server(), "shop")).rejects.toThrow("shop.shards is 0, but this data was written with 4")
  })

  it("ALL-11 SHOP-14: a row in the schedule of another shard does not keep the job busy for ever", async () => {
    const shop = await serveForTest(server(), "shop", "--set", "shop.shards=4")
    await shop.admin("PUT /rows/a/schedule", { delay: 5 })
    const [home = ""] = (await server().raw("KEYS", "*:schedule:")) as string[]
    const tags = shopSchema({ shards: 4 }).keys.find(({ name }) => name === "stock.schedule")!.params["shard"]!.shard!
      .tags
    for (const tag of tags) await server().raw("ZADD", `{${tag}}:schedule:`, 1, "a")
    expect((await shop.admin("POST /jobs/rows/run")).body).toEqual({ refreshed: 0, removed: 1, failed: 3 })
    expect(await server().raw("EXISTS", home)).toBe(0)
    await shop.close()
  })

  it("ALL-11 SHOP-19: tokens in the shards of others do not keep the cleaner from the sessions above the limit", async () => {
    const settings = ["shards=4", "openLogin=true", "sessionLimit=3", "cleanBatch=3"]
    const holders = async (places: readonly string[], token: string) => {
      const scores = await Promise.all(places.map((place) => server().raw("ZSCORE", place, token)))
      return places.filter((_, i) => scores[i] !== null)
    }
    const shop = await serveForTest(server(), "shop", ...settings.flatMap((one) => ["--set", `shop.${one}`]))
    const tokens: string[] = []
    for (let i = 0; i < 8; i++)
      tokens.push((await shop.call("POST /login", { body: { user: `u${i}` } })).body["token"] as string)
    const places = (await server().raw("KEYS", "*:recent:")) as string[]
    // A copy of each where it does not belong, older than all of them.
    const homes = await Promise.all(tokens.map((token) => holders(places, token)))
    for (const [i, token] of tokens.entries())
      for (const place of places) if (!homes[i]!.includes(place)) await server().raw("ZADD", place, 1, token)
    const removed: number[] = []
    for (let i = 0; i < 3; i++) removed.push((await shop.admin("POST /jobs/clean/run")).body["removed"])
    expect(removed).toEqual([3, 2, 0])
    const left = await Promise.all(tokens.map((token) => shop.call("GET /session", { token })))
    expect(left.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 200, 200, 200])
    await shop.close()
  })
})

onCluster(
  "the shop",
  (server) => {
    const open: Served[] = []
    const serve = async (...args: string[]) => {
      const one = await serveForTest(server(), "shop", "--patient", "--set", "shop.openLogin=true", ...args)
      open.push(one)
      return one
    }
    afterEach(async () => {
      for (const one of open.splice(0)) await one.close()
      const db = await connect(shardedShop, server().redis!)
      expect((await audit(shardedShop as Keyspace, db.$driver())).summary).toEqual({})
      await db.$close()
    })
    const login = async (shop: Served, user = "u") =>
      (await shop.call("POST /login", { body: { user } })).body["token"] as string
    const popular = async (shop: Served, query = "") =>
      (await shop.call(`GET /popular${query}`)).body["items"] as { item: string; views: number }[]
    /** Past what adds the placement: the keys as they are. */
    const own = async (...words: string[]) => {
      const db = await connect(shardedShop, server().redis!)
      const reply = await db.$driver().send(words)
      await db.$close()
      return reply
    }

    it("is not started with another number of shards than its data have", async () => {
      await (await serveForTest(server(), "shop")).close()
      await expect(serveForTest(server(), "shop", "--set", "shop.shards=7")).rejects.toThrow(
        `shop.shards is 7, but this data was written with ${SHARDS}: the number cannot be changed`,
      )
    })

    it("does not share a cluster with another system", async () => {
      await (await serveForTest(server(), "shop")).close()
      await expect(serveForTest({ ...server(), settings: { tag: "main" } }, "restaurant")).rejects.toThrow(
        /the cluster has keys of shop .* Choose another cluster, or add --force/,
      )
    })

    it("SHOP-6: /popular counts every view at once and once, before, while and after it is drained", async () => {
      const [shop, second] = [await serve(), await serve()]
      const tokens = await Promise.all(Array.from({ length: 8 }, () => login(shop)))
      for (let i = 1; i <= 24; i++) {
        await shop.call("POST /views", { token: tokens[i % 8]!, body: { item: i % 3 === 0 ? "b" : "a" } })
        const [drained] = await Promise.all([second.admin("POST /jobs/drain/run"), i % 2 === 0 ? popular(shop) : []])
        expect(drained.status).toBe(200)
        const views = Math.floor(i / 3)
        const expected = [{ item: "a", views: i - views }, ...(views > 0 ? [{ item: "b", views }] : [])]
        expect(await popular(second)).toEqual(expected)
        expect(await popular(shop, "?offset=1")).toEqual(expected.slice(1))
      }
      expect(await own("ZRANGE", "viewed:", "0", "-1", "WITHSCORES")).toEqual(["a", "-16", "b", "-8"])
      await shop.call("POST /views", { token: tokens[0]!, body: { item: "b" } })
      expect(await own("ZSCORE", "viewed:", "b")).toBe("-8")
      expect(await popular(shop)).toEqual([
        { item: "a", views: 16 },
        { item: "b", views: 9 },
      ])
    })

    it("continues what a single server had, after keywright copy", async () => {
      const plain = shopSchema()
      const from = await connect(plain, "memory:")
      const tokens = ["a", "b", "c"].map((name) => `token-${name}`)
      for (const [i, token] of tokens.entries()) {
        await from.$steps.begin({ token, session: token, user: `user ${i}`, now: i + 1 })
        await from.$steps.setInCart({ token, session: token, item: "item1", quantity: i + 1, most: 10 })
        await from.$steps.view({ token, session: token, item: "item1", now: i + 1, keep: 25, most: 1000, stay: 100 })
        await from.$steps.scheduleRow({ row: String(i), id: String(i), delay: 60, now: i })
      }
      const target = await connect(shardedShop, server().redis!)
      const copied = await copyKeys(plain as Keyspace, from.$driver(), target.$driver(), {
        to: shardedShop as Keyspace,
      })
      expect(copied).toMatchObject({ verified: true, foreign: 0 })
      await Promise.all([from.$close(), target.$close()])
      const shop = await serve()
      for (const [i, token] of tokens.entries()) {
        expect((await shop.call("GET /session", { token })).body).toEqual({ user: `user ${i}` })
        expect((await shop.call("GET /cart", { token })).body).toEqual({ items: { item1: i + 1 } })
      }
      await shop.call("POST /views", { token: tokens[0]!, body: { item: "item1" } })
      expect(await popular(shop)).toEqual([{ item: "item1", views: 4 }])
      expect((await shop.admin("POST /jobs/rows/run")).body).toEqual({ refreshed: 0, removed: 3, failed: 0 })
    })

    it("drains by itself, every second", async () => {
      const shop = await serve("--set", "shop.jobs=true")
      const token = await login(shop)
      await shop.call("POST /views", { token, body: { item: "a" } })
      await expect.poll(() => own("ZSCORE", "viewed:", "a")).toBe("-1")
    })

    it("bounds how many items have a popularity, also when a pass dies before that, or one shard fails", async () => {
      const shop = await serve("--set", "shop.popularKept=5")
      const tokens = await Promise.all(Array.from({ length: 8 }, () => login(shop)))
      const invent = () =>
        own("ZADD", "viewed:", "-9", "popular", ...Array.from({ length: 999 }, (_, i) => ["-1", `invented${i}`]).flat())
      const view = () => Promise.all(tokens.map((token) => shop.call("POST /views", { token, body: { item: "seen" } })))
      const left = async () => [await own("ZCARD", "viewed:"), await own("ZRANGE", "viewed:", "0", "0")]
      await invent()
      await view()
      await shop.admin("POST /jobs/drain/run")
      expect(await left()).toEqual([5, ["popular"]])

      await invent()
      await view()
      const db = await connect(shardedShop, server().redis!)
      await db.$drains.views.run()
      expect(await own("ZCARD", "viewed:")).toBeGreaterThan(1000)
      expect((await shop.admin("POST /jobs/drain/run")).body).toEqual({ batches: 0 })
      expect(await left()).toEqual([5, ["seen"]])

      await invent()
      await view()
      const broken = db.session({ token: tokens[0]! }).views().key
      await db.$close()
      await own("SET", broken, "not a sorted set")
      expect((await shop.admin("POST /jobs/drain/run")).status).toBe(500)
      expect(await left()).toEqual([5, ["seen"]])
      await own("DEL", broken)
    })

    it("SHOP-19: of all shards, the cleaner removes exactly the oldest sessions", async () => {
      const shop = await serve("--set", "shop.sessionLimit=30", "--set", "shop.cleanBatch=7")
      const tokens: string[] = []
      for (let i = 0; i < 50; i++) tokens.push(await login(shop, `u${i}`))
      const touched = [0, 3, 10, 11].map((i) => tokens[i]!)
      for (const token of touched) await shop.call("POST /views", { token, body: { item: "a" } })
      const removed: number[] = []
      for (;;) {
        const { body } = await shop.admin("POST /jobs/clean/run")
        if (body["removed"] === 0) break
        removed.push(body["removed"])
      }
      expect(removed).toEqual([7, 7, 6])
      const left = new Set((await server().raw("HKEYS", "login:")) as string[])
      const untouched = tokens.filter((token) => !touched.includes(token))
      expect(left).toEqual(new Set([...touched, ...untouched.slice(20)]))
      expect(new Set((await server().raw("ZRANGE", "recent:", 0, -1)) as string[])).toEqual(left)
    })

    it("SHOP-19: a session that is touched between choosing and removing stays", async () => {
      const [shop, second] = [await serve("--set", "shop.sessionLimit=5"), await serve()]
      const tokens = await Promise.all(Array.from({ length: 40 }, () => login(shop)))
      const answers = await Promise.all([
        ...tokens.slice(0, 10).map((token) => second.call("POST /views", { token, body: { item: "a" } })),
        ...Array.from({ length: 4 }, () => shop.admin("POST /jobs/clean/run")),
      ])
      const counted = answers.slice(0, 10).filter(({ status }) => status === 204).length
      expect(await popular(shop)).toEqual(counted === 0 ? [] : [{ item: "a", views: counted }])
      while ((await shop.admin("POST /jobs/clean/run")).body["removed"] > 0) continue
      expect((await server().raw("HKEYS", "login:")) as string[]).toHaveLength(5)
    })

    it("SHOP-21: what is halved is what was drained, and an item that is viewed meanwhile loses nothing", async () => {
      const shop = await serve()
      const token = await login(shop)
      for (let i = 0; i < 4; i++) await shop.call("POST /views", { token, body: { item: "a" } })
      await shop.admin("POST /jobs/drain/run")
      await shop.call("POST /views", { token, body: { item: "a" } })
      expect((await shop.admin("POST /jobs/rescale/run")).body).toEqual({ rescaled: true, kept: 1 })
      expect(await popular(shop)).toEqual([{ item: "a", views: 3 }])
      await shop.admin("POST /jobs/drain/run")
      expect(await own("ZSCORE", "viewed:", "a")).toBe("-3")
    })

    it("SHOP-2: wrong passwords are counted, though accounts and addresses are in different slots", async () => {
      const shop = await serveForTest(server(), "shop", "--patient", "--set", "shop.failuresPerAccount=3")
      open.push(shop)
      await shop.admin("PUT /source/customers/ann", { password: "secret-of-ann" })
      const attempt = async (password: string) =>
        (await shop.call("POST /login", { body: { user: "ann", password } })).status
      for (let i = 0; i < 3; i++) expect(await attempt("wrong")).toBe(401)
      expect(await attempt("secret-of-ann")).toBe(429)
    })

    it("spreads sessions over all nodes, and no request works in more than the slots of one shard", async () => {
      const shop = await serve()
      await Promise.all(
        Array.from({ length: 60 }, async () => {
          const token = await login(shop)
          await shop.call("PUT /cart/items/a", { token, body: { quantity: 1 } })
        }),
      )
      const db = await connect(shardedShop, server().redis!)
      const sizes = await Promise.all((await db.$driver().primaries()).map((node) => node.send(["DBSIZE"])))
      await db.$close()
      expect(sizes).toHaveLength(3)
      for (const size of sizes) expect(Number(size)).toBeGreaterThan(10)
      expect(SHARDS).toBeGreaterThan(3)
    })
  },
  onShards,
)
