/* Redis that dies and comes back, a source that does, and the run that starts by itself. */

import { afterEach, describe, expect, it, vi } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres } from "../../test/real-postgres.ts"
import { send, serveForTest, type Served } from "../platform/testing/serve.ts"
import { onAnyServerAndInFullOnCluster, onRealServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { dump } from "../platform/testing/stored.ts"
import { date, sourceOf } from "./source.cases.ts"
import { onShards } from "./shards.cases.ts"

const patience = { timeout: 60_000, interval: 20 }

onRealServerAndInFullOnCluster(
  "the recommender, when Redis is away",
  (server) => {
    let served: Served
    afterEach(() => served?.close())

    it("ALL-10: answers 503, keeps blocks, and continues when it is back", async () => {
      served = await serveForTest(server(), "recommender", "--set", "recommender.jobs=true")
      const source = sourceOf(() => served)
      await source.challenge({ id: 1 })
      await source.member(1, 5)
      await source.post(1, 5)
      await server().outage!.kill9()
      for (const request of ["GET /users/9/recommendations", "GET /status", "GET /params", "GET /challenges"]) {
        const { status, body, headers } = await served.call(request)
        expect([request, status, body["error"], headers.get("retry-after")]).toEqual([
          request,
          503,
          "redis_unavailable",
          "1",
        ])
      }
      for (const request of ["POST /jobs/nightly", "POST /jobs/rebuild"])
        expect((await served.admin(request)).status).toBe(503)
      expect((await served.admin("POST /posts", { challenge: 1, user: 5, text: "x" })).status).toBe(503)
      expect((await served.admin("POST /blocks", { user: 9, author: 6 })).status).toBe(201)
      expect((await send(served.url, "GET /health")).status).toBe(503)

      await server().outage!.restart()
      await vi.waitUntil(async () => (await send(served.url, "GET /health")).status === 200, patience)
      expect((await source.nightly(2)).added).toMatchObject({ clg: 1, post: 1 })
      expect(await source.recommend(9)).toHaveLength(1)
    })
  },
  onShards,
)

describe.runIf(needs("postgresql"))("the recommender, when its source is away", () => {
  onRealServerAndInFullOnCluster(
    "with PostgreSQL",
    (server) => {
      it("ALL-10: says so, writes nothing, and continues when it is back", async () => {
        const postgres = await startPostgres()
        const served = await serveForTest(server(), "recommender", "--database", postgres.url)
        const source = sourceOf(() => served)
        try {
          await source.challenge({ id: 1 })
          await source.member(1, 5)
          await source.post(1, 5)
          await source.nightly(2)
          const before = await dump(server().raw)
          await postgres.kill()
          for (const [request, body] of [
            ["POST /posts", { challenge: 1, user: 5, text: "x" }],
            ["DELETE /posts/1", undefined],
            ["POST /jobs/nightly", { date: date(3) }],
            ["POST /jobs/rebuild", {}],
          ] as const) {
            const answer = await served.admin(request, body)
            expect([request, answer.status, answer.body["error"]]).toEqual([request, 503, "source_unavailable"])
          }
          expect((await served.call("GET /categories/0/posts")).status).toBe(200)
          expect(await dump(server().raw)).toEqual(before)
          await postgres.restart()
          await vi.waitUntil(async () => (await send(served.url, "GET /health")).status === 200, patience)
          await source.post(1, 5)
          expect((await source.nightly(2)).added.post).toBe(1)
        } finally {
          await served.close()
          await postgres.stop()
        }
      })
    },
    onShards,
  )
})

onAnyServerAndInFullOnCluster(
  "the run that starts by itself",
  (server) => {
    const raw = (...command: (string | number)[]) => server().raw(...command)

    it("begins at 00:00 of the configured zone, once for two servers, and not before", async () => {
      // 13:00 in UTC is midnight in Sydney's summer.
      const open = (seconds: string) =>
        serveForTest(
          server(),
          "recommender",
          ...["--clock", `2024-01-04T12:59:${seconds}Z`, "--set", "recommender.timeZone=Australia/Sydney"],
          ...["--set", "recommender.jobs=true"],
        )
      const early = await open("00")
      const both = [await open("58"), await open("58")]
      const source = sourceOf(() => both[0]!)
      try {
        await source.challenge({ id: 1 })
        await vi.waitUntil(async () => (await raw("HGET", "db_len", "clg")) === "1", patience)
        expect(await raw("HMGET", "rs_param", "day_index", "last_run_date")).toEqual(["0", "2024-01-05"])
        expect(early.logged()).not.toContain("nightly run")
      } finally {
        await Promise.all([early, ...both].map((served) => served.close()))
      }
      expect(await raw("HGET", "rs_param", "day_index")).toBe("0")
    })

    it("--demo fills a week, the same every time", async () => {
      const open = () => serveForTest(server(), "recommender", "--demo", "--clock", "2024-03-01T12:00:00Z")
      const states: unknown[] = []
      for (let i = 0; i < 2; i++) {
        await raw("FLUSHALL")
        const served = await open()
        states.push(await dump(raw))
        expect((await served.call("GET /users/3/recommendations?seed=1")).body["posts"]).not.toEqual([])
        expect((await served.call("GET /status")).body).toMatchObject({
          params: { day_index: 4, last_run_date: "2024-03-01" },
        })
        await served.close()
      }
      expect(states[1]).toEqual(states[0])
    })
  },
  onShards,
)
