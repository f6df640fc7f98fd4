/* What is refused, and that nothing is written then. */

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { rawRequest } from "../platform/testing/raw-http.ts"
import { ADMIN, send, serveForTest, type Served } from "../platform/testing/serve.ts"
import { dump } from "../platform/testing/stored.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onShards } from "./shards.cases.ts"

const long = "x".repeat(257)
/** request, body, status, code; `S` is a live session, `A` the admin. */
const table: readonly (readonly [
  who: "" | "S" | "A" | "wrong",
  request: string,
  body: unknown,
  status: number,
  code: string,
])[] = [
  // ALL-4, SHOP-23: segments, members and fields
  ["S", "POST /views", { item: "" }, 400, "invalid_input"],
  ["S", "POST /views", { item: "with space" }, 400, "invalid_input"],
  ["S", "POST /views", { item: "tab\there" }, 400, "invalid_input"],
  ["S", "POST /views", { item: "nul\u0000" }, 400, "invalid_input"],
  ["S", "POST /views", { item: "\ud800" }, 400, "invalid_input"],
  ["S", "POST /views", { item: long }, 400, "invalid_input"],
  ["S", "PUT /cart/items/with%20space", { quantity: 1 }, 400, "invalid_input"],
  ["S", "PUT /cart/items/", { quantity: 1 }, 400, "invalid_input"],
  ["S", "PUT /cart/items/%E0%A4%A", { quantity: 1 }, 400, "invalid_url"],
  ["S", `PUT /cart/items/${long}`, { quantity: 1 }, 400, "invalid_input"],
  ["A", "PUT /rows/a:b/schedule", { delay: 5 }, 400, "invalid_input"],
  ["A", "PUT /rows/a%20b/schedule", { delay: 5 }, 400, "invalid_input"],
  ["A", "PUT /rows//schedule", { delay: 5 }, 400, "invalid_input"],
  ["A", "DELETE /rows/a:b/schedule", undefined, 400, "invalid_input"],
  ["A", "PUT /source/rows/a:b", { qty: 1 }, 400, "invalid_input"],
  ["", "GET /inventory/a:b", undefined, 400, "invalid_input"],
  ["", "GET /pages?item=", undefined, 400, "invalid_input"],
  ["", "GET /pages?item=a%20b", undefined, 400, "invalid_input"],
  ["", "GET /pages?item=a&item=b", undefined, 400, "invalid_input"],
  ["", "GET /pages?item=%FF", undefined, 400, "invalid_url"],
  ["", "POST /login", { user: "" }, 400, "invalid_input"],
  ["", "POST /login", { user: "  " }, 400, "invalid_input"],
  ["", "POST /login", { user: "a\nb" }, 400, "invalid_input"],
  ["", "POST /login", {}, 400, "invalid_input"],
  ["", "POST /login", { user: "a", password: "p".repeat(65_536) }, 413, "body_too_large"],
  // ALL-12: numbers
  ["S", "PUT /cart/items/i", { quantity: "2" }, 400, "invalid_input"],
  ["S", "PUT /cart/items/i", { quantity: 1.5 }, 400, "invalid_input"],
  ["S", "PUT /cart/items/i", { quantity: null }, 400, "invalid_input"],
  ["S", "PUT /cart/items/i", { quantity: 1_000_001 }, 400, "invalid_input"],
  ["S", "PUT /cart/items/i", '{"quantity":1e999}', 400, "invalid_input"],
  ["S", "PUT /cart/items/i", '{"quantity":-1e999}', 400, "invalid_input"],
  ["S", "PUT /cart/items/i", '{"quantity":NaN}', 400, "malformed_json"],
  ["A", "PUT /rows/1/schedule", '{"delay":1e999}', 400, "invalid_input"],
  ["A", "PUT /rows/1/schedule", { delay: "5" }, 400, "invalid_input"],
  ["A", "PUT /rows/1/schedule", {}, 400, "invalid_input"],
  ["A", "PUT /source/rows/1", '{"qty":1e999}', 400, "invalid_input"],
  ["S", "GET /session/viewed?limit=0", undefined, 400, "invalid_input"],
  ["S", "GET /session/viewed?limit=26", undefined, 400, "invalid_input"],
  ["S", "GET /session/viewed?limit=-1", undefined, 400, "invalid_input"],
  ["S", "GET /session/viewed?limit=1e1", undefined, 400, "invalid_input"],
  ["S", "GET /session/viewed?limit=", undefined, 400, "invalid_input"],
  ["", "GET /popular?limit=1&limit=2", undefined, 400, "invalid_input"],
  ["", "GET /popular?offset=99999999999999999", undefined, 400, "invalid_input"],
  // ALL-12: shapes
  ["S", "POST /views", { item: "i", more: 1 }, 400, "invalid_input"],
  ["S", "POST /views", [], 400, "invalid_input"],
  ["S", "POST /views", "null", 400, "invalid_input"],
  ["S", "POST /views", "{", 400, "malformed_json"],
  ["S", "POST /views", "", 400, "malformed_json"],
  ["S", "POST /views", '{"item":"i","__proto__":{"a":1}}', 400, "invalid_input"],
  ["A", "PUT /source/rows/1", '{"__proto__":{"a":1}}', 400, "invalid_input"],
  ["A", "PUT /source/rows/1", '{"a":[{"__proto__":1}]}', 400, "invalid_input"],
  ["A", "PUT /source/rows/1", [1], 400, "invalid_input"],
  ["A", "PUT /source/rows/1", "3", 400, "invalid_input"],
  ["A", "PUT /source/customers/ann", { password: "" }, 400, "invalid_input"],
  ["A", "PUT /source/customers/ann", { password: 5 }, 400, "invalid_input"],
  ["A", "POST /jobs/rescale/run", { force: "yes" }, 400, "invalid_input"],
  ["A", "POST /jobs/rescale/run", { forse: true }, 400, "invalid_input"],
  ["", "GET /popular?limti=1", undefined, 400, "invalid_input"],
  // who calls
  ["", "POST /views", { item: "i" }, 401, "unauthorized"],
  ["wrong", "POST /views", { item: "i" }, 401, "unauthorized"],
  ["", "GET /cart", undefined, 401, "unauthorized"],
  ["wrong", "PUT /cart/items/i", { quantity: 1 }, 401, "unauthorized"],
  ["wrong", "PUT /cart/items/with%20space", { quantity: "2" }, 401, "unauthorized"],
  ["wrong", "POST /views", "{", 401, "unauthorized"],
  ["wrong", "GET /session/viewed?limit=0", undefined, 401, "unauthorized"],
  ["", "PUT /rows/1/schedule", { delay: 5 }, 401, "unauthorized"],
  ["wrong", "PUT /rows/1/schedule", { delay: 5 }, 401, "unauthorized"],
  ["S", "PUT /rows/1/schedule", { delay: 5 }, 401, "unauthorized"],
  ["", "PUT /rows/a:b/schedule", { delay: "x" }, 401, "unauthorized"],
  ["", "POST /jobs/clean/run", undefined, 401, "unauthorized"],
  ["", "PUT /source/customers/ann", { password: "p" }, 401, "unauthorized"],
  // nothing there
  ["", "GET /inventory/404", undefined, 404, "not_found"],
  ["", "GET /nothing", undefined, 404, "no_such_route"],
  ["", "GET /cart/", undefined, 404, "no_such_route"],
  ["", "GET /../etc/passwd", undefined, 404, "no_such_route"],
  ["S", "PATCH /cart", undefined, 405, "method_not_allowed"],
  ["", "GET /login", undefined, 405, "method_not_allowed"],
  ["", "OPTIONS /views", undefined, 405, "method_not_allowed"],
]

onAnyServerAndInFullOnCluster(
  "bad input to the shop",
  (server) => {
    let shop: Served
    let token = ""
    beforeAll(async () => {
      shop = await serveForTest(server(), "shop", "--set", "shop.openLogin=true")
    })
    beforeEach(async () => {
      token = (await shop.call("POST /login", { body: { user: "user1" } })).body["token"]
      await shop.call("POST /views", { token, body: { item: "item1" } })
    })
    afterAll(() => shop?.close())
    const raw = (...command: (string | number)[]) => server().raw(...command)

    it.each(table)("ALL-4 ALL-12 SHOP-23: %s %s %j → %i %s", async (who, request, body, status, code) => {
      const tokens = { "": undefined, S: token, A: ADMIN, wrong: "not-the-token" }
      const before = await dump(raw)
      const answer = await shop.call(request, { body, token: tokens[who] })
      expect([answer.status, answer.body["error"]]).toEqual([status, code])
      expect(answer.body["message"]).toMatch(/./)
      expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:|\.js:|at .*\(/)
      expect(await dump(raw)).toEqual(before)
    })

    it("ALL-12: a method that is not allowed names those that are", async () => {
      expect((await shop.call("POST /cart")).headers.get("allow")).toBe("DELETE, GET, HEAD")
      expect((await shop.call("GET /views")).headers.get("allow")).toBe("POST")
    })

    it.each(["xn--", "1.2.3.999"])("a page is not made for %s, which is not a host", async (host) => {
      const { status, body } = await rawRequest(shop.url, "GET /pages?item=item1", { host })
      expect([status, JSON.parse(body)]).toEqual([400, expect.objectContaining({ error: "invalid_url" })])
    })

    it("ALL-12: bodies have to be JSON by their type, and not too large", async () => {
      const before = await dump(raw)
      const views = (headers: Record<string, string>, body: string) =>
        send(shop.url, "POST /views", { token, headers, body })
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "x"])
        expect([type, (await views({ "content-type": type }, '{"item":"i"}')).status]).toEqual([type, 415])
      expect((await views({ "content-encoding": "gzip" }, '{"item":"i"}')).status).toBe(415)
      const large = await views({}, JSON.stringify({ item: "x".repeat(1024 * 1024) }))
      expect([large.status, large.body]).toMatchObject([413, { error: "body_too_large" }])
      expect(await dump(raw)).toEqual(before)
      expect((await views({ "content-type": "application/json; charset=utf-8" }, '{"item":"i"}')).status).toBe(204)
      expect((await views({ "content-type": "application/vnd.api+json" }, '{"item":"i"}')).status).toBe(204)
    })

    it("ALL-12: a body is nested 256 deep at most", async () => {
      const nested = async (levels: number) =>
        (await shop.admin("PUT /source/rows/1", `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`)).status
      expect([await nested(256), await nested(257), await nested(100_000)]).toEqual([204, 400, 400])
    })

    it("repeats no more than a part of a long name that is given twice", async () => {
      const name = "n".repeat(5000)
      const { status, body } = await shop.call(`GET /popular?${name}=1&${name}=2`)
      expect([status, JSON.stringify(body).length < 500]).toEqual([400, true])
    })

    it("ALL-12: a body that is not UTF-8 is refused", async () => {
      const response = await fetch(`${shop.url}/views`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: Buffer.from([...Buffer.from('{"item":"'), 0xff, ...Buffer.from('"}')]),
      })
      expect([response.status, await response.json()]).toMatchObject([400, { error: "malformed_json" }])
    })

    it("answers with the caller's request id, if it is one", async () => {
      const idOf = async (given: string) =>
        (await send(shop.url, "GET /popular", { headers: { "x-request-id": given } })).headers.get("x-request-id")
      expect(await idOf("my-id.7")).toBe("my-id.7")
      expect(await idOf("a b")).not.toBe("a b")
      expect((await send(shop.url, "GET /nothing")).headers.get("x-request-id")).toMatch(/./)
    })

    it("has no admin without a token", async () => {
      const closed = await serveForTest(server(), "shop", "--no-admin")
      try {
        const answer = await closed.call("POST /jobs/clean/run", { token: ADMIN })
        expect([answer.status, answer.body["error"]]).toEqual([403, "forbidden"])
      } finally {
        await closed.close()
      }
    })
  },
  onShards,
)
