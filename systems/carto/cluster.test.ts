/* Carto on a cluster: what differs there is how a user is renamed. */

import { connect } from "keywright"
import { audit } from "keywright/operate"
import { describe, expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { needs, pathOf } from "../../test/needs.ts"
import { startClusterNode } from "../../test/redis-cluster.ts"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { auditRules } from "./audit-rules.ts"
import { allMisfits, cartoForTest, DATABASE, dumpAll, inDatabase } from "./carto.cases.ts"
import { inPlace } from "./in-place.cases.ts"
import { acceptSplit, cartoSchema } from "./schema.ts"

const RENAMES = isFull ? 60 : 8
/** More than a script of Lua can pass on as words of one command. */
const MANY = 9000
const schema = cartoSchema({ placement: "cluster" })

onCluster(
  "carto",
  (server) => {
    const raw = inDatabase(() => server().raw)

    it("CDB-6 CDB-16: a rename between two slots loses no map view and counts none twice, while people view", async () => {
      const app = await cartoForTest(server(), "--patient")
      await app.user("dev")
      await app.table()
      let [name, counted] = ["dev", 0]
      const done = new AbortController()
      const viewers = Array.from({ length: 4 }, async (_, i) => {
        while (!done.signal.aborted) {
          const { status } = await app.call(`POST /users/${name}/mapviews`, { body: { visualization_id: `v${i}` } })
          expect([204, 404]).toContain(status)
          if (status === 204) counted += 1
        }
      })
      for (let i = 0; i < RENAMES; i++) {
        const to = `dev-${i}`
        expect((await app.admin(`POST /users/${name}/rename`, { username: to })).status).toBe(200)
        name = to
      }
      done.abort()
      await Promise.all(viewers)
      expect(counted).toBeGreaterThan(0)
      expect(await raw(5, "ZSCORE", `user:${name}:mapviews:global`, "20111003")).toBe(String(counted))
      const totals = await Promise.all(
        viewers.map((_, i) => server().raw("ZSCORE", `user:${name}:mapviews:stat_tag:v${i}`, "total")),
      )
      expect(totals.reduce<number>((sum, total) => sum + Number(total), 0)).toBe(counted)
      const users = Object.keys((await dumpAll(server().raw))[5] as object)
      expect(users.filter((key) => !key.includes(name))).toEqual([])
      expect(await allMisfits(server().raw)).toEqual([])

      const there = await connect(schema, server().redis!, { acceptSplit: acceptSplit({ placement: "cluster" }) })
      const keys = (await there.$driver().send(["KEYS", "*"])) as string[]
      expect(keys.filter((key) => key.includes("moving"))).toEqual([])
      expect(keys).toContain(`db0:rails:{${DATABASE}}:places`)
      const { summary } = await audit(schema as never, there.$driver(), { rules: auditRules({ settlesIn: 0 }) })
      expect(summary).toEqual({})
      await there.$close()
      await app.close()
    })

    it("CDB-6: a user cannot take a name that another user has, even with the same id, nor the name that is theirs already", async () => {
      const app = await cartoForTest(server())
      await app.user("dev", 1)
      await app.user("ana", 2)
      // Users whom only Redis knows.
      for (const name of ["one", "two"])
        await raw(5, "HSET", `rails:users:${name}`, "id", 7, "database_name", "d", "map_key", name)
      await raw(5, "ZADD", "user:one:mapviews:global", 3, "20111003")
      const before = (await dumpAll(server().raw))[5]
      for (const [from, to] of [
        ["dev", "ana"],
        ["one", "two"],
        ["one", "one"],
        ["dev", "dev"],
      ])
        expect((await app.admin(`POST /users/${from}/rename`, { username: to })).status, `${from} ${to}`).toBe(409)
      expect((await dumpAll(server().raw))[5]).toEqual(before)
      expect((await app.admin("POST /users/nobody/rename", { username: "x" })).status).toBe(404)
      await app.close()
    })

    it("CDB-6: a user of whom strangers named very many visualizations can be renamed", async () => {
      const app = await cartoForTest(server())
      await app.user("dev")
      const visualizations = Array.from({ length: MANY }, (_, n) => `v${n}`)
      const add = "for _, key in ipairs(KEYS) do redis.call('ZADD', key, 1, '20111003', 1, 'total') end"
      const keys = visualizations.map((name) => `db5:user:{dev}:mapviews:stat_tag:${name}`)
      await server().plain("EVAL", add, keys.length, ...keys)
      expect((await app.admin("POST /users/dev/rename", { username: "eva" })).status).toBe(200)
      expect((await app.call("POST /users/eva/mapviews", { body: { visualization_id: "v0" } })).status).toBe(204)
      const stored = Object.keys((await dumpAll(server().raw))[5] as object)
      expect(stored.filter((key) => key.includes("eva"))).toHaveLength(MANY + 2)
      expect(stored.filter((key) => key.includes("dev"))).toEqual([])
      await app.close()
    })

    it("CDB-6: a mark that nobody's rename belongs to stops nobody", async () => {
      const app = await cartoForTest(server())
      await app.user("dev")
      await server().plain("SET", "db5:keywright:moving:{dev}", "1 gone")
      expect((await app.call("POST /users/dev/mapviews")).status).toBe(204)
      expect(await server().plain("EXISTS", "db5:keywright:moving:{dev}")).toBe(0)
      await server().plain("SET", "db5:keywright:moving:{dev}", "1 gone")
      expect((await app.admin("POST /users/dev/dashboard")).status).toBe(204)
      expect((await app.admin("DELETE /users/dev")).status).toBe(204)
      expect(Object.values(await dumpAll(server().raw))).toEqual([{}, {}, {}, {}, {}, {}])
      await app.close()
    })
  },
  inPlace,
)

const notUsed = () => Promise.reject(new Error("not used"))

if (isFull)
  describe.runIf(needs("valkey-server"))("carto on a cluster of Valkey", () => {
    it("CDB-1: keeps its numbered databases there", async () => {
      const server = await startClusterNode(["--cluster-databases", "6"], pathOf("valkey-server"))
      const app = await cartoForTest(
        { redis: server.url, engine: undefined, process: undefined, raw: notUsed, plain: notUsed },
        "--set",
        "carto.placement=cluster-databases",
      )
      await app.user("dev")
      expect((await app.call("POST /users/dev/mapviews", { body: { visualization_id: "v" } })).status).toBe(204)
      expect((await app.admin("POST /users/dev/rename", { username: "eva" })).status).toBe(200)
      await app.table()
      expect((await app.admin("GET /databases")).body).toMatchObject([
        { db: 0, keys: 1 },
        { db: 1, keys: 0 },
        { db: 2, keys: 0 },
        { db: 3, keys: 0 },
        { db: 4, keys: 0 },
        { db: 5, keys: 3 },
      ])
      await app.close()
      await server.stop()
    })
  })
