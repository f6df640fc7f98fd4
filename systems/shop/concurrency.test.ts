/* Many requests at once, to two servers over one Redis, and what they cost. */

import { afterEach, beforeEach, expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { commandsDuring, roundTrips } from "../platform/testing/stored.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onShards } from "./shards.cases.ts"
import { times } from "../platform/testing/times.ts"

onAnyServerAndInFullOnCluster(
  "the shop under concurrent requests",
  (server) => {
    let both: readonly [Served, Served]
    beforeEach(async () => {
      const open = () =>
        serveForTest(server(), "shop", "--patient", "--set", "shop.openLogin=true", "--set", "shop.sessionLimit=20")
      both = [await open(), await open()]
    })
    afterEach(() => Promise.all(both.map((one) => one.close())))
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const login = async (i: number) =>
      (await both[i % 2]!.call("POST /login", { body: { user: `u${i}` } })).body["token"] as string
    it("SHOP-3: no view is lost, and no session keeps more than 25", async () => {
      const tokens = await times(4, login)
      await times(400, (i) =>
        both[i % 2]!.call("POST /views", { token: tokens[i % 4]!, body: { item: `item${i % 40}` } }),
      )
      const scores = ((await raw("ZRANGE", "viewed:", 0, -1, "WITHSCORES")) as string[]).filter((_, i) => i % 2 === 1)
      expect(scores.reduce((sum, score) => sum - Number(score), 0)).toBe(400)
      for (const token of tokens) expect(await raw("ZCARD", `viewed:${token}`)).toBeLessThanOrEqual(25)
    })

    it("SHOP-19: cleaners and visitors at once leave whole sessions or none", async () => {
      const tokens = await times(60, login)
      await Promise.all([
        ...tokens.map((token, i) => both[i % 2]!.call("POST /views", { token, body: { item: `i${i}` } })),
        ...tokens.map((token, i) => both[i % 2]!.call("PUT /cart/items/a", { token, body: { quantity: 1 } })),
        ...Array.from({ length: 6 }, (_, i) => both[i % 2]!.admin("POST /jobs/clean/run")),
      ])
      await both[0].admin("POST /jobs/clean/run")
      const live = new Set((await raw("HKEYS", "login:")) as string[])
      expect(live.size).toBe(20)
      expect(new Set((await raw("ZRANGE", "recent:", 0, -1)) as string[])).toEqual(live)
      for (const token of tokens.filter((token) => !live.has(token)))
        expect(await raw("EXISTS", `viewed:${token}`, `cart:${token}`)).toBe(0)
    })

    it("SHOP-19: a pass above the limit removes a session, also when the one it chose is touched meanwhile", async () => {
      // A pass asks all shards.
      const passes = isFull && server().cluster === undefined ? 1000 : 100
      await times(20, login)
      let removing = 0
      for (let pass = 0; pass < passes; pass++) {
        await login(pass)
        const oldest = (await raw("ZRANGE", "recent:", 0, 2)) as string[]
        const touches = oldest.map((token) => both[1].call("POST /views", { token, body: { item: "a" } }))
        const { body } = await both[0].admin("POST /jobs/clean/run")
        await Promise.all(touches)
        if (body["removed"] === 1) removing++
      }
      expect(removing).toBe(passes)
      expect(await raw("ZCARD", "recent:")).toBe(20)
    })

    it("SHOP-22: of many rescalers at once, one does it", async () => {
      await raw("ZADD", "viewed:", -8, "a")
      const done = await times(10, (i) => both[i % 2]!.admin("POST /jobs/rescale/run"))
      expect(done.filter(({ body }) => body["rescaled"] === true)).toHaveLength(1)
      expect(await raw("ZSCORE", "viewed:", "a")).toBe("-4")
    })

    it("SHOP-18: many misses at once leave one page with its whole TTL", async () => {
      const token = await login(0)
      await both[0].call("POST /views", { token, body: { item: "a" } })
      await raw("EXISTS", "viewed:") // With shards, only what was drained is popular.
      const pages = await times(30, (i) => both[i % 2]!.call("GET /pages?item=a"))
      expect(new Set(pages.map(({ body }) => body)).size).toBe(1)
      const [key, ...more] = (await raw("KEYS", "cache:*")) as string[]
      expect(more).toEqual([])
      expect(Number(await raw("TTL", key!))).toBeGreaterThan(295)
    })
  },
  onShards,
)

onRealServer("the order of the shop's writes", (server) => {
  it("SHOP-3: a view writes login: before recent:, then what was viewed", async () => {
    const shop = await serveForTest(server(), "shop", "--patient", "--set", "shop.openLogin=true")
    try {
      const token = (await shop.call("POST /login", { body: { user: "a" } })).body["token"] as string
      const sent = await commandsDuring(server(), () => shop.call("POST /views", { token, body: { item: "item1" } }))
      const writes = sent.filter(([name = ""]) => /^(HSET|ZADD|ZREMRANGEBYRANK|ZINCRBY)$/i.test(name))
      expect(writes.map(([name, key]) => `${name!.toUpperCase()} ${key}`)).toEqual([
        "HSET login:",
        "ZADD recent:",
        `ZADD viewed:${token}`,
        `ZREMRANGEBYRANK viewed:${token}`,
        "ZINCRBY viewed:",
      ])
    } finally {
      await shop.close()
    }
  })
})

onRealServer("what a request to the shop costs", (server) => {
  it("one round trip for a view, and for whatever else is one step", async () => {
    const shop = await serveForTest(server(), "shop", "--patient", "--set", "shop.openLogin=true")
    const token = (await shop.call("POST /login", { body: { user: "a" } })).body["token"] as string
    const cost = async (request: string, body?: unknown) => {
      const call = () => shop.call(request, { token, body })
      await call() // The first one sends the script itself.
      return roundTrips(server().raw, call)
    }
    try {
      expect(await cost("POST /views", { item: "item1" })).toBe(1)
      expect(await cost("GET /session")).toBe(1)
      expect(await cost("GET /cart")).toBe(1)
      expect(await cost("GET /session/viewed")).toBe(1)
      expect(await cost("PUT /cart/items/a", { quantity: 1 })).toBe(2)
      expect(await cost("POST /login", { user: "b" })).toBe(1)
      expect(await cost("GET /pages?item=item1")).toBe(2)
      expect(await cost("GET /popular")).toBe(1)
    } finally {
      await shop.close()
    }
  })
})
