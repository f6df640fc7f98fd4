/* Redis that dies, hangs and comes back, that is a cluster, or that forgets; PostgreSQL
 * as the catalogue, and when that is unreachable. */

import { afterEach, describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres } from "../../test/real-postgres.ts"
import { startRedis } from "../../test/real-redis.ts"
import { send, serveForTest } from "../platform/testing/serve.ts"
import { onRealServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { until } from "../../test/until.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { UsageError } from "../platform/usage-error.ts"
import { allMisfits, cartoForTest, DATABASE, dumpAll, inDatabase, PLACES, type Carto } from "./carto.cases.ts"
import { inPlace } from "./in-place.cases.ts"

onRealServerAndInFullOnCluster(
  "carto, when Redis is away",
  (server) => {
    let app: Carto
    afterEach(() => app?.close())
    const raw = inDatabase(() => server().raw)
    const isOk = async () => (await send(app.url, "GET /health")).status === 200

    it("ALL-10: answers 503, changes nothing in the catalogue, and recovers, jobs too", async () => {
      app = await cartoForTest(server(), "--set", "carto.jobs=true", "--set", "carto.apiCallsEvery=1")
      await app.user()
      await server().outage!.kill9()
      for (const [request, body] of [
        ["GET /lookup?host=dev"],
        ["POST /users/dev/mapviews", {}],
        ["POST /queries", { user_id: 1, sql: "select 1" }],
        ["POST /users", { id: 2, username: "ana", database_name: "d" }],
        [`PUT /tables/${DATABASE}/places`, PLACES],
        ["POST /users/dev/api-key"],
        ["POST /users/dev/rename", { username: "devo" }],
        ["DELETE /users/dev"],
        ["POST /jobs/restore/run"],
      ] as const) {
        const { status, body: answer, headers } = await app.admin(request, body)
        const said = [request, status, answer["error"], headers.get("retry-after")]
        expect(said).toEqual([request, 503, "redis_unavailable", "1"])
      }
      expect(await isOk()).toBe(false)
      await server().outage!.restart()
      await until(isOk)
      expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 1, tables: 0 })
      expect((await app.call("GET /lookup?host=dev")).status).toBe(200)
      await until(async () => (await raw(5, "HEXISTS", "rails:users:dev", "api_calls")) === 1)
    })

    it("ALL-10: a server that hangs is treated alike", async () => {
      app = await cartoForTest(server(), "--set", "carto.queriesLog=true")
      await app.user()
      server().outage!.pause()
      try {
        expect((await app.call("POST /users/dev/mapviews")).status).toBe(503)
        expect((await app.admin("PATCH /users/dev", { database_name: "moved" })).status).toBe(503)
      } finally {
        await server().outage!.resume()
      }
      await until(isOk)
      expect((await app.admin("POST /users/dev/rename", { username: "devo" })).status).toBe(200)
      expect((await app.call("GET /lookup?host=devo")).status).toBe(200)
    })

    it("ALL-10: those who wait for one another while it hangs do not wait for it one after another", async () => {
      app = await cartoForTest(server())
      await app.user()
      server().outage!.pause()
      try {
        const visits = Array.from({ length: 60 }, () => app.admin("POST /users/dev/dashboard"))
        expect(new Set((await Promise.all(visits)).map(({ status }) => status))).toEqual(new Set([503]))
      } finally {
        await server().outage!.resume()
      }
      await until(isOk)
      expect((await app.admin("POST /users/dev/dashboard")).status).toBe(204)
    })

    it("answers from Redis alone what the catalogue has forgotten, and takes it up again", async () => {
      app = await cartoForTest(server())
      const key = await app.user()
      await app.table()
      await app.call("POST /users/dev/mapviews", { body: { visualization_id: "v1" } })
      const before = await dumpAll(server().raw)
      await app.close()
      app = await cartoForTest(server())
      for (const path of [`/tables/${DATABASE}`, `/tables/${DATABASE}/places`, "/usage/1", "/users/dev"])
        expect([path, (await app.call(`GET ${path}?api_key=${key}`)).status]).toEqual([path, 200])
      expect((await app.call("GET /usage/7?api_key=x")).status).toBe(401)
      expect((await app.admin("POST /users", { id: 1, username: "dev", database_name: "d" })).status).toBe(409)
      expect((await app.admin(`PATCH /tables/${DATABASE}/places`, { privacy: 0 })).status).toBe(200)
      expect(await dumpAll(server().raw)).toEqual(before)
      await raw(5, "HDEL", "rails:users:dev", "map_key")
      expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 1, tables: 1 })
      expect(await dumpAll(server().raw)).toEqual(before)
      await app.close()
      app = await cartoForTest(server())
      expect((await app.admin("POST /users/dev/rename", { username: "devo" })).status).toBe(200)
      expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 1, tables: 0 })
      await app.close()
      app = await cartoForTest(server())
      expect((await app.admin("DELETE /users/devo")).status).toBe(204)
      expect(Object.values(await dumpAll(server().raw))).toEqual([{}, {}, {}, {}, {}, {}])
    })

    it("ALL-15: a server that forgets is warned of", async () => {
      app = await cartoForTest(server())
      expect(app.logged()).toContain("loses its data on a restart")
    })
  },
  inPlace,
)

/* On one server only: the placement of a cluster is not refused there, and has no numbered databases to share by mistake. */
onRealServer("carto, when it starts", (server) => {
  let app: Carto
  afterEach(() => app?.close())
  const raw = inDatabase(() => server().raw)

  it("CDB-1: a Redis Cluster is refused at the start", async () => {
    const cluster = await startRedis({ args: ["--cluster-enabled", "yes"] })
    try {
      for (const dbs of ["0,1,2,3,4,5", "5,4,3,2,1,0"]) {
        const starting = cartoForTest(server(), "--redis", cluster.url, "--set", `carto.dbs=${dbs}`)
        await expect(starting).rejects.toThrow(UsageError)
        await expect(starting).rejects.toThrow(/Cluster/)
      }
    } finally {
      await cluster.stop()
      app = await cartoForTest(server())
    }
  })

  it("ALL-1: a database of another system is refused, and others refuse carto's", async () => {
    await raw(5, "HSET", "login:", "t", "u")
    await expect(cartoForTest(server())).rejects.toThrow(/database 5 has keys of shop/)
    await raw(5, "DEL", "login:")
    app = await cartoForTest(server())
    await app.user()
    await expect(serveForTest(server(), "shop", "--set", "shop.db=5")).rejects.toThrow(/database 5 has keys of carto/)
  })
})

describe.runIf(needs("postgresql"))("carto with PostgreSQL as its catalogue", () => {
  onRealServerAndInFullOnCluster(
    "with all that it does",
    (server) => {
      it("ALL-14: does the same as with SQLite, and 503 where it needs it while it is away", async () => {
        const postgres = await startPostgres()
        const app = await cartoForTest(server(), "--database", postgres.url)
        const raw = inDatabase(() => server().raw)
        try {
          const key = await app.user()
          await app.user("ana", 2)
          await app.table("places", { infowindow: "naïve; 'quoted' 🙂" })
          await app.table("cities")
          await app.admin(`POST /tables/${DATABASE}/cities/rename`, { table: "towns" })
          await app.table("zz_last", {}, "_under")
          await app.admin("POST /users/ana/rename", { username: "anna" })
          await app.admin("POST /users/dev/dashboard")
          const before = await dumpAll(server().raw)
          await raw(0, "FLUSHDB")
          await raw(5, "FLUSHDB")
          expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 2, tables: 3 })
          expect(await dumpAll(server().raw)).toEqual(before)
          expect(await allMisfits(server().raw)).toEqual([])

          await postgres.kill()
          const away = await app.admin("POST /users", { id: 3, username: "eva", database_name: "d" })
          expect([away.status, away.body["error"]]).toEqual([503, "source_unavailable"])
          expect((await app.admin(`PATCH /tables/${DATABASE}/places`, { privacy: 1 })).status).toBe(503)
          expect(await dumpAll(server().raw)).toEqual(before)
          for (const path of [
            "/lookup?host=dev",
            `/users/dev?api_key=${key}`,
            `/tables/${DATABASE}/places?api_key=${key}`,
          ])
            expect([path, (await app.call(`GET ${path}`)).status]).toEqual([path, 200])
          expect((await app.call("POST /users/dev/mapviews")).status).toBe(204)
          expect((await app.admin("POST /queries", { user_id: 1, sql: "select 1" })).status).toBe(204)
          await postgres.restart()
          await until(async () => (await send(app.url, "GET /health")).status === 200)
          expect((await app.admin("DELETE /users/dev")).status).toBe(204)
          expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 1, tables: 1 })
        } finally {
          await app.close()
          await postgres.stop()
        }
      })
    },
    inPlace,
  )
})
