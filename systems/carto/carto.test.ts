/* The acceptance scenarios, through real HTTP, looked at by plain commands. */

import net from "node:net"
import { afterEach, expect, it } from "vitest"
import { send } from "../platform/testing/serve.ts"
import { inFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onBothServers, type TestServer } from "../platform/testing/servers.ts"
import {
  allMisfits,
  cartoForTest,
  DATABASE,
  DAY,
  dumpAll,
  inDatabase,
  PLACES,
  record,
  type Carto,
} from "./carto.cases.ts"
import { inDatabases, inPlace } from "./in-place.cases.ts"

const body = (server: () => TestServer): void => {
  let app: Carto
  afterEach(() => app?.close())
  const open = async (...args: string[]) => (app = await cartoForTest(server(), ...args))
  const raw = inDatabase(() => server().raw)
  const sizes = async () => {
    const found: number[] = []
    for (let db = 0; db < 6; db++) found.push((await raw(db, "DBSIZE")) as number)
    return found
  }
  const usersRecord = (username: string) => raw(5, "HGETALL", `rails:users:${username}`).then(record)
  const places = `/tables/${DATABASE}/places`

  it("CDB-3: a user is written at once, with a key of their own, and nothing else is", async () => {
    await open()
    const created = await app.admin("POST /users", { id: 1, username: "dev", database_name: DATABASE })
    const { map_key } = created.body as { map_key: string }
    expect([created.status, map_key]).toEqual([201, expect.stringMatching(/^[0-9a-f]{40}$/)])
    expect(created.body).toEqual({
      id: 1,
      username: "dev",
      database_name: DATABASE,
      map_key,
      api_calls: Array.from({ length: 30 }, () => 0),
      last_active_time: null,
      mapviews: { global: {} },
    })
    expect(await usersRecord("dev")).toEqual({ id: "1", database_name: DATABASE, map_key })
    expect(await sizes()).toEqual([0, 0, 0, 0, 0, 1])
    expect(await raw(5, "TTL", "rails:users:dev")).toBe(-1)

    const before = await dumpAll(server().raw)
    const again = await app.admin("POST /users", { id: 2, username: "dev", database_name: "other" })
    expect([again.status, again.body["error"]]).toEqual([409, "username_taken"])
    const sameId = await app.admin("POST /users", { id: 1, username: "dev2", database_name: "other" })
    expect([sameId.status, sameId.body["error"]]).toEqual([409, "id_taken"])
    expect(await dumpAll(server().raw)).toEqual(before)

    const own = { id: 7, username: "own-key", database_name: "d", map_key: "abc", last_active_time: "x", api_calls: [] }
    expect((await app.admin("POST /users", own)).body).toMatchObject({ map_key: "abc", last_active_time: null })
    expect(JSON.stringify((await app.admin("GET /users/own-key")).body)).not.toContain("abc")
  })

  it("CDB-3: a user whom Redis has lost, or of whom only the catalogue knows, can be created again", async () => {
    await open()
    await app.user()
    await raw(5, "FLUSHDB")
    await app.user("ana", 1)
    await app.user("dev", 2)
    expect(await app.admin("POST /jobs/restore/run").then(({ body }) => body)).toEqual({ users: 2, tables: 0 })
    expect((await usersRecord("ana"))["id"]).toBe("1")
  })

  it("CDB-4: a host leads to a user's id and database", async () => {
    await open()
    await app.user()
    const found = { id: 1, username: "dev", database_name: DATABASE }
    for (const host of ["dev", "dev.cartodb.com", "DEV.localhost.lan:8080"])
      expect((await app.call(`GET /lookup?host=${host}`)).body).toEqual(found)
    const { hostname, port } = new URL(app.url)
    expect((await app.call(`GET /lookup?host=${hostname}:${port}`)).status).toBe(404)
    expect((await app.call("GET /lookup")).status).toBe(404)
    expect(await app.call("GET /lookup?host=nobody.cartodb.com").then(({ body }) => body["error"])).toBe("no_such_user")

    await raw(5, "HDEL", "rails:users:dev", "database_name")
    for (const request of ["GET /lookup?host=dev", "GET /users/dev"]) {
      const { status, body } = await app.admin(request)
      expect([status, body["error"], body["message"]]).toEqual([
        500,
        "metadata_incomplete",
        expect.stringMatching(/dev.*database_name.*restore/),
      ])
    }
    expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 1, tables: 0 })
    expect((await app.call("GET /lookup?host=dev")).body).toEqual(found)
  })

  it("CDB-4: the Host header is enough", async () => {
    await open()
    await app.user()
    const { hostname, port } = new URL(app.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () =>
        socket.write("GET /lookup HTTP/1.1\r\nHost: dev.cartodb.com\r\nConnection: close\r\n\r\n"),
      )
      let text = ""
      socket
        .on("data", (bytes) => (text += bytes.toString()))
        .on("end", () => resolve(text))
        .on("error", reject)
    })
    expect(answer).toContain(`"database_name":"${DATABASE}"`)
  })

  it("CDB-5: a key opens what is its user's, and not when it was replaced", async () => {
    await open()
    const [key, other] = [await app.user(), await app.user("ana", 2)]
    const mine = ["/users/dev", "/users/dev/mapviews", "/users/dev/api-calls", "/usage/1", `/tables/${DATABASE}`]
    const statuses = (key: string, headers = {}) =>
      Promise.all(mine.map(async (path) => (await app.call(`GET ${path}${key}`, { headers })).status))
    expect(await statuses(`?api_key=${key}`)).toEqual(mine.map(() => 200))
    expect(await statuses("", { authorization: `Bearer ${key}` })).toEqual(mine.map(() => 200))
    for (const bad of [`?api_key=${other}`, "?api_key=", "?api_key=x", ""])
      expect(await statuses(bad)).toEqual(mine.map(() => 401))

    const rotated = await app.call(`POST /users/dev/api-key?api_key=${key}`)
    const { map_key } = rotated.body as { map_key: string }
    expect(await statuses(`?api_key=${key}`)).toEqual(mine.map(() => 401))
    expect(await statuses(`?api_key=${map_key}`)).toEqual(mine.map(() => 200))
    expect(await usersRecord("dev")).toMatchObject({ id: "1", map_key })
    expect((await app.admin("POST /users/nobody/api-key")).status).toBe(404)
    expect((await app.call(`POST /users/nobody/api-key?api_key=${map_key}`)).status).toBe(401)
    for (const request of ["DELETE /users/dev", "PATCH /users/dev", "POST /queries", "GET /databases"])
      expect(
        (await app.call(`${request}?api_key=${map_key}`, { body: request.startsWith("PATCH") ? {} : undefined }))
          .status,
      ).toBe(401)
  })

  it("CDB-6: a rename moves record and map views, or does nothing", async () => {
    await open()
    const key = await app.user()
    await app.user("ana", 2)
    await app.table()
    for (const body of [{}, { visualization_id: "v1" }, { visualization_id: "v2" }])
      await app.call("POST /users/dev/mapviews", { body })
    await app.admin("POST /jobs/api-calls/run")
    await raw(5, "ZADD", "user:devil:mapviews:stat_tag:v1", 9, "20111003")
    const before = await dumpAll(server().raw)
    for (const [to, status] of [
      ["ana", 409],
      ["dev", 409],
      ["De", 400],
      ["a:b", 400],
      ["", 400],
    ] as const)
      expect([to, (await app.admin("POST /users/dev/rename", { username: to })).status]).toEqual([to, status])
    expect((await app.admin("POST /users/nobody/rename", { username: "x" })).status).toBe(404)
    expect(await dumpAll(server().raw)).toEqual(before)

    const renamed = await app.call(`POST /users/dev/rename?api_key=${key}`, { body: { username: "devo" } })
    expect([renamed.status, renamed.body["username"]]).toEqual([200, "devo"])
    const text = JSON.stringify(before).replaceAll(/(rails:users|user|keywright:api-calls):dev(?=["\\:])/g, "$1:devo")
    expect(await dumpAll(server().raw)).toEqual(JSON.parse(text))
    expect((await app.admin("GET /users/dev")).status).toBe(404)
    expect((await app.call(`GET ${places}?api_key=${key}`)).status).toBe(200)
    await raw(5, "FLUSHDB")
    await app.admin("POST /jobs/restore/run")
    expect(Object.keys((await dumpAll(server().raw))[5] as object)).toEqual(["rails:users:ana", "rails:users:devo"])
  })

  it("CDB-6: targets that only have map views are not overwritten", async () => {
    await open()
    await app.user()
    await app.call("POST /users/dev/mapviews")
    await raw(5, "ZADD", "user:devo:mapviews:global", 5, "20111003")
    const before = await dumpAll(server().raw)
    expect((await app.admin("POST /users/dev/rename", { username: "devo" })).status).toBe(409)
    expect(await dumpAll(server().raw)).toEqual(before)
  })

  it("CDB-7 CDB-2: deleting a user leaves nothing of theirs, and everything of others", async () => {
    await open()
    const others = async () => {
      await app.user("ana", 11)
      await app.table("rivers", { user_id: 11 }, "cartodb_dev_user_11_db")
      await app.admin("POST /queries", { user_id: 11, sql: "select 1", time: 1 })
      await app.call("POST /users/ana/mapviews", { body: { visualization_id: "v1" } })
    }
    await others()
    const { token } = (await app.admin("POST /oauth-tokens", { user_id: 11 })).body as { token: string }
    const before = await dumpAll(server().raw)
    await app.user()
    await app.table()
    await app.table("cities", { user_id: 99 })
    await app.admin("POST /queries", { user_id: 1, sql: "select 1; delete from t; vacuum", time: 0.5 })
    await app.admin("POST /oauth-tokens", { user_id: 1 })
    await app.call("POST /users/dev/mapviews", { body: { visualization_id: "v1" } })
    await app.admin("POST /jobs/api-calls/run")
    await raw(5, "DEL", "keywright:api-calls:ana")
    await raw(5, "HDEL", "rails:users:ana", "api_calls")
    expect((await app.admin("DELETE /users/dev")).status).toBe(204)
    expect(await dumpAll(server().raw)).toEqual(before)
    expect((await app.admin("DELETE /users/dev")).status).toBe(404)
    expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 1, tables: 1 })
    expect(await dumpAll(server().raw)).toEqual(before)
    expect((await app.admin(`GET /oauth-tokens/${token}`)).status).toBe(200)
  })

  it("CDB-7: in a database that others use too, only the user's own tables go", async () => {
    await open()
    await app.user("dev", 1, "shared")
    await app.user("ana", 2, "shared")
    await app.table("mine", { user_id: 1 }, "shared")
    await app.table("hers", { user_id: 2 }, "shared")
    await app.user("tom", 3, "shared")
    await app.admin("DELETE /users/tom")
    await app.close()
    await open() // With a catalogue that knows nobody.
    await app.admin("DELETE /users/dev")
    expect((await app.admin("GET /tables/shared")).body).toEqual({ tables: ["hers"] })
    await app.admin("DELETE /users/ana")
    expect(await sizes()).toEqual([0, 0, 0, 0, 0, 0])
  })

  it("CDB-8: a table has its four fields, and changes one by one", async () => {
    await open()
    await app.user()
    await app.table()
    const key = `rails:${DATABASE}:places`
    const stored = { the_geom_type: "point", infowindow: "id, name, description", privacy: "0", user_id: "1" }
    expect(await raw(0, "HGETALL", key).then(record)).toEqual(stored)
    expect([await raw(0, "TTL", key), await raw(0, "DBSIZE")]).toEqual([-1, 1])
    expect((await app.admin(`GET ${places}`)).body).toEqual(PLACES)
    const patched = await app.admin(`PATCH ${places}`, { infowindow: ["id", "name"] })
    expect(patched.body).toEqual({ ...PLACES, infowindow: "id, name" })
    expect(await raw(0, "HGETALL", key).then(record)).toEqual({ ...stored, infowindow: "id, name" })
    expect((await app.admin(`PATCH ${places}`, {})).status).toBe(200)
    expect((await app.admin(`PATCH /tables/${DATABASE}/none`, { privacy: 1 })).status).toBe(404)
    await app.admin(`PUT /tables/${DATABASE}/public.lakes`, { the_geom_type: "polygon", user_id: 1 })
    expect(await raw(0, "HGETALL", `rails:${DATABASE}:public.lakes`).then(record)).toEqual({
      the_geom_type: "polygon",
      infowindow: "",
      privacy: "0",
      user_id: "1",
    })
    expect((await app.admin(`DELETE ${places}`)).status).toBe(204)
    expect((await app.admin(`DELETE ${places}`)).status).toBe(404)
    expect(await raw(0, "DBSIZE")).toBe(1)
  })

  it("CDB-8: a table is renamed as a whole, and never onto another", async () => {
    await open()
    await app.table()
    await app.table("rivers", { the_geom_type: "linestring" })
    const before = await dumpAll(server().raw)
    const taken = await app.admin(`POST ${places}/rename`, { table: "rivers" })
    expect([taken.status, taken.body["error"]]).toEqual([409, "table_taken"])
    expect((await app.admin(`POST ${places}/rename`, { table: "places" })).status).toBe(409)
    expect((await app.admin(`POST /tables/${DATABASE}/none/rename`, { table: "x" })).status).toBe(404)
    expect(await dumpAll(server().raw)).toEqual(before)
    expect((await app.admin(`POST ${places}/rename`, { table: "cities" })).status).toBe(200)
    expect(await raw(0, "EXISTS", `rails:${DATABASE}:places`)).toBe(0)
    expect(await raw(0, "HLEN", `rails:${DATABASE}:cities`)).toBe(4)
    await raw(0, "FLUSHDB")
    expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 0, tables: 2 })
    expect((await app.admin(`GET /tables/${DATABASE}`)).body).toEqual({ tables: ["cities", "rivers"] })
  })

  it("CDB-9: anybody reads a public table, and its owner a private one", async () => {
    await open()
    const [key, other] = [await app.user(), await app.user("ana", 2)]
    await app.table()
    const token = async (user_id: number) =>
      (await app.admin("POST /oauth-tokens", { user_id })).body["token"] as string
    const [mine, hers] = [await token(1), await token(2)]
    const read = async (query: string, token?: string) => (await app.call(`GET ${places}${query}`, { token })).status
    expect([await read(""), await read(`?api_key=${other}`), await read("", "nonsense")]).toEqual([401, 401, 401])
    expect([await read("", hers), await read("", "a:b"), await read("?api_key=x", hers)]).toEqual([403, 401, 401])
    expect([await read(`?api_key=${key}`), await read("", mine), await read("", key)]).toEqual([200, 200, 200])
    expect((await app.admin(`DELETE /oauth-tokens/${mine}`)).status).toBe(204)
    expect(await read("", mine)).toBe(401)
    for (const [privacy, stored] of [
      [1, "1"],
      [0, "0"],
      ["public", "1"],
      ["private", "0"],
      [1, "1"],
    ] as const) {
      expect((await app.admin(`PATCH ${places}`, { privacy })).body["privacy"]).toBe(Number(stored))
      expect(await raw(0, "HGET", `rails:${DATABASE}:places`, "privacy")).toBe(stored)
    }
    expect([await read(""), await read("?api_key=wrong"), await read("", hers)]).toEqual([200, 200, 200])
    expect((await app.call(`GET /tables/${DATABASE}/none`)).status).toBe(404)
  })

  it("CDB-9: tables are changed by the admin and by their owner, in the owner's database", async () => {
    await open()
    const [key, other] = [await app.user(), await app.user("ana", 2)]
    const put = async (key: string, body: object, database = DATABASE) =>
      (await app.call(`PUT /tables/${database}/places?api_key=${key}`, { body })).status
    expect(await put(key, PLACES)).toBe(201)
    expect([await put(other, PLACES), await put(other, { ...PLACES, user_id: 2 })]).toEqual([401, 403])
    expect(await put(key, PLACES, "cartodb_dev_user_2_db")).toBe(403)
    const before = await dumpAll(server().raw)
    const statuses = async (key: string) => {
      const query = `?api_key=${key}`
      return [
        (await app.call(`PATCH ${places}${query}`, { body: { privacy: 1 } })).status,
        (await app.call(`PATCH ${places}${query}`, { body: { user_id: 2 } })).status,
        (await app.call(`POST ${places}/rename${query}`, { body: { table: "cities" } })).status,
        (await app.call(`DELETE /tables/${DATABASE}/cities${query}`)).status,
      ]
    }
    expect(await statuses(other)).toEqual([401, 401, 401, 404])
    expect(await dumpAll(server().raw)).toEqual(before)
    expect(await statuses(key)).toEqual([200, 403, 200, 204])
  })

  it("CDB-10: tables are listed by their database, whatever its name looks like", async () => {
    await open()
    await app.table("a", {}, "db_1")
    await app.table("b", {}, "db_1")
    await app.table("c", {}, "dbx1")
    await raw(0, "SET", "rails:db_1:Not A Table", "x")
    expect((await app.admin("GET /tables/db_1")).body).toEqual({ tables: ["a", "b"] })
    expect((await app.admin("GET /tables/db_2")).body).toEqual({ tables: [] })
  })

  it("CDB-11 CDB-13: queries are counted by day, month and kind, and their time once", async () => {
    await open()
    const sql = "select 1; INSERT into t values(';'); vacuum"
    const record = (time: number) => app.admin("POST /queries", { user_id: 1, sql, time })
    expect((await record(0.25)).status).toBe(204)
    const prefix = "rails:users:1:queries:"
    const counters = async () => {
      const found: Record<string, unknown> = {}
      for (const [key, value] of Object.entries((await dumpAll(server().raw))[2] as Record<string, { value: string }>))
        found[key.slice(prefix.length)] = value.value
      return found
    }
    const once = { total: "3", [DAY]: "3", "2011-10": "3", "2011-10:select": "1", "2011-10:insert": "1" }
    expect(await counters()).toEqual({ ...once, "2011-10:other": "1", [`${DAY}:time`]: "0.25", "2011-10:time": "0.25" })
    await record(1.5)
    expect(await counters()).toMatchObject({ total: "6", [`${DAY}:time`]: "1.75", "2011-10:time": "1.75" })

    const usage = (await app.admin("GET /usage/1")).body as never as Record<string, Record<string, unknown>>
    expect(usage).toMatchObject({
      total: 6,
      month: { queries: 6, time: 1.75, select: 2, insert: 2, update: 0, delete: 0, other: 2 },
      deprecated: true,
    })
    expect(Object.keys(usage["days"]!)).toHaveLength(31)
    expect([usage["days"]![DAY], usage["days"]!["2011-10-04"]]).toEqual([
      { queries: 6, time: 1.75 },
      { queries: 0, time: 0 },
    ])
    expect((await app.admin("GET /usage/1?month=2011-02")).body).toMatchObject({
      total: 6,
      month: { queries: 0, time: 0 },
    })
    expect((await app.admin("GET /usage/12")).body).toMatchObject({ total: 0, month: { queries: 0 } })

    const before = await dumpAll(server().raw)
    for (const blank of ["", " ;; ; ", "-- nothing\n;/* ; */"]) {
      expect((await app.admin("POST /queries", { user_id: 1, sql: blank, time: 9 })).status).toBe(204)
    }
    expect(await dumpAll(server().raw)).toEqual(before)
    await app.admin("POST /queries", { user_id: 2, sql: "select 1" })
    expect(await raw(2, "EXISTS", "rails:users:2:queries:2011-10:time")).toBe(0)
  })

  it("CDB-15: a day begins where the setting timeZone says", async () => {
    await open("--clock", "2011-10-31T22:30:00Z", "--set", "carto.timeZone=Europe/Madrid")
    await app.user()
    await app.admin("POST /queries", { user_id: 1, sql: "select 1" })
    await app.call("POST /users/dev/mapviews")
    expect(await raw(2, "EXISTS", `rails:users:1:queries:2011-10-31`, "rails:users:1:queries:2011-10")).toBe(2)
    await app.close()
    await open("--clock", "2011-10-31T23:30:00Z", "--set", "carto.timeZone=Europe/Madrid")
    await app.admin("POST /queries", { user_id: 1, sql: "select 1" })
    expect(await raw(2, "EXISTS", `rails:users:1:queries:2011-11-01`, "rails:users:1:queries:2011-11")).toBe(2)
  })

  it("CDB-14: without the setting nothing is logged; with it, each request is", async () => {
    await open()
    for (let i = 0; i < 100; i++) await app.call("GET /lookup?host=dev")
    expect(await raw(1, "DBSIZE")).toBe(0)
    await app.close()

    await open("--set", "carto.queriesLog=true", "--set", "carto.logRetentionDays=2")
    const sent = { "x-forwarded-for": "85.223.1.123, 10.0.0.1" }
    const run = (headers: Record<string, string>) =>
      app.call("POST /queries", { token: "admin-token-of-the-tests", headers, body: { user_id: 1, sql: "select 1" } })
    await run(sent)
    expect(await raw(1, "LRANGE", `log-${DAY}`, 0, 0)).toEqual(["85.223.1.123#queries#run"])
    expect([await raw(1, "TYPE", `log-${DAY}`), await raw(1, "TTL", `log-${DAY}`)]).toEqual(["list", -1])
    await run({ "x-forwarded-for": "2001:db8::7" })
    await run({ "x-forwarded-for": "1.2.3.4#queries#run" })
    await app.call("DELETE /users/dev", {})
    const logged = (await app.admin(`GET /logs/${DAY}?offset=0&limit=3`)).body
    expect(logged).toEqual({
      entries: [
        { ip: "127.0.0.1", controller: "users", action: "delete" },
        { ip: "127.0.0.1", controller: "queries", action: "run" },
        { ip: "2001:db8::7", controller: "queries", action: "run" },
      ],
    })
    await raw(1, "LPUSH", `log-${DAY}`, "nonsense")
    expect((await app.admin(`GET /logs/${DAY}?limit=2`)).body).toEqual({
      entries: [{ ip: "127.0.0.1", controller: "logs", action: "get" }],
    })
    for (const day of ["2011-10-02", "2011-10-01", "2010-01-01"]) await raw(1, "LPUSH", `log-${day}`, "a#b#c")
    expect((await app.admin("POST /jobs/log-retention/run")).body).toEqual({ removed: 2 })
    expect(await raw(1, "EXISTS", "log-2011-10-02", `log-${DAY}`)).toBe(2)
  })

  it("CDB-15: an OAuth token says whose it is and since when, until it is revoked", async () => {
    await open()
    const { status, body } = await app.admin("POST /oauth-tokens", { user_id: 1 })
    const { token } = body as { token: string }
    expect([status, token]).toEqual([201, expect.stringMatching(/^[0-9a-f]{40}$/)])
    const key = `rails:oauth_tokens:${token}`
    expect([await raw(3, "TYPE", key), await raw(3, "TTL", key)]).toEqual(["hash", -1])
    const { user_id, time } = record(await raw(3, "HGETALL", key))
    expect([user_id, time]).toEqual(["1", expect.stringMatching(/^2011-10-03T12:00:\d\d\.\d{3}Z$/)])
    expect((await app.admin(`GET /oauth-tokens/${token}`)).body).toEqual({ user_id: 1, time })
    await app.admin("POST /oauth-tokens", { user_id: 2 })
    await raw(3, "HSET", "rails:oauth_tokens:broken", "user_id", "1")
    expect((await app.admin("GET /oauth-tokens?user_id=1")).body).toEqual({ tokens: [{ token, time }] })
    expect((await app.admin(`DELETE /oauth-tokens/${token}`)).status).toBe(204)
    expect(await raw(3, "EXISTS", key)).toBe(0)
    expect((await app.admin(`DELETE /oauth-tokens/${token}`)).status).toBe(404)
    expect((await app.admin(`GET /oauth-tokens/${token}`)).status).toBe(404)
  })

  it("CDB-16: strangers name only a limited number of new visualizations a day; existing ones are still counted", async () => {
    await open("--set", "carto.newVisualizations=3")
    await app.user()
    await app.user("eve", 2)
    const view = async (visualization_id: string, user = "dev") =>
      (await app.call(`POST /users/${user}/mapviews`, { body: { visualization_id } })).status
    const tried = []
    for (let i = 0; i < 6; i++) tried.push(await view(`v${i}`))
    expect(tried).toEqual([204, 204, 204, 429, 429, 429])
    expect([await view("v0"), await view("v5", "eve")]).toEqual([204, 204])
    expect(await raw(5, "ZSCORE", "user:dev:mapviews:global", "20111003")).toBe("4")
    expect(await raw(5, "EXISTS", "user:dev:mapviews:stat_tag:v3")).toBe(0)
    await app.close()
    await open("--set", "carto.newVisualizations=3", "--set", "carto.limits=off")
    expect(await view("v9")).toBe(204)
  })

  it("CDB-16 CDB-17: map views are counted by day, and of a visualization with a total", async () => {
    await open()
    await app.user()
    const view = async (body?: object) => (await app.call("POST /users/dev/mapviews", body && { body })).status
    expect([await view(), await view({ visualization_id: "v1" }), await view({ visualization_id: "v1" })]).toEqual([
      204, 204, 204,
    ])
    expect(await raw(5, "ZSCORE", "user:dev:mapviews:global", "20111003")).toBe("3")
    expect(await raw(5, "ZSCORE", "user:dev:mapviews:stat_tag:v1", "20111003")).toBe("2")
    expect(await raw(5, "ZSCORE", "user:dev:mapviews:stat_tag:v1", "total")).toBe("2")
    expect(await raw(5, "HEXISTS", "rails:users:dev", "mapviews")).toBe(0)
    expect((await app.call("POST /users/nobody/mapviews", { body: { visualization_id: "v1" } })).status).toBe(404)
    expect(await sizes()).toEqual([0, 0, 0, 0, 0, 3])

    await raw(5, "ZADD", "user:dev:mapviews:global", 7, "total", 5, "20110903", 4, "20110904", 1, "2011")
    const stats = async (query = "") =>
      (await app.admin(`GET /users/dev/mapviews${query}`)).body as { days: Record<string, number>; total: number }
    const last = await stats()
    expect([Object.keys(last.days).length, last.days["20111003"], last.days["20110904"], last.total]).toEqual([
      30, 3, 4, 7,
    ])
    expect(await stats("?from=20110903&to=20110904")).toEqual({ days: { "20110903": 5, "20110904": 4 }, total: 9 })
    expect((await stats("?visualization=v1")).total).toBe(2)
    expect((await stats("?visualization=none")).total).toBe(0)
    expect((await app.admin("GET /users/nobody/mapviews")).status).toBe(404)
    expect((await app.admin("GET /users/dev")).body["mapviews"]).toEqual({
      global: { "20110903": 5, "20110904": 4, "20111003": 3 },
    })
  })

  it("CDB-18: api_calls are 30 numbers, today first, written when they are old and never for who is gone", async () => {
    await open("--set", "carto.apiCallsEvery=60")
    await app.user()
    await app.user("ana", 2)
    for (let i = 0; i < 3; i++) await app.call("POST /users/dev/mapviews")
    await raw(5, "ZADD", "user:dev:mapviews:global", 5, "20110904", 9, "20110903")
    const expected = [3, ...Array.from({ length: 28 }, () => 0), 5]
    expect((await app.admin("GET /users/dev/api-calls")).body).toEqual(expected)
    expect((await app.admin("POST /jobs/api-calls/run")).body).toEqual({ updated: 2, skipped: 0 })
    expect(await raw(5, "HGET", "rails:users:dev", "api_calls")).toBe(JSON.stringify(expected))
    await app.call("POST /users/dev/mapviews")
    expect((await app.admin("POST /jobs/api-calls/run", {})).body).toEqual({ updated: 0, skipped: 2 })
    expect((await app.admin("GET /users/dev")).body["api_calls"]).toEqual(expected)
    expect((await app.admin("GET /users/dev/api-calls")).body).toEqual([4, ...expected.slice(1)])
    await app.user("eva", 3)
    expect((await app.admin("POST /jobs/api-calls/run")).body).toEqual({ updated: 1, skipped: 2 })
    expect((await app.admin("POST /jobs/api-calls/run", { force: true })).body).toEqual({ updated: 3, skipped: 0 })
    await app.close()

    await open("--clock", "2011-10-03T12:02:00Z", "--set", "carto.apiCallsEvery=60")
    expect((await app.admin("POST /jobs/api-calls/run")).body).toEqual({ updated: 3, skipped: 0 })
    expect(await raw(5, "TTL", "keywright:api-calls:dev")).toBeGreaterThan(0)
  })

  it("CDB-19: looking at the dashboard is noted, for who is there", async () => {
    await open()
    const key = await app.user()
    expect((await app.call(`POST /users/dev/dashboard?api_key=${key}`)).status).toBe(204)
    const at = (await usersRecord("dev"))["last_active_time"]
    expect(at).toMatch(/^2011-10-03T12:00:\d\d\.\d{3}Z$/)
    expect((await app.admin("GET /users/dev")).body["last_active_time"]).toBe(at)
    expect((await app.admin("POST /users/nobody/dashboard")).status).toBe(404)
    expect(await raw(5, "DBSIZE")).toBe(1)
  })

  it("CDB-1 CDB-20: all six databases are reported, and the fourth stays empty", async () => {
    await open()
    await app.user()
    await app.table()
    const names = ["tables_metadata", "queries_log", "threshold", "api_credentials", "node_details", "users_metadata"]
    const expected = names.map((name, db) => ({ db, name, keys: [1, 0, 0, 0, 0, 1][db] }))
    expect((await app.admin("GET /databases")).body).toEqual(expected)
    const health = await send(app.url, "GET /health")
    // Where databases are prefixes, counting is a walk over all keys: that is done for who asks.
    if (server().settings?.["placement"] === "cluster") return expect(health.body).toEqual({ status: "ok" })
    expect(health.body).toEqual({ status: "ok", systems: { carto: { databases: expected } } })
    expect(String((await send(app.url, "GET /metrics")).body)).toContain('carto_keys{database="users_metadata"} 1')
  })

  it("CDB-1: the databases can be others", async () => {
    await open("--set", "carto.dbs=8,9,10,11,12,13")
    await app.user()
    await app.table()
    await app.call("POST /users/dev/mapviews")
    expect(await sizes()).toEqual([0, 0, 0, 0, 0, 0])
    expect([await raw(8, "DBSIZE"), await raw(13, "DBSIZE")]).toEqual([1, 2])
    expect((await app.admin("GET /databases")).body).toMatchObject([
      { db: 8, keys: 1 },
      {},
      {},
      {},
      { db: 12, keys: 0 },
      { db: 13, keys: 2 },
    ])
  })

  it("CDB-21: databases 0 and 5 come back from the catalogue, key by key", async () => {
    await open()
    for (let i = 1; i <= 250; i++) {
      await app.user(`user-${i}`, i)
      if (i % 2 === 0)
        await app.table(`t${i}`, { user_id: i, privacy: i % 4 === 0 ? 1 : 0 }, `cartodb_dev_user_${i}_db`)
    }
    await app.admin("POST /users/user-7/dashboard")
    await app.admin("PATCH /users/user-8", { database_name: "moved" })
    await app.admin("POST /users/user-9/api-key")
    await app.admin("DELETE /users/user-10")
    await app.admin("PATCH /tables/cartodb_dev_user_12_db/t12", { infowindow: 'it\'s; "quoted" 🙂' })
    const before = await dumpAll(server().raw)
    await raw(0, "FLUSHDB")
    await raw(5, "FLUSHDB")
    expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 249, tables: 124 })
    expect(await dumpAll(server().raw)).toEqual(before)
    await app.call("POST /users/user-1/mapviews")
    const viewed = await dumpAll(server().raw)
    await app.admin("POST /jobs/restore/run")
    expect(await dumpAll(server().raw)).toEqual(viewed)
  })

  it("ALL-11: what is there but not as it should be is 500, with its key and without its value", async () => {
    await open()
    await app.user()
    await app.table("places", { privacy: 1 })
    await raw(0, "HSET", `rails:${DATABASE}:places`, "privacy", "canary")
    await raw(2, "SET", "rails:users:1:queries:total", "canary")
    await raw(2, "RPUSH", "rails:users:2:queries:2011-10:select", "canary")
    await raw(5, "SET", "rails:users:str", "canary")
    for (const [request, body, key] of [
      [`GET ${places}`, undefined, `rails:${DATABASE}:places`],
      ["GET /usage/1", undefined, "rails:users:1:queries:total"],
      ["POST /queries", { user_id: 1, sql: "select 1", time: 1 }, "rails:users:1:queries:total"],
      ["POST /queries", { user_id: 2, sql: "select 1", time: 1 }, "rails:users:2:queries:2011-10:select"],
      ["GET /lookup?host=str", undefined, "rails:users:str"],
    ] as const) {
      const before = await dumpAll(server().raw)
      const { status, body: answer } = await app.admin(request, body)
      expect([request, status, answer["details"]]).toEqual([request, 500, { key }])
      expect(JSON.stringify(answer)).not.toContain("canary")
      expect(await dumpAll(server().raw)).toEqual(before)
    }
    expect(app.logged()).not.toContain("canary")
  })

  it("ALL-11: one key that is not as it should be stops nobody else", async () => {
    await open()
    const key = await app.user("dev", 7)
    await app.user("ana", 2)
    await app.table("places", { user_id: 7 })
    await app.admin("POST /oauth-tokens", { user_id: 7 })
    await app.close()
    await open() // With a catalogue that knows nobody: owners are looked for in Redis.
    await raw(5, "SET", "rails:users:aaa", "canary")
    await raw(5, "HSET", "rails:users:bbb", "id", "canary")
    await raw(5, "SET", "user:ana:mapviews:global", "canary")
    await raw(3, "SET", "rails:oauth_tokens:aaa", "canary")
    await raw(3, "HSET", "rails:oauth_tokens:bbb", "user_id", "canary")
    expect((await app.call(`GET ${places}?api_key=${key}`)).status).toBe(200)
    expect((await app.admin("GET /oauth-tokens?user_id=7")).body["tokens"]).toHaveLength(1)
    expect((await app.admin("POST /jobs/api-calls/run")).body).toEqual({ updated: 2, skipped: 0 })
    expect((await app.admin("DELETE /users/dev")).status).toBe(204)
    expect(await raw(3, "DBSIZE")).toBe(2)

    await app.user("eva", 3)
    await app.table("cities", { user_id: 3 })
    for (const [db, name] of [
      [0, `rails:${DATABASE}:cities`],
      [5, "rails:users:eva"],
    ] as const) {
      await raw(db, "DEL", name)
      await raw(db, "SET", name, "canary")
    }
    await app.user("tom", 4)
    await raw(5, "DEL", "rails:users:tom")
    expect((await app.admin("POST /jobs/restore/run")).body).toEqual({ users: 1, tables: 0 })
    expect((await app.call("GET /lookup?host=tom")).status).toBe(200)
    await expect.poll(() => app.logged()).toContain("corrupt")
    expect(app.logged()).not.toContain("canary")
  })

  it("ALL-2 ALL-7: every key of all six databases is one of the schema's, with its type and without a TTL", async () => {
    await open("--set", "carto.queriesLog=true", "--demo")
    await app.user("eva", 3)
    await app.table("public.x", { user_id: 3 }, "cartodb_dev_user_3_db")
    await app.admin("POST /queries", {
      user_id: 3,
      sql: "select 1; insert into t; update t; delete from t; vacuum",
      time: 2,
    })
    await app.admin("POST /oauth-tokens", { user_id: 3 })
    await app.call("POST /users/eva/mapviews", { body: { visualization_id: "2b13c956-e7c1-11e2-857b-5404a6a683d5" } })
    await app.admin("POST /users/eva/dashboard")
    await app.admin("POST /jobs/api-calls/run")
    await app.admin("POST /users/eva/rename", { username: "adam" })
    await app.admin("POST /jobs/restore/run")
    expect((await sizes()).map((keys) => keys > 0)).toEqual([true, true, true, true, false, true])
    expect(await allMisfits(server().raw)).toEqual([])
  })

  it("--demo adds the same each time, once", async () => {
    await open("--demo")
    const first = await dumpAll(server().raw)
    await app.close()
    await open("--demo")
    expect(await dumpAll(server().raw)).toEqual(first)
    expect((await app.call("GET /tables/cartodb_dev_user_1_db/places")).status).toBe(200)
    expect((await app.call(`GET /users/dev/api-calls?api_key=${"d".repeat(40)}`)).status).toBe(200)
  })
}

onBothServers("carto", body)
inFullOnCluster("carto", body, inPlace)
inFullOnCluster("carto", body, inDatabases)
