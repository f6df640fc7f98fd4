/* Redis that dies, hangs and comes back; a source that does; what is said in the log. */

import { afterEach, describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres } from "../../test/real-postgres.ts"
import { send, serveForTest, type Served } from "../platform/testing/serve.ts"
import { onRealServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { until } from "../../test/until.ts"
import { onShards } from "./shards.cases.ts"

onRealServerAndInFullOnCluster(
  "the shop, when Redis is away",
  (server) => {
    let shop: Served
    afterEach(() => shop?.close())
    const open = async (...args: string[]) =>
      (shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true", ...args))
    const isOk = async () => (await send(shop.url, "GET /health")).status === 200

    it("ALL-10: answers 503, what the source has from there, and recovers", async () => {
      await open("--set", "shop.jobs=true")
      await shop.admin("PUT /source/rows/273", { qty: 629, name: "GTab" })
      const token = (await shop.call("POST /login", { body: { user: "a" } })).body["token"] as string
      await shop.call("POST /views", { token, body: { item: "273" } })
      expect(await isOk()).toBe(true)

      await server().outage!.kill9()
      const refused = await shop.call("POST /views", { token, body: { item: "i" } })
      expect([refused.status, refused.body["error"], refused.headers.get("retry-after")]).toEqual([
        503,
        "redis_unavailable",
        "1",
      ])
      for (const request of ["GET /session", "GET /cart", "GET /popular", "POST /login", "DELETE /session"]) {
        const { status, body } = await shop.call(request, {
          token,
          ...(request === "POST /login" && { body: { user: "a" } }),
        })
        expect([request, status, body["error"]]).toEqual([request, 503, "redis_unavailable"])
      }
      expect((await shop.admin("POST /jobs/rows/run")).status).toBe(503)
      const health = await send(shop.url, "GET /health")
      expect([health.status, health.body]).toMatchObject([
        503,
        { status: "degraded", systems: { shop: { redis: "unavailable" } } },
      ])

      const row = await shop.call("GET /inventory/273")
      expect([row.status, row.headers.get("x-degraded"), row.body]).toEqual([200, "redis", { qty: 629, name: "GTab" }])
      const none = await shop.call("GET /inventory/404")
      expect([none.status, none.headers.get("x-degraded")]).toEqual([404, "redis"])
      const page = await shop.call("GET /pages?item=273")
      expect([page.status, page.headers.get("x-degraded"), page.headers.get("x-cache")]).toEqual([
        200,
        "redis",
        "BYPASS",
      ])
      expect(page.body).toContain("GTab")
      expect((await shop.admin("PUT /source/rows/274", { qty: 1 })).status).toBe(204)

      await server().outage!.restart()
      await until(isOk)
      const again = (await shop.call("POST /login", { body: { user: "a" } })).body["token"] as string
      expect((await shop.call("POST /views", { token: again, body: { item: "273" } })).status).toBe(204)
      expect((await shop.call("GET /inventory/273")).headers.get("x-degraded")).toBeNull()
      await shop.admin("PUT /rows/273/schedule", { delay: 60 })
      await until(async () => (await server().raw("EXISTS", "inv:273")) === 1)
    })

    it("ALL-10: a server that hangs is treated alike", async () => {
      await open()
      const token = (await shop.call("POST /login", { body: { user: "a" } })).body["token"] as string
      server().outage!.pause()
      try {
        expect((await shop.call("POST /views", { token, body: { item: "i" } })).status).toBe(503)
        expect((await shop.call("GET /cart", { token })).status).toBe(503)
        expect(await isOk()).toBe(false)
      } finally {
        await server().outage!.resume()
      }
      await until(isOk)
      expect((await shop.call("GET /session", { token })).status).toBe(200)
    })

    it("ALL-10: a server that is full is not there for writes, one command or several", async () => {
      await open()
      const token = (await shop.call("POST /login", { body: { user: "a" } })).body["token"] as string
      await server().raw("CONFIG", "SET", "maxmemory", "1")
      try {
        for (const [request, body] of [
          ["POST /login", { user: "a" }],
          ["POST /views", { item: "i" }],
        ] as const) {
          const full = await shop.call(request, { token, body })
          expect([request, full.status, full.body["error"]]).toEqual([request, 503, "redis_unavailable"])
        }
      } finally {
        await server().raw("CONFIG", "SET", "maxmemory", "0")
      }
    })

    it("ALL-10: starts while Redis is away, and serves when it is there", async () => {
      await server().outage!.kill9()
      await open()
      expect(await isOk()).toBe(false)
      await server().outage!.restart()
      await until(isOk)
      expect((await shop.call("POST /login", { body: { user: "a" } })).status).toBe(201)
    })
  },
  onShards,
)

describe.runIf(needs("postgresql"))("the shop with PostgreSQL as its source", () => {
  onRealServerAndInFullOnCluster(
    "the row cache",
    (server) => {
      it("SHOP-12 SHOP-13 SHOP-15 ALL-14: copies rows, and keeps what it has while the source is away", async () => {
        const postgres = await startPostgres()
        const shop = await serveForTest(server(), "shop", "--database", postgres.url)
        const run = async () => (await shop.admin("POST /jobs/rows/run")).body
        const due = () => server().raw("ZADD", "schedule:", 1, "273")
        try {
          const row = { qty: 629, name: "GTab 7inch", description: "…", tags: [1, 2.5, "ü"], nothing: null }
          await shop.admin("PUT /source/rows/273", row)
          await shop.admin("PUT /source/rows/273", row)
          await shop.admin("PUT /rows/273/schedule", { delay: 60 })
          expect(await run()).toEqual({ refreshed: 1, removed: 0, failed: 0 })
          expect(
            JSON.parse(Buffer.from((await server().raw("GET", "inv:273")) as string, "latin1").toString()),
          ).toEqual(row)
          expect((await shop.call("GET /inventory/273")).body).toEqual(row)
          await shop.admin("PUT /source/customers/ann", { password: "pw" })
          expect((await shop.call("POST /login", { body: { user: "ann", password: "pw" } })).status).toBe(201)

          await postgres.kill()
          await due()
          expect(await run()).toEqual({ refreshed: 0, removed: 0, failed: 1 })
          expect(Number(await server().raw("ZSCORE", "schedule:", "273"))).toBeGreaterThan(Date.now() / 1000 + 50)
          expect((await shop.call("GET /inventory/273")).body).toEqual(row)
          const missing = await shop.call("GET /inventory/1")
          expect([missing.status, missing.body["error"]]).toEqual([503, "source_unavailable"])
          expect((await shop.admin("PUT /source/rows/1", { qty: 1 })).body["error"]).toBe("source_unavailable")
          expect((await send(shop.url, "GET /health")).body).toMatchObject({
            status: "degraded",
            source: "unavailable",
          })

          await postgres.restart()
          await until(async () => (await send(shop.url, "GET /health")).status === 200)
          await shop.admin("PUT /source/rows/273", { qty: 1 })
          await due()
          expect(await run()).toEqual({ refreshed: 1, removed: 0, failed: 0 })
          await shop.admin("DELETE /source/rows/273")
          await due()
          expect(await run()).toEqual({ refreshed: 0, removed: 1, failed: 0 })
          expect(await server().raw("EXISTS", "inv:273", "delay:", "schedule:")).toBe(0)
        } finally {
          await shop.close()
          await postgres.stop()
        }
      })
    },
    onShards,
  )
})
