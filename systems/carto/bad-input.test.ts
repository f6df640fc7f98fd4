/* What is refused, that nothing is written then, and that no secret is said anywhere. */

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { cartoForTest, DATABASE, dumpAll, PLACES, type Carto } from "./carto.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { inPlace } from "./in-place.cases.ts"

const user = { id: 9, username: "eva", database_name: "d" }
const query = { user_id: 1, sql: "select 1" }
const table = `/tables/${DATABASE}/t`
const without = (body: Readonly<Record<string, unknown>>, field: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
/** Separators, globs, white space, control characters, nothing, and too much. */
const NO_NAMES = [
  "",
  "a:b",
  "a*",
  "a?",
  "[a]",
  "a\\b",
  "a b",
  "a\n",
  "a\0",
  "ä",
  "A",
  "{a}",
  "a".repeat(64),
  "-a",
  "../a",
]

type Who = "" | "A" | "wrong"
type Row = readonly [who: Who, request: string, body: unknown, status: number, code: string]
const refuse = (request: string, ...bodies: unknown[]): Row[] =>
  bodies.map((body) => ["A", request, body, 400, "invalid_input"] as const)

const table_: readonly Row[] = [
  // CDB-3
  ...Object.keys(user).flatMap((field) => refuse("POST /users", without(user, field))),
  ...NO_NAMES.flatMap((name) =>
    refuse("POST /users", { ...user, username: name }, { ...user, database_name: name === "-a" ? "a-b" : name }),
  ),
  ...[0, -1, 1.5, "9", null, 2 ** 53, true].flatMap((id) => refuse("POST /users", { ...user, id })),
  ...["", "a b", "a\n", "ä", 7, "x".repeat(256)].flatMap((map_key) => refuse("POST /users", { ...user, map_key })),
  ...refuse("POST /users", { ...user, more: 1 }, "[]", "null", '"x"'),
  ["A", "POST /users", "{", 400, "malformed_json"],
  ["A", "POST /users", '{"id":1e999}', 400, "invalid_input"],
  ["A", "POST /users", undefined, 415, "unsupported_media_type"],
  ["A", "POST /users", `{"username":"${"x".repeat(1_048_576)}"}`, 413, "body_too_large"],
  ["", "POST /users", user, 401, "unauthorized"],
  ["wrong", "POST /users", user, 401, "unauthorized"],
  ["A", "POST /users", { ...user, username: "dev" }, 409, "username_taken"],
  ["A", "POST /users", { ...user, id: 1 }, 409, "id_taken"],
  // CDB-4
  ...refuse("GET /lookup?host=a*b", undefined),
  ...refuse("GET /lookup?host=", undefined),
  ...refuse("GET /lookup?host=.cartodb.com", undefined),
  ...refuse("GET /lookup?host=dev&host=ana", undefined),
  ...refuse("GET /lookup?user=dev", undefined),
  ["A", "GET /lookup?host=%ff", undefined, 400, "invalid_url"],
  ["", "GET /lookup?host=nobody", undefined, 404, "no_such_user"],
  // CDB-5, CDB-6, CDB-7, CDB-19
  ...["GET", "DELETE"].flatMap((method) => refuse(`${method} /users/a:b`, undefined)),
  ...refuse("GET /users/*", undefined),
  ...refuse("GET /users/", undefined),
  ...refuse("PATCH /users/dev", { database_name: "a:b" }, { username: "x" }, { map_key: "x" }, { database_name: null }),
  ["A", "PATCH /users/nobody", { database_name: "x" }, 404, "no_such_user"],
  ["A", "DELETE /users/nobody", undefined, 404, "no_such_user"],
  ["", "DELETE /users/dev", undefined, 401, "unauthorized"],
  ["", "GET /users/dev", undefined, 401, "unauthorized"],
  ["wrong", "GET /users/dev", undefined, 401, "unauthorized"],
  ["wrong", "GET /users/nobody", undefined, 401, "unauthorized"],
  ...NO_NAMES.flatMap((username) => refuse("POST /users/dev/rename", { username })),
  ...refuse("POST /users/dev/rename", {}, { username: 7 }, { username: "x", more: 1 }),
  ["A", "POST /users/dev/rename", { username: "ana" }, 409, "username_taken"],
  ["A", "POST /users/nobody/rename", { username: "x" }, 404, "no_such_user"],
  ["A", "POST /users/nobody/dashboard", undefined, 404, "no_such_user"],
  ["wrong", "POST /users/dev/dashboard", undefined, 401, "unauthorized"],
  // CDB-8, CDB-9
  ...NO_NAMES.filter((name) => name !== "" && name !== "../a").flatMap((name) =>
    refuse(`PUT /tables/${DATABASE}/${encodeURIComponent(name)}`, PLACES),
  ),
  ...refuse(`PUT /tables/a%3Ab/t`, PLACES),
  ...refuse(`PUT /tables/${DATABASE}/a.b.c`, PLACES),
  ...refuse(`PUT /tables/${DATABASE}/1t`, PLACES),
  ...["user_id", "the_geom_type"].flatMap((field) => refuse(`PUT ${table}`, without(PLACES, field))),
  ...[2, -1, "2", "0", "1", true, null, "secret", 0.5].flatMap((privacy) =>
    refuse(`PUT ${table}`, { ...PLACES, privacy }),
  ),
  ...["line", "", 7, "POINT"].flatMap((the_geom_type) => refuse(`PUT ${table}`, { ...PLACES, the_geom_type })),
  ...[7, null, ["a", 7], ["a,b"], [""], "a\0", "\ud800", "x".repeat(65_537)].flatMap((infowindow) =>
    refuse(`PUT ${table}`, { ...PLACES, infowindow }),
  ),
  ...[0, -1, "1", 1.5].flatMap((user_id) => refuse(`PUT ${table}`, { ...PLACES, user_id })),
  ...refuse(`PUT ${table}`, { ...PLACES, map_metadata: "{}" }),
  ...refuse(`PATCH /tables/${DATABASE}/places`, { privacy: 2 }, { user_id: 0 }, { name: "x" }),
  ...refuse(`POST /tables/${DATABASE}/places/rename`, {}, { table: "a:b" }, { table: "*" }, { table: "" }),
  ["A", `POST /tables/${DATABASE}/none/rename`, { table: "x" }, 404, "no_such_table"],
  ["A", `DELETE /tables/${DATABASE}/none`, undefined, 404, "no_such_table"],
  ["", `PUT ${table}`, PLACES, 401, "unauthorized"],
  ["wrong", `PUT ${table}`, PLACES, 401, "unauthorized"],
  ["wrong", `DELETE /tables/${DATABASE}/places`, undefined, 401, "unauthorized"],
  ["", `GET /tables/${DATABASE}`, undefined, 401, "unauthorized"],
  ["", `GET /tables/${DATABASE}/places`, undefined, 401, "unauthorized"],
  // CDB-11
  ...Object.keys(query).flatMap((field) => refuse("POST /queries", without(query, field))),
  ...[-1, -0.001, "1", null, true, 1e10].flatMap((time) => refuse("POST /queries", { ...query, time })),
  ["A", "POST /queries", '{"user_id":1,"sql":"select 1","time":1e999}', 400, "invalid_input"],
  ["A", "POST /queries", '{"user_id":1,"sql":"select 1","time":NaN}', 400, "malformed_json"],
  ...[7, null, ["select 1"]].flatMap((sql) => refuse("POST /queries", { ...query, sql })),
  ...[0, -1, "1", 1.5, "1:queries"].flatMap((user_id) => refuse("POST /queries", { ...query, user_id })),
  ...refuse("POST /queries", { ...query, kind: "truncate" }),
  ["", "POST /queries", query, 401, "unauthorized"],
  ...["2011-13", "2011-1", "2011-10-03", "*", ""].flatMap((month) => refuse(`GET /usage/1?month=${month}`, undefined)),
  ...["0", "-1", "1.5", "x", "*", "01", "99999999999999999"].flatMap((id) => refuse(`GET /usage/${id}`, undefined)),
  ["", "GET /usage/1", undefined, 401, "unauthorized"],
  // CDB-14
  ...["2011-10-3", "2011-02-30", "*", "today"].flatMap((day) => refuse(`GET /logs/${day}`, undefined)),
  ...["offset=-1", "limit=0", "limit=1001", "limit=x"].flatMap((page) =>
    refuse(`GET /logs/2011-10-03?${page}`, undefined),
  ),
  ["", "GET /logs/2011-10-03", undefined, 401, "unauthorized"],
  // CDB-15
  ...[0, "1", -1, null].flatMap((user_id) => refuse("POST /oauth-tokens", { user_id })),
  ...refuse("GET /oauth-tokens/a:b", undefined),
  ...refuse("DELETE /oauth-tokens/*%20", undefined),
  ...refuse("GET /oauth-tokens", undefined),
  ["A", "DELETE /oauth-tokens/none", undefined, 404, "no_such_token"],
  ["", "POST /oauth-tokens", { user_id: 1 }, 401, "unauthorized"],
  // CDB-16, CDB-17
  ...["", "a:b", "a*", "a b", "a\0", 7, "x".repeat(129)].flatMap((visualization_id) =>
    refuse("POST /users/dev/mapviews", { visualization_id }),
  ),
  ...refuse("POST /users/dev/mapviews", { tag: "v1" }),
  ...refuse("POST /users/d:v/mapviews", {}),
  ["", "POST /users/nobody/mapviews", {}, 404, "no_such_user"],
  ...["from=2011-10-03", "to=20111332", "from=20111003&to=20111002", "from=19000101", "visualization=a:b"].flatMap(
    (range) => refuse(`GET /users/dev/mapviews?${range}`, undefined),
  ),
  ["", "GET /users/dev/mapviews", undefined, 401, "unauthorized"],
  // CDB-18, CDB-21
  ...refuse("POST /jobs/api-calls/run", { force: "yes" }, { users: [] }),
  ["", "POST /jobs/api-calls/run", {}, 401, "unauthorized"],
  ["wrong", "POST /jobs/restore/run", undefined, 401, "unauthorized"],
  ["", "GET /databases", undefined, 401, "unauthorized"],
  // ALL-12
  ["A", "GET /nothing", undefined, 404, "no_such_route"],
  ["A", "PUT /users/dev", undefined, 405, "method_not_allowed"],
]

onAnyServerAndInFullOnCluster(
  "bad input for carto",
  (server) => {
    let app: Carto
    beforeAll(async () => {
      app = await cartoForTest(server())
    })
    beforeEach(async () => {
      await app.user()
      await app.user("ana", 2)
      await app.table()
    })
    afterAll(() => app.close())

    it("each is refused with its status and code, and nothing is written", async () => {
      const before = await dumpAll(server().raw)
      for (const [who, request, body, status, code] of table_) {
        const token = { "": undefined, A: ADMIN, wrong: "x".repeat(43) }[who]
        const refused = await app.call(request, { token, ...(body !== undefined && { body }) })
        const said = String(JSON.stringify(body)).slice(0, 60)
        expect([request, said, refused.status, refused.body["error"]]).toEqual([request, said, status, code])
      }
      expect(await dumpAll(server().raw)).toEqual(before)
    })

    it("CDB-5 CDB-9: callers without the right to it learn that, and not what is wrong with the request", async () => {
      const wrong = `${DATABASE}/places?api_key=wrong`
      for (const request of [
        "POST /users/dev/rename?api_key=wrong",
        "POST /users/d*v/rename?api_key=wrong",
        "GET /users/dev?api_key=wrong&more=1",
        `GET /users/dev?api_key=${"x".repeat(2000)}`,
        "GET /users/dev/mapviews?api_key=wrong&from=x",
        "GET /usage/1?api_key=wrong&month=x",
        "GET /usage/x?api_key=wrong",
        `PUT /tables/${wrong}`,
        `PATCH /tables/${wrong}`,
        `POST /tables/${wrong.replace("?", "/rename?")}`,
      ])
        expect([request, (await app.call(request, request.startsWith("GET") ? {} : { body: "{" })).status]).toEqual([
          request,
          401,
        ])
      const key = (await app.admin("POST /users/dev/api-key")).body["map_key"]
      expect((await app.call(`PATCH /tables/${DATABASE}/places?api_key=${key}`, { body: "{" })).status).toBe(400)
      expect((await app.admin("GET /usage/x")).status).toBe(400)
    })

    it("CDB-12: SQL with quotes, comments and semicolons is counted, not carried out", async () => {
      const sql = `select '"; drop table users; --' /* ; */; /* a; */ (insert into "t;" values ($$;$$)); -- ; delete`
      expect((await app.admin("POST /queries", { user_id: 1, sql, time: 1e-7 })).status).toBe(204)
      expect((await app.admin("GET /usage/1")).body).toMatchObject({
        total: 2,
        month: { queries: 2, select: 1, insert: 1, delete: 0, other: 0, time: 1e-7 },
      })
    })

    it("without an admin token, admin routes are closed, and keys still open what is theirs", async () => {
      const closed = await cartoForTest(server(), "--no-admin", "--demo")
      try {
        for (const request of ["GET /databases", "POST /jobs/restore/run", "DELETE /users/dev"])
          expect((await closed.call(request, { token: ADMIN })).status).toBe(403)
        await server().raw("SELECT", 5)
        const key = (await server().raw("HGET", "rails:users:dev", "map_key")) as string
        expect((await closed.call(`GET /users/dev?api_key=${key}`)).status).toBe(200)
        expect((await closed.call("GET /users/dev")).status).toBe(401)
      } finally {
        await closed.close()
      }
    })

    it("keys and tokens are in no log, error or metric", async () => {
      const { token } = (await app.admin("POST /oauth-tokens", { user_id: 1 })).body as { token: string }
      const { map_key } = (await app.admin("POST /users/dev/api-key")).body as { map_key: string }
      await server().raw("SELECT", 3)
      await server().raw("HSET", `rails:oauth_tokens:${token}`, "user_id", "nonsense")
      await server().raw("SELECT", 5)
      const answers = [
        await app.call(`GET /tables/${DATABASE}/places`, { token }),
        await app.call(`GET /tables/${DATABASE}/places?api_key=${map_key}&more=1`),
        await app.admin(`GET /oauth-tokens/${token}`),
        await app.admin("GET /users/dev"),
        await app.call(`GET /users/dev/mapviews?api_key=${map_key}`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([500, 400, 500, 200, 200])
      const metrics = await send(app.url, "GET /metrics")
      const said = app.logged() + JSON.stringify(answers.map(({ body }) => body)) + String(metrics.body)
      for (const secret of [token, map_key, ADMIN]) expect(said.includes(secret)).toBe(false)
    })
  },
  inPlace,
)
