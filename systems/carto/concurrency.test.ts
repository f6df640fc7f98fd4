/* Many requests at once, from two servers, and what they cost. */

import { afterAll, afterEach, beforeEach, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres, type RealPostgres } from "../../test/real-postgres.ts"
import { openSource, type Source } from "../platform/source.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { roundTrips } from "../platform/testing/stored.ts"
import { cartoForTest, DATABASE, dumpAll, inDatabase, PLACES, type Carto } from "./carto.cases.ts"
import type { CartoTables } from "./tables.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { inPlace } from "./in-place.cases.ts"
import { times } from "../platform/testing/times.ts"

const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length

onAnyServerAndInFullOnCluster(
  "carto under concurrent requests",
  (server) => {
    let app: Carto
    beforeEach(async () => {
      app = await cartoForTest(server(), "--patient")
    })
    afterEach(() => app.close())
    const raw = inDatabase(() => server().raw)

    it("CDB-11: no query and no second is lost", async () => {
      const sql = "select 1; select 2; delete from t"
      await times(200, () => app.admin("POST /queries", { user_id: 1, sql, time: 0.25 }))
      expect((await app.admin("GET /usage/1")).body).toMatchObject({
        total: 600,
        month: { queries: 600, select: 400, delete: 200, time: 50 },
        days: { "2011-10-03": { queries: 600, time: 50 } },
      })
    })

    it("CDB-16: no map view is lost, and none is counted for a user who is deleted meanwhile", async () => {
      await app.user()
      await times(100, (i) => app.call("POST /users/dev/mapviews", { body: i % 2 ? { visualization_id: "v1" } : {} }))
      expect(await raw(5, "ZSCORE", "user:dev:mapviews:global", "20111003")).toBe("100")
      expect(await raw(5, "ZSCORE", "user:dev:mapviews:stat_tag:v1", "total")).toBe("50")
      const view = (i: number) => app.call("POST /users/dev/mapviews", { body: { visualization_id: `w${i}` } })
      const [deleted] = await Promise.all([
        app.admin("DELETE /users/dev"),
        times(100, view),
        app.admin("POST /jobs/api-calls/run"),
      ])
      expect(deleted.status).toBe(204)
      expect(await raw(5, "DBSIZE")).toBe(0)
    })

    it("CDB-7 CDB-21: no restore brings back a user who was changed, renamed or created again while being deleted", async () => {
      for (let round = 0; round < 8; round++) {
        const [name, id] = [`dev${round}`, round + 1]
        await app.user(name, id)
        const [deleted] = await Promise.all([
          app.admin(`DELETE /users/${name}`),
          app.admin(`DELETE /users/${name}`),
          times(6, () => app.admin(`POST /users/${name}/api-key`)),
          times(6, () => app.admin(`POST /users/${name}/dashboard`)),
          app.admin("POST /users", { id: 100 + round, username: name, database_name: "again" }),
          round % 2 ? app.admin(`POST /users/${name}/rename`, { username: `new${round}` }) : undefined,
        ])
        expect([204, 404]).toContain(deleted.status) // 404: renamed before.
      }
      const left = (await raw(5, "KEYS", "*")) as string[]
      expect((await app.admin("POST /jobs/restore/run")).body).toMatchObject({ users: left.length })
      expect(((await raw(5, "KEYS", "*")) as string[]).sort()).toEqual(left.sort())
    })

    it("CDB-6: map views that come during a rename are under the new name", async () => {
      for (let round = 0; round < 5; round++) {
        const [from, to, id] = [`dev${round}`, `new${round}`, round + 1]
        await app.user(from, id)
        const view = (i: number) =>
          app.call(`POST /users/${from}/mapviews`, { body: { visualization_id: `v${i}` } }).then(({ status }) => status)
        const [renamed, ...views] = await Promise.all([
          app.admin(`POST /users/${from}/rename`, { username: to }),
          ...Array.from({ length: 60 }, (_, i) => view(i)),
        ])
        expect(renamed.status).toBe(200)
        const counted = views.filter((status) => status === 204).length
        expect((await app.admin(`GET /users/${to}/mapviews`)).body["total"]).toBe(counted)
        const keys = Object.keys((await dumpAll(server().raw))[5] as object)
        expect(keys.filter((key) => key.includes(`:${from}:`))).toEqual([])
        expect(keys.filter((key) => key.startsWith(`user:${to}:mapviews:stat_tag:`))).toHaveLength(counted)
      }
    })
  },
  inPlace,
)

onRealServer("two servers of carto over one catalogue", (server) => {
  const catalogues = needs("postgresql") ? ["sqlite", "postgres"] : ["sqlite"]
  let both: readonly [Carto, Carto]
  let postgres: RealPostgres | undefined
  afterEach(() => Promise.all(both.map((one) => one.close())))
  afterAll(() => postgres?.stop())
  const raw = inDatabase(() => server().raw)
  const open = async (kind: string) => {
    if (kind === "postgres") postgres ??= await startPostgres()
    const database = kind === "postgres" ? ["--database", postgres!.url] : []
    const one = await cartoForTest(server(), "--patient", ...database)
    both = [one, kind === "postgres" ? await cartoForTest(server(), "--patient", ...database) : one]
    if (kind === "postgres") await forget(postgres!.url)
  }
  /** What other tests left in the catalogue. */
  const forget = async (url: string) => {
    const source = openSource(url, () => {}) as unknown as Source<CartoTables> & { close(): Promise<void> }
    await source.ask((sql) => sql.deleteFrom("carto_users").execute())
    await source.ask((sql) => sql.deleteFrom("carto_tables").execute())
    await source.close()
  }
  const on = (i: number) => both[i % 2]!

  it.each(catalogues)(
    "CDB-3: of many creations of one name one wins, and the catalogue has the same one: %s",
    async (kind) => {
      await open(kind)
      for (let round = 0; round < 3; round++) {
        const create = async (i: number) =>
          (await on(i).admin("POST /users", { id: 100 * round + i + 1, username: `dev${round}`, database_name: "d" }))
            .status
        const statuses = await times(20, create)
        expect([count(statuses, 201), count(statuses, 409)]).toEqual([1, 19])
      }
      const before = await dumpAll(server().raw)
      await raw(5, "FLUSHDB")
      expect((await on(0).admin("POST /jobs/restore/run")).body).toEqual({ users: 3, tables: 0 })
      expect(await dumpAll(server().raw)).toEqual(before)
    },
  )

  it.each(catalogues)("CDB-6: of many renames one wins, and nothing is left of the old name: %s", async (kind) => {
    await open(kind)
    for (let round = 1; round <= 3; round++) {
      await on(0).user(`dev${round}`, round)
      await on(0).call(`POST /users/dev${round}/mapviews`, { body: { visualization_id: "v" } })
      const rename = async (i: number) =>
        (await on(i).admin(`POST /users/dev${round}/rename`, { username: `n${round}-${i}` })).status
      const statuses = await times(10, rename)
      expect(count(statuses, 200)).toBe(1)
      expect(statuses.every((status) => [200, 404, 409].includes(status))).toBe(true)
    }
    const before = await dumpAll(server().raw)
    const keys = Object.keys(before[5] as object)
    expect(keys).toHaveLength(9)
    for (const key of keys.filter((key) => !key.startsWith("rails:"))) await raw(5, "DEL", key)
    const records = (await dumpAll(server().raw))[5]
    await raw(5, "FLUSHDB")
    expect((await on(1).admin("POST /jobs/restore/run")).body).toEqual({ users: 3, tables: 0 })
    expect((await dumpAll(server().raw))[5]).toEqual(records)
  })

  it.each(catalogues)(
    "CDB-5: a key that was replaced is not good for a request that waited meanwhile: %s",
    async (kind) => {
      await open(kind)
      const key = await on(0).user()
      const replies = await times(20, (i) => on(i).call("POST /users/dev/api-key", { token: key }))
      const statuses = replies.map(({ status }) => status)
      expect([count(statuses, 200), count(statuses, 401)]).toEqual([1, 19])
      const made = replies.find(({ status }) => status === 200)!.body["map_key"] as string
      expect((await on(1).call("GET /users/dev", { token: made })).status).toBe(200)
    },
  )

  it.each(catalogues)("CDB-5: nor for a change of a table that waited meanwhile: %s", async (kind) => {
    await open(kind)
    const key = await on(0).user()
    await on(0).table()
    const path = `/tables/${DATABASE}/places`
    const change = async (i: number) =>
      (await on(0).call(`PATCH ${path}`, { token: key, body: { infowindow: `c${i}` } })).status
    let [isReplaced, answered] = [false, 0]
    const changes = times(300, async (i) => {
      const status = await change(i)
      answered++
      return { status, isLate: isReplaced }
    })
    await expect.poll(() => answered).toBeGreaterThan(0)
    await on(1).admin("POST /users/dev/api-key")
    isReplaced = true
    const late = (await changes).filter(({ isLate }) => isLate)
    // One may have been past its check when the key was replaced.
    expect(late.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(late.every(({ status }) => [200, 401, 429].includes(status))).toBe(true)
  })

  it.each(catalogues)("CDB-5 CDB-8: changes at once end the same in Redis and in the catalogue: %s", async (kind) => {
    await open(kind)
    await on(0).user()
    await on(0).table()
    const path = `/tables/${DATABASE}/places`
    await times(60, async (i) => {
      const requests = [
        () => on(i).admin("POST /users/dev/api-key"),
        () => on(i).admin("PATCH /users/dev", { database_name: `d${i}` }),
        () => on(i).admin(`PATCH ${path}`, { infowindow: `c${i}` }),
        () => on(i).admin(`PUT ${path}`, { ...PLACES, infowindow: `c${i}` }),
        () => on(i).admin(`POST ${path}/rename`, { table: "cities" }),
        () => on(i).admin(`POST /tables/${DATABASE}/cities/rename`, { table: "places" }),
      ]
      expect((await requests[i % requests.length]!()).status).toBeLessThan(500)
    })
    const before = await dumpAll(server().raw)
    await raw(0, "FLUSHDB")
    await raw(5, "FLUSHDB")
    await on(0).admin("POST /jobs/restore/run")
    expect(await dumpAll(server().raw)).toEqual(before)
  })

  it.each(catalogues)("CDB-21: a restore while users are deleted brings none of them back: %s", async (kind) => {
    await open(kind)
    await times(40, (i) => on(0).user(`u${i}`, i + 1))
    await Promise.all([
      on(0).admin("POST /jobs/restore/run"),
      on(1).admin("POST /jobs/restore/run"),
      times(40, (i) => on(i).admin(`DELETE /users/u${i}`)),
      on(0).admin("POST /jobs/restore/run"),
    ])
    expect(await raw(5, "DBSIZE")).toBe(0)
  })
})

onRealServer("what carto's requests cost", (server) => {
  const raw = inDatabase(() => server().raw)

  it("CDB-11 CDB-16: a recorded query and a map view are one round trip each", async () => {
    const app = await cartoForTest(server(), "--patient")
    try {
      await app.user()
      const cost = async (request: string, body?: unknown) => {
        await app.admin(request, body)
        return roundTrips(server().raw, () => app.admin(request, body))
      }
      expect(await cost("POST /queries", { user_id: 1, sql: "select 1; insert into t; vacuum", time: 0.5 })).toBe(1)
      expect(await cost("POST /users/dev/mapviews", { visualization_id: "v1" })).toBe(1)
      expect(await cost("GET /lookup?host=dev")).toBe(1)
      expect(await cost("GET /usage/1")).toBe(1)
      expect(await cost("POST /queries", { user_id: 1, sql: " ; " })).toBe(0)
    } finally {
      await app.close()
    }
  })

  it("CDB-1: each database has a connection of its own, and none is changed to another", async () => {
    const app = await cartoForTest(server(), "--set", "carto.queriesLog=true")
    try {
      await app.user()
      await app.table()
      await app.admin("POST /queries", { user_id: 1, sql: "select 1" })
      await app.admin("POST /oauth-tokens", { user_id: 1 })
      await app.admin("GET /databases")
      const clients = String(await raw(0, "CLIENT", "LIST"))
        .split("\n")
        .filter((line) => line.includes("name=keywright-carto"))
      const numbers = clients.map((line) => Number(/ db=(\d+)/.exec(line)![1]))
      expect(numbers.sort()).toEqual([0, 1, 2, 3, 4, 5])
    } finally {
      await app.close()
    }
  })
})
