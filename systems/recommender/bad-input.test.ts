/* What is refused, and that nothing is written then: neither to Redis nor to the source. */

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { ADMIN, send, serveForTest, type Served } from "../platform/testing/serve.ts"
import { dump } from "../platform/testing/stored.ts"
import { noon, sourceOf } from "./source.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onShards } from "./shards.cases.ts"

const clg = { category: 0, is_public: true, duration: 21 }
const post = { challenge: 1, user: 5, text: "x" }
/** who, request, body, status, code; `A` is the admin. */
const table: readonly (readonly [
  who: "" | "A" | "wrong",
  request: string,
  body: unknown,
  status: number,
  code: string,
])[] = [
  // REC-19: fields of records
  ["A", "POST /challenges", { ...clg, category: 5 }, 400, "unknown_category"],
  ["A", "POST /challenges", { ...clg, category: 64 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, category: -1 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, category: "0" }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, category: 0.5 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, duration: 0 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, duration: 3651 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, is_public: 1 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, id: 0 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, id: -3 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, id: 1.5 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, id: 2 ** 53 }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, id: "7" }, 400, "invalid_input"],
  ["A", "POST /challenges", '{"category":1e999,"is_public":true,"duration":1}', 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, created: "yesterday" }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, created: "2024-02-30T00:00:00Z" }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, created: "2024-01-01T00:00:00" }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, created: "9999-01-01T00:00:00Z" }, 400, "invalid_input"],
  ["A", "POST /challenges", { ...clg, created: 1_704_067_200 }, 400, "invalid_input"],
  ["A", "POST /challenges", { category: 0, is_public: true }, 400, "invalid_input"],
  ["A", "POST /challenges", [], 400, "invalid_input"],
  ["A", "POST /challenges", "{", 400, "malformed_json"],
  ["A", "POST /challenges", undefined, 415, "unsupported_media_type"],
  ["A", "POST /members", { challenge: 1 }, 400, "invalid_input"],
  ["A", "POST /members", { challenge: 1, user: 0 }, 400, "invalid_input"],
  ["A", "POST /members", { challenge: 1, user: "5:6" }, 400, "invalid_input"],
  ["A", "POST /posts", { ...post, user: -1 }, 400, "invalid_input"],
  ["A", "POST /posts", { ...post, text: 7 }, 400, "invalid_input"],
  ["A", "POST /posts", { ...post, text: "nul\u0000" }, 400, "invalid_input"],
  ["A", "POST /posts", { ...post, text: "\ud800" }, 400, "invalid_input"],
  ["A", "POST /posts", { ...post, text: "x".repeat(10_001) }, 400, "invalid_input"],
  ["A", "POST /posts", { ...post, likes: 5 }, 400, "invalid_input"],
  ["A", "POST /posts", { ...post, text: "x".repeat(1_100_000) }, 413, "body_too_large"],
  ["A", "POST /reactions", { post: 1, user: 9, cancelled: "no" }, 400, "invalid_input"],
  ["A", "POST /reactions", { post: 1 }, 400, "invalid_input"],
  ["A", "POST /trackings", { user: null }, 400, "invalid_input"],
  ["A", "POST /blocks", { user: 1, author: "2" }, 400, "invalid_input"],
  ["A", "DELETE /blocks/1/x", undefined, 400, "invalid_input"],
  // REC-19: what they refer to, and ids
  ["A", "POST /members", { challenge: 99, user: 5 }, 404, "no_such_challenge"],
  ["A", "POST /posts", { ...post, challenge: 99 }, 404, "no_such_challenge"],
  ["A", "POST /reactions", { post: 99, user: 9 }, 404, "no_such_post"],
  ["A", "POST /reactions", { post: 2, user: 9 }, 404, "no_such_post"],
  ["A", "DELETE /posts/99", undefined, 404, "no_such_post"],
  ["A", "DELETE /posts/2", undefined, 404, "no_such_post"],
  ["A", "DELETE /blocks/1/2", undefined, 404, "not_blocked"],
  ["A", "POST /members", { challenge: 1, user: 5 }, 409, "already_member"],
  ["A", "POST /posts", { ...post, user: 6 }, 409, "not_a_member"],
  ["A", "POST /posts", { ...post, id: 1 }, 409, "id_taken"],
  ["A", "POST /posts", { ...post, id: 39 }, 409, "id_passed"],
  ["A", "POST /challenges", { ...clg, id: 1 }, 409, "id_taken"],
  // REC-2, REC-21, REC-C16
  ["A", "POST /jobs/nightly", { date: "2024-01-01" }, 409, "date_passed"],
  ["A", "POST /jobs/nightly", { date: "2024-1-3" }, 400, "invalid_input"],
  ["A", "POST /jobs/nightly", { date: "2024-02-30" }, 400, "invalid_input"],
  ["A", "POST /jobs/nightly", { date: "2024-01-03T00:00:00Z" }, 400, "invalid_input"],
  ["A", "POST /jobs/nightly", { date: 20_240_103 }, 400, "invalid_input"],
  ["A", "POST /jobs/nightly", { day: "2024-01-03" }, 400, "invalid_input"],
  ["A", "POST /jobs/rebuild", { max_post_age: 0 }, 400, "invalid_input"],
  ["A", "POST /jobs/rebuild", { distinct_category: 65 }, 400, "invalid_input"],
  ["A", "PUT /params", { max_post_age: 0 }, 400, "invalid_input"],
  ["A", "PUT /params", { max_post_age: 3651 }, 400, "invalid_input"],
  ["A", "PUT /params", { distinct_category: 0 }, 400, "invalid_input"],
  ["A", "PUT /params", { distinct_category: 65 }, 400, "invalid_input"],
  ["A", "PUT /params", { distinct_category: "5" }, 400, "invalid_input"],
  ["A", "PUT /params", { max_age: 5 }, 400, "invalid_input"],
  ["A", "PUT /params", { max_post_age: 8 }, 409, "rebuild_needed"],
  ["A", "PUT /params", { distinct_category: 6 }, 409, "rebuild_needed"],
  // ALL-4: what becomes a key
  ["", "GET /users/0/recommendations", undefined, 400, "invalid_input"],
  ["", "GET /users/x/recommendations", undefined, 400, "invalid_input"],
  ["", "GET /users/01/liked", undefined, 400, "invalid_input"],
  ["", "GET /users/-1/preferences", undefined, 400, "invalid_input"],
  ["", "GET /users/1%20/contribution", undefined, 400, "invalid_input"],
  ["", "GET /users/99999999999999999/liked", undefined, 400, "invalid_input"],
  ["", "GET /users/1e3/liked", undefined, 400, "invalid_input"],
  ["", "GET /users//liked", undefined, 400, "invalid_input"],
  ["", "GET /categories/x/posts", undefined, 400, "invalid_input"],
  ["", "GET /categories/5/posts", undefined, 400, "unknown_category"],
  ["", "GET /categories/64/posts", undefined, 400, "invalid_input"],
  ["", "GET /challenges/0", undefined, 400, "invalid_input"],
  ["", "GET /posts/*", undefined, 400, "invalid_input"],
  ["A", "DELETE /posts/x", undefined, 400, "invalid_input"],
  ["A", "DELETE /categories/5/posts?from=0&to=1", undefined, 400, "unknown_category"],
  ["A", "DELETE /categories/0/posts", undefined, 400, "invalid_input"],
  ["A", "DELETE /categories/0/posts?from=0", undefined, 400, "invalid_input"],
  ["A", "DELETE /categories/0/posts?from=-1&to=1", undefined, 400, "invalid_input"],
  ["A", "DELETE /categories/0/posts?from=0&to=inf", undefined, 400, "invalid_input"],
  ["", "GET /users/1/recommendations?limit=0", undefined, 400, "invalid_input"],
  ["", "GET /users/1/recommendations?limit=1001", undefined, 400, "invalid_input"],
  ["", "GET /users/1/recommendations?limit=ten", undefined, 400, "invalid_input"],
  ["", "GET /users/1/recommendations?seed=", undefined, 400, "invalid_input"],
  ["", "GET /users/1/recommendations?sead=1", undefined, 400, "invalid_input"],
  // who calls
  ...["POST /challenges", "POST /members", "POST /posts", "POST /reactions", "POST /trackings", "POST /blocks"].map(
    (request) => ["", request, {}, 401, "unauthorized"] as const,
  ),
  ["wrong", "POST /jobs/nightly", undefined, 401, "unauthorized"],
  ["", "POST /jobs/rebuild", undefined, 401, "unauthorized"],
  ["", "DELETE /posts/1", undefined, 401, "unauthorized"],
  ["", "DELETE /categories/0/posts?from=0&to=9", undefined, 401, "unauthorized"],
  ["", "PUT /params", { max_post_age: 3 }, 401, "unauthorized"],
  ["wrong", "DELETE /blocks/1/2", undefined, 401, "unauthorized"],
  // nothing there
  ["", "GET /challenges/99", undefined, 404, "no_such_challenge"],
  ["", "GET /posts/99", undefined, 404, "no_such_post"],
  ["", "GET /users/1", undefined, 404, "no_such_route"],
  ["", "PATCH /params", undefined, 405, "method_not_allowed"],
  ["", "GET /jobs/nightly", undefined, 405, "method_not_allowed"],
]

onAnyServerAndInFullOnCluster(
  "bad input to the recommender",
  (server) => {
    let served: Served
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const source = sourceOf(() => served)
    beforeAll(async () => {
      served = await serveForTest(server(), "recommender")
      await source.challenge({ id: 1 })
      await source.member(1, 5)
      await source.post(1, 5, { created: noon(1) })
      const gone = await source.post(1, 5, { created: noon(1) })
      await source.react(1, 9)
      await source.nightly(2)
      await served.admin(`DELETE /posts/${gone}`)
      await source.post(1, 5, { id: 40 })
    })
    // Redis is empty before each test, and filled again from the same source.
    beforeEach(async () => {
      await source.nightly(2)
    })
    afterAll(() => served?.close())

    it.each(table)("ALL-4 ALL-12 REC-19: %s %s %j → %i %s", async (who, request, body, status, code) => {
      const token = { "": undefined, A: ADMIN, wrong: "not-the-token" }[who]
      const before = await dump(raw)
      const answer = await served.call(request, { body, token })
      expect([answer.status, answer.body["error"]]).toEqual([status, code])
      expect(answer.body["message"]).toMatch(/./)
      expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:|\.js:|at .*\(/)
      expect(await dump(raw)).toEqual(before)
      const report = await source.nightly(2)
      expect(report.added).toEqual({ clg: 0, mmbr: 0, post: 0, reaction: 0, tracking: 0 })
      expect(await dump(raw)).toEqual(before)
    })

    it("ALL-12: fields that belong to the server are ignored", async () => {
      const added = await served.admin("POST /trackings", { user: 5, id: 9000, created: "2020-01-01T00:00:00Z" })
      expect([added.status, (added.body as { id: number }).id < 100]).toEqual([201, true])
      expect((await served.admin("PUT /params", { day_index: 3, last_run_date: "2030-01-01" })).status).toBe(200)
      expect(await raw("HMGET", "rs_param", "day_index", "last_run_date")).toEqual(["0", "2024-01-02"])
      const { body } = await served.admin("POST /challenges", { ...clg, finished_date: "2030-01-01", created: noon(1) })
      await source.nightly(2)
      expect(await raw("HGET", "on_clg_info", (body as { id: number }).id)).toBe("0,1,21,2024-01-22")
    })

    it("admin routes are closed without an admin token, and open ones are not", async () => {
      const closed = await serveForTest(server(), "recommender", "--no-admin")
      try {
        expect((await send(closed.url, "POST /jobs/nightly", { token: ADMIN })).status).toBe(403)
        expect((await closed.call("GET /status")).status).toBe(200)
      } finally {
        await closed.close()
      }
    })
  },
  onShards,
)
