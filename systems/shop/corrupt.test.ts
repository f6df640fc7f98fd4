/* What other programs left in the shop's keys: it is skipped where it is one of many, and
 * named where it is not; no job stops because of it. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { dump } from "../platform/testing/stored.ts"
import { onAnyServerAndCluster } from "../platform/testing/cluster-server.ts"

onAnyServerAndCluster("corrupt keys of the shop", (server) => {
  let shop: Served
  const raw = (...command: (string | number)[]) => server().raw(...command)
  const open = async (...args: string[]) =>
    (shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true", ...args))
  const login = async (user = "user1") => (await shop.call("POST /login", { body: { user } })).body["token"] as string
  afterEach(() => shop?.close())

  it("ALL-11: a corrupt element is skipped and reported; a corrupt value is an error that names its key only", async () => {
    await open()
    const token = await login()
    await shop.call("PUT /cart/items/item1", { token, body: { quantity: 1 } })
    await raw("HSET", `cart:${token}`, "item2", "canary-value")
    await raw("ZADD", `viewed:${token}`, 1, "with space", 2, "fine")
    expect((await shop.call("GET /cart", { token })).body).toEqual({ items: { item1: 1 } })
    expect((await shop.call("GET /session/viewed", { token })).body).toEqual({ items: [{ item: "fine", at: 2 }] })
    await raw("SET", "inv:9", "canary-value")
    const { status, body } = await shop.call("GET /inventory/9")
    expect(status).toBe(500)
    expect(body).toMatchObject({ error: "undecodable_value", details: { key: "inv:9" } })
    await raw("DEL", "recent:")
    await raw("SET", "recent:", "canary-value")
    expect((await shop.call("POST /login", { body: { user: "a" } })).body).toMatchObject({ error: "wrong_type" })
    expect(JSON.stringify(body)).not.toContain("canary")
    expect(shop.logged()).toContain("corrupt element")
    expect(shop.logged()).toContain("inv:9")
    expect(shop.logged()).not.toContain("canary")
    expect(shop.logged()).not.toContain(token)
  })

  it("ALL-11: a quantity that is not one and an infinite score are corrupt too", async () => {
    await open()
    const token = await login()
    await raw("HSET", `cart:${token}`, "fine", 2, "none", 0, "fewer", -4)
    await raw("ZADD", `viewed:${token}`, 2, "fine", "inf", "never")
    await raw("ZADD", "viewed:", -2, "fine", "-inf", "always", 3, "fewer")
    expect((await shop.call("GET /cart", { token })).body).toEqual({ items: { fine: 2 } })
    expect((await shop.call("GET /session/viewed", { token })).body).toEqual({ items: [{ item: "fine", at: 2 }] })
    expect((await shop.call("GET /popular")).body).toEqual({ items: [{ item: "fine", views: 2 }] })
    expect(shop.logged()).toContain("corrupt element")
  })

  it("ALL-11 SHOP-19 SHOP-C2: the cleaner passes over what is not a token, and the popularity stays", async () => {
    await open("--set", "shop.sessionLimit=2", "--set", "shop.cleanBatch=2")
    await raw("ZADD", "viewed:", -5, "item1")
    await raw("ZADD", "recent:", 0, "", 1, "with space", 2, "a:b")
    await raw("HSET", "login:", "", "nobody")
    const tokens = [await login("a"), await login("b"), await login("c"), await login("d")] as const
    await shop.call("PUT /cart/items/item1", { token: tokens[0], body: { quantity: 1 } })
    expect((await shop.admin("POST /jobs/clean/run")).body).toEqual({ removed: 2 })
    expect((await shop.admin("POST /jobs/clean/run")).body).toEqual({ removed: 0 })
    expect(await raw("ZRANGE", "recent:", 0, -1)).toEqual(["", "with space", "a:b", tokens[2], tokens[3]])
    expect(await raw("EXISTS", `cart:${tokens[0]}`)).toBe(0)
    expect(await raw("ZSCORE", "viewed:", "item1")).toBe("-5")
    expect(shop.logged().match(/corrupt element/g)).toHaveLength(1)
  })

  it("ALL-11 SHOP-12: rows behind what is not a row id are refreshed, and that is counted as failed", async () => {
    await open()
    await shop.admin("PUT /source/rows/1", { qty: 1 })
    const others = Array.from({ length: 60 }, (_, i) => [i, `no row ${i}`]).flat()
    await raw("ZADD", "schedule:", ...others)
    await shop.admin("PUT /rows/1/schedule", { delay: 60 })
    expect((await shop.admin("POST /jobs/rows/run")).body).toEqual({ refreshed: 1, removed: 0, failed: 60 })
    expect(await raw("GET", "inv:1")).toBe('{"qty":1}')
  })

  it("ALL-5: nothing is written when one of the keys of a step is of another type", async () => {
    await open()
    const token = await login()
    const steps: readonly (readonly [request: string, body: unknown, keys: readonly string[]])[] = [
      ["POST /login", { user: "a" }, ["login:", "recent:"]],
      ["POST /views", { item: "item1" }, ["login:", "recent:", `viewed:${token}`, "viewed:"]],
      ["DELETE /session", undefined, ["login:", "recent:"]],
      ["PUT /rows/1/schedule", { delay: 5 }, ["delay:", "schedule:"]],
    ]
    for (const [request, body, keys] of steps) {
      for (const key of keys) {
        await raw("RENAME", key, "aside").catch(() => undefined)
        await raw("SET", key, "text")
        const before = await dump(raw)
        const isAdmin = request.includes("/rows/")
        const answer = isAdmin ? await shop.admin(request, body) : await shop.call(request, { token, body })
        expect([request, key, answer.status, answer.body["error"]]).toEqual([request, key, 500, "wrong_type"])
        expect(await dump(raw)).toEqual(before)
        await raw("DEL", key)
        await raw("RENAME", "aside", key).catch(() => undefined)
      }
    }
  })

  it("SHOP-15: a text that a column cannot keep comes back as it was", async () => {
    await open()
    const row = { qty: 1, name: "half a pair: \\ud800", description: "NUL: \\u0000" }
    await shop.admin("PUT /source/rows/1", JSON.stringify(row).replaceAll("\\\\", "\\"))
    const { body } = await shop.call("GET /inventory/1")
    expect(body).toEqual({ qty: 1, name: "half a pair: \ud800", description: "NUL: \u0000" })
  })
})
