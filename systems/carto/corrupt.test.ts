/* Keys that others wrote, or half: what is refused as a whole, what is passed over, and
 * what never opens anything. */

import { afterAll, beforeAll, expect, it } from "vitest"
import { cartoForTest, dumpAll, inDatabase, record, type Carto } from "./carto.cases.ts"
import { onAnyServerAndCluster } from "../platform/testing/cluster-server.ts"
import { inPlace } from "./in-place.cases.ts"

const GLOBAL = "user:dev:mapviews:global"

onAnyServerAndCluster(
  "carto and what others wrote",
  (server) => {
    let app: Carto
    beforeAll(async () => {
      app = await cartoForTest(server())
    })
    afterAll(() => app.close())
    const raw = inDatabase(() => server().raw)

    it("ALL-5 ALL-11: a map view is counted in both sets or in neither, and the key that is not a set is named", async () => {
      await app.user()
      const tag = "user:dev:mapviews:stat_tag:v1"
      for (const key of [tag, GLOBAL]) {
        await raw(5, "DEL", GLOBAL, tag)
        await raw(5, "SET", key, "canary")
        const before = await dumpAll(server().raw)
        const { status, body } = await app.call("POST /users/dev/mapviews", { body: { visualization_id: "v1" } })
        expect([status, body["error"], body["details"]]).toEqual([500, "wrong_type", { key }])
        expect(await dumpAll(server().raw)).toEqual(before)
      }
    })

    it("ALL-5 CDB-11: a counter that cannot be counted on from stops the whole request, its time too", async () => {
      for (const [name, value] of [
        ["total", "9223372036854775807"],
        ["2011-10", "99999999999999999999"],
        ["2011-10:time", "inf"],
      ] as const) {
        const key = `rails:users:1:queries:${name}`
        await raw(2, "FLUSHDB")
        await raw(2, "SET", key, value)
        const { status, body } = await app.admin("POST /queries", { user_id: 1, sql: "select 1", time: 1 })
        expect([name, status, body["details"]]).toEqual([name, 500, { key }])
        expect(await raw(2, "KEYS", "*")).toEqual([key])
      }
    })

    it("ALL-11 CDB-13: a counter that holds something else is not taken for one that is not there", async () => {
      const key = "rails:users:1:queries:2011-10-03:time"
      await raw(2, "RPUSH", key, "canary")
      const { status, body } = await app.admin("GET /usage/1")
      expect([status, body["error"], body["details"]]).toEqual([500, "wrong_type", { key }])
    })

    it("ALL-11 CDB-17 CDB-18: a day whose score is not a number of views is passed over, and reported", async () => {
      await app.user()
      await raw(5, "ZADD", GLOBAL, 3, "20111003", 2.5, "20111002", "inf", "20111001", 7, "total")
      await raw(5, "ZADD", "user:dev:mapviews:stat_tag:v1", 2, "20111003", 0.5, "20111002", 2, "total")
      const days = { "20111001": 0, "20111002": 0, "20111003": 3 }
      const range = "from=20111001&to=20111003"
      expect((await app.admin(`GET /users/dev/mapviews?${range}`)).body).toEqual({ days, total: 3 })
      const tagged = await app.admin(`GET /users/dev/mapviews?${range}&visualization=v1`)
      expect(tagged.body).toEqual({ days: { ...days, "20111003": 2 }, total: 2 })
      const calls = [3, ...Array.from({ length: 29 }, () => 0)]
      expect((await app.admin("GET /users/dev/api-calls")).body).toEqual(calls)
      expect((await app.admin("POST /jobs/api-calls/run", { force: true })).body).toEqual({ updated: 1, skipped: 0 })
      expect(await raw(5, "HGET", "rails:users:dev", "api_calls")).toBe(JSON.stringify(calls))
      expect((await app.admin("GET /users/dev")).body).toMatchObject({ mapviews: { global: { "20111003": 3 } } })
      expect(app.logged()).toContain(GLOBAL)
    })

    it("ALL-11 CDB-13 CDB-17: a negative or infinite number is not a count", async () => {
      await app.user()
      await raw(5, "ZADD", GLOBAL, 3, "20111003", -2, "20111002")
      await raw(5, "ZADD", "user:dev:mapviews:stat_tag:v1", 2, "20111003", -1, "20111002", -1, "total")
      const calls = [3, ...Array.from({ length: 29 }, () => 0)]
      expect((await app.admin("GET /users/dev/api-calls")).body).toEqual(calls)
      expect((await app.admin("GET /users/dev/mapviews?visualization=v1")).body).toMatchObject({ total: 2 })
      await app.admin("POST /jobs/api-calls/run", { force: true })
      expect((await app.admin("GET /users/dev")).body).toMatchObject({
        api_calls: calls,
        mapviews: { global: { "20111003": 3 } },
      })
      for (const [name, value] of [
        ["total", "-5"],
        ["2011-10:time", "inf"],
        ["2011-10-03:time", "-0.5"],
      ] as const) {
        const key = `rails:users:1:queries:${name}`
        await raw(2, "FLUSHDB")
        await raw(2, "SET", key, value)
        for (const { status, body } of [
          await app.admin("GET /usage/1"),
          await app.admin("POST /queries", { user_id: 1, sql: "select 1", time: 1 }),
        ])
          expect([name, status, body["error"], body["details"]]).toEqual([name, 500, "undecodable_value", { key }])
        expect(await raw(2, "KEYS", "*")).toEqual([key])
      }
    })

    it("ALL-11 CDB-8: a table that cannot be read is neither renamed nor changed in part; put again, it is whole", async () => {
      await app.user()
      await raw(0, "SET", "rails:db:str", "canary")
      await raw(0, "HSET", "rails:db:half", "privacy", 0)
      for (const [table, error] of [
        ["str", "wrong_type"],
        ["half", "undecodable_value"],
      ] as const) {
        const before = await dumpAll(server().raw)
        for (const { status, body } of [
          await app.admin(`POST /tables/db/${table}/rename`, { table: "other" }),
          await app.admin(`PATCH /tables/db/${table}`, { privacy: 1 }),
        ])
          expect([status, body["error"], body["details"]]).toEqual([500, error, { key: `rails:db:${table}` }])
        expect(await dumpAll(server().raw)).toEqual(before)
      }
      await app.table("half", {}, "db")
      expect((await app.admin("POST /tables/db/half/rename", { table: "other" })).status).toBe(200)
    })

    it("ALL-11 CDB-16: no map view is counted for what is not a record", async () => {
      await raw(5, "SET", "rails:users:str", "canary")
      const { status, body } = await app.call("POST /users/str/mapviews")
      expect([status, body["error"], body["details"]]).toEqual([500, "wrong_type", { key: "rails:users:str" }])
      expect(await raw(5, "KEYS", "*")).toEqual(["rails:users:str"])
    })

    it("ALL-11 CDB-18: a note of when api_calls were written that is not a time does not keep others from being written", async () => {
      await app.user()
      await app.user("ana", 2)
      await raw(5, "SET", "keywright:api-calls:dev", "canary")
      expect((await app.admin("POST /jobs/api-calls/run")).body).toEqual({ updated: 2, skipped: 0 })
      expect((await app.admin("POST /jobs/api-calls/run")).body).toEqual({ updated: 0, skipped: 2 })
    })

    it("CDB-5: an API key that is empty opens nothing", async () => {
      await app.user()
      await raw(5, "HSET", "rails:users:dev", "map_key", "")
      expect((await app.call("GET /users/dev?api_key=")).status).toBe(401)
      expect((await app.call("GET /usage/1?api_key=")).status).toBe(401)
    })

    it("CDB-4: a record is enough with an id and a database; one without an API key is shown", async () => {
      await raw(5, "HSET", "rails:users:old", "id", 5, "database_name", "old_db")
      expect((await app.call("GET /lookup?host=old")).body).toEqual({ id: 5, username: "old", database_name: "old_db" })
      expect((await app.admin("GET /users/old")).body).toMatchObject({ id: 5, database_name: "old_db" })
      expect((await app.call("GET /users/old?api_key=")).status).toBe(401)
    })

    it("CDB-3: a name is taken by whatever is there under it", async () => {
      await raw(5, "SET", "rails:users:str", "canary")
      await raw(5, "HSET", "rails:users:bad", "id", 3, "database_name", "d", "last_active_time", "canary")
      const before = await dumpAll(server().raw)
      for (const username of ["str", "bad"]) {
        const { status, body } = await app.admin("POST /users", { id: 9, username, database_name: "d" })
        expect([username, status, body["error"]]).toEqual([username, 409, "username_taken"])
      }
      expect(await dumpAll(server().raw)).toEqual(before)
    })

    it("CDB-6 CDB-7: fields that do not matter for it keep nobody from being renamed or deleted", async () => {
      await app.user()
      await raw(5, "HSET", "rails:users:dev", "api_calls", "canary")
      await app.admin("POST /users/dev/rename", { username: "eva" })
      expect(record(await raw(5, "HGETALL", "rails:users:eva"))).toMatchObject({ id: "1", api_calls: "canary" })
      await raw(5, "HSET", "rails:users:eva", "last_active_time", "canary")
      const { body } = await app.admin("POST /users", { id: 1, username: "tom", database_name: "tom_db" })
      expect(body["error"]).toBe("id_taken")
      expect((await app.admin("DELETE /users/eva")).status).toBe(204)
      expect(await raw(5, "KEYS", "*")).toEqual([])
    })

    it("CDB-16: a map view may come with the user's key, and needs none", async () => {
      const key = await app.user()
      for (const query of [`?api_key=${key}`, "?api_key=wrong", ""])
        expect((await app.call(`POST /users/dev/mapviews${query}`)).status).toBe(204)
      expect((await app.call("POST /users/dev/mapviews?other=1")).status).toBe(400)
    })

    it("CDB-10: all users of a database list its tables, also those who came later", async () => {
      const first = await app.user("dev", 1, "org_db")
      expect((await app.call(`GET /tables/org_db?api_key=${first}`)).status).toBe(200)
      const second = await app.user("ana", 2, "org_db")
      for (const key of [second, first])
        expect((await app.call(`GET /tables/org_db?api_key=${key}`)).body).toEqual({ tables: [] })
      await app.admin("PATCH /users/ana", { database_name: "ana_db" })
      expect((await app.call(`GET /tables/org_db?api_key=${second}`)).status).toBe(401)
    })

    it("ALL-4 CDB-4: a host has nothing but a port behind its colon", async () => {
      await app.user()
      for (const host of ["dev:80", "dev.cartodb.com:8080", "dev.cartodb.com:", "DEV.cartodb.com."])
        expect([host, (await app.call(`GET /lookup?host=${host}`)).status]).toEqual([host, 200])
      for (const host of ["dev:mapviews", "dev:80:80", "dev.a:b", ":80", "dev%20dev", "dev.a%20b"])
        expect([host, (await app.call(`GET /lookup?host=${host}`)).status]).toEqual([host, 400])
    })

    it("ALL-12 CDB-15: a token and its time in a body are the server's, and ignored", async () => {
      const given = { user_id: 1, token: "mine", time: "2001-01-01T00:00:00Z" }
      const { status, body } = await app.admin("POST /oauth-tokens", given)
      expect([status, body["token"]]).toEqual([201, expect.stringMatching(/^[0-9a-f]{40}$/)])
      expect((await app.admin(`GET /oauth-tokens/${body["token"]}`)).body).toMatchObject({
        time: expect.stringMatching(/^2011-10-03/),
      })
      expect((await app.admin("GET /oauth-tokens/mine")).status).toBe(404)
    })
  },
  inPlace,
)
