/* Many at once: requests, runs in two servers over one Redis, and deletions during a run. */

import { connect, type Day } from "keywright"
import { Client } from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres, type RealPostgres } from "../../test/real-postgres.ts"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { onRealServer, type TestServer } from "../platform/testing/servers.ts"
import { dump, misfits } from "../platform/testing/stored.ts"
import { recommender as schema } from "./schema.ts"
import { date, noon, sourceOf } from "./source.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onShards } from "./shards.cases.ts"
import { times } from "../platform/testing/times.ts"

type Raw = (...command: (string | number)[]) => Promise<unknown>

/** What is stored when all records were applied, each once. */
async function checkWhole(raw: Raw, posts: number, reactions: number): Promise<void> {
  expect(await raw("HLEN", "post_clg_pair")).toBe(posts)
  const scores = ((await raw("ZRANGE", "9_clgs_preference", 0, -1, "WITHSCORES")) as string[]).filter(
    (_, i) => i % 2 === 1,
  )
  expect(scores.reduce((sum, score) => sum + Number(score), 0)).toBe(reactions)
}

type Both = readonly [Served, Served]

/** The tests, over two servers or one; `wipe` empties their source. */
function underLoad(server: () => TestServer, open: () => Promise<Both>, wipe?: () => Promise<void>): void {
  let both: Both
  const raw = (...command: (string | number)[]) => server().raw(...command)
  const one = sourceOf(() => both[0])
  beforeEach(async () => {
    both = await open()
  })
  afterEach(async () => {
    await Promise.all([...new Set(both)].map((served) => served.close()))
    await wipe?.()
  })

  it("REC-19: ids are given out once, and a membership exists once", async () => {
    await one.challenge({ id: 1 })
    const members = await times(10, (i) => both[i % 2]!.admin("POST /members", { challenge: 1, user: 5 }))
    expect(members.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(members.filter(({ status }) => status === 409)).toHaveLength(9)
    const ids = (await times(30, (i) => both[i % 2]!.admin("POST /posts", { challenge: 1, user: 5, text: "x" }))).map(
      ({ body }) => body["id"] as number,
    )
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    const wanted = await times(6, (i) =>
      both[i % 2]!.admin("POST /posts", { id: 70, challenge: 1, user: 5, text: "x" }),
    )
    expect(wanted.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it("REC-3 REC-4: of many runs at once one wins, the others say 409, and every record counts once", async () => {
    await one.challenge({ id: 1, duration: 300 })
    await one.member(1, 5)
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 10; i++) await one.react(await one.post(1, 5), 9)
      const runs = await times(8, (i) => both[i % 2]!.admin("POST /jobs/nightly", { date: date(2) }))
      expect(runs.every(({ status }) => status === 200 || status === 409)).toBe(true)
      expect(runs.some(({ status }) => status === 200)).toBe(true)
      for (const { status, body } of runs) if (status === 409) expect(body["error"]).toBe("already_running")
      await checkWhole(raw, 10 * (round + 1), 10 * (round + 1))
    }
    expect(await raw("HGET", "rs_param", "day_index")).toBe("0")
    expect(await misfits(raw, schema.keys)).toEqual([])
  })

  it("REC-2 REC-3: records that are added during runs are read once, whichever process runs", async () => {
    await one.challenge({ id: 1, duration: 300 })
    await one.member(1, 5)
    const done = new AbortController()
    const running = (async () => {
      while (!done.signal.aborted)
        for (const served of both) await served.admin("POST /jobs/nightly", { date: date(2) })
    })()
    await times(4, async (i) => {
      for (let n = 0; n < 12; n++) {
        const { body } = await both[i % 2]!.admin("POST /posts", { challenge: 1, user: 5, text: "x" })
        const { id } = body as { id: number }
        const { status } = await both[(i + 1) % 2]!.admin("POST /reactions", { post: id, user: 9 })
        expect(status).toBe(201)
      }
    })
    done.abort()
    await running
    expect((await one.nightly(2)).skipped).toEqual([])
    await checkWhole(raw, 48, 48)
  })

  it("REC-20: a post that is deleted during a run is not in the pool afterwards", async () => {
    await one.challenge({ id: 1, duration: 300 })
    await one.member(1, 5)
    const posts = await times(40, () => one.post(1, 5, { created: noon(1) }))
    const doomed = posts.filter((id) => id % 2 === 0)
    const [run, ...deleted] = await Promise.all([
      both[0].admin("POST /jobs/nightly", { date: date(2) }),
      ...doomed.map((id) => both[1].admin(`DELETE /posts/${id}`)),
    ])
    expect(run.status).toBe(200)
    expect(deleted.map(({ status }) => status)).toEqual(doomed.map(() => 204))
    const left = posts.filter((id) => id % 2 === 1).map(String)
    expect(((await raw("HKEYS", "post_clg_pair")) as string[]).toSorted()).toEqual(left.toSorted())
    expect(((await raw("ZRANGE", "recent_posts_for_category1", 0, -1)) as string[]).toSorted()).toEqual(left.toSorted())
    expect(await raw("HGET", "user_contribution", 5)).toBe("1,0,0,0,0")
    await one.nightly(2)
    expect([await raw("HGET", "db_len", "post"), await raw("EXISTS", "keywright:recommender:deleted-posts")]).toEqual([
      "20",
      0,
    ])
  })

  it("REC-20: a post that a run has in its hands is not added when it is deleted first", async () => {
    await one.challenge({ id: 1 })
    await one.member(1, 5)
    const id = await one.post(1, 5)
    // As after the first half of a deletion: the source still has it.
    await raw("ZADD", "keywright:recommender:deleted-posts", id, id)
    await one.nightly(2)
    expect(
      await raw("EXISTS", "post_clg_pair", "recent_posts_for_category1", "keywright:recommender:deleted-posts"),
    ).toBe(0)
  })

  it("REC-21: parameters are changed by many before the first run, and by none after", async () => {
    await times(10, (i) =>
      both[i % 2]!.admin("PUT /params", i % 2 === 0 ? { max_post_age: 3 } : { distinct_category: 4 }),
    )
    await one.nightly(1)
    const stored = await dump(raw)
    const late = await times(6, (i) => both[i % 2]!.admin("PUT /params", { max_post_age: 10 + i }))
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 409))
    expect(await dump(raw)).toEqual(stored)
  })
}

const BATCH = ["--set", "recommender.batch=3"]

onAnyServerAndInFullOnCluster(
  "the recommender under concurrent requests",
  (server) => {
    underLoad(server, async () => {
      const served = await serveForTest(server(), "recommender", "--patient", ...BATCH)
      return [served, served]
    })
  },
  onShards,
)

onRealServer("the first run", (server) => {
  it("REC-C16: begins with the parameters that are there, or not at all", async () => {
    const db = await connect(schema, server().redis!)
    const begin = (categories: number) =>
      db.$steps.beginRun({ last: "", date: date(1) as Day, index: 0, maxPostAge: 3, categories })
    try {
      await db.$steps.setParams({ maxPostAge: 3, categories: 4 })
      await expect(begin(5)).rejects.toMatchObject({ code: "RUN.OVERTAKEN" })
      expect(await db.settings().get()).toEqual({ max_post_age: 3, distinct_category: 4 })
      await begin(4)
      expect(await db.settings().get("day_index")).toBe(0)
    } finally {
      await db.$close()
    }
  })
})

describe.runIf(needs("postgresql"))("with PostgreSQL as its source", () => {
  let postgres: RealPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())
  const wipe = async () => {
    const client = new Client(postgres.url)
    await client.connect()
    await client.query("drop schema public cascade; create schema public")
    await client.end()
  }

  onRealServer("two servers under concurrent requests", (server) => {
    const open = () => serveForTest(server(), "recommender", "--patient", "--database", postgres.url, ...BATCH)
    underLoad(server, async () => [await open(), await open()], wipe)
  })

  onRealServer("the recommender", (server) => {
    it("REC-14 REC-17: who blocks somebody gets no posts from an empty pool", async () => {
      const served = await serveForTest(server(), "recommender", "--patient", "--database", postgres.url)
      try {
        await served.admin("POST /blocks", { user: 9, author: 6 })
        expect(await sourceOf(() => served).recommend(9)).toEqual([])
      } finally {
        await served.close()
        await wipe()
      }
    })

    it("ALL-14: the same records come to the same state", async () => {
      const raw = (...command: (string | number)[]) => server().raw(...command)
      const stateWith = async (...args: string[]) => {
        await raw("FLUSHALL")
        const served = await serveForTest(server(), "recommender", "--patient", ...args, "--set", "recommender.batch=4")
        const { challenge, member, post, rest, react, cancel, track, nightly, recommend } = sourceOf(() => served)
        try {
          await challenge({ id: 1, category: 1 })
          await challenge({ id: 2, category: 2, is_public: false, duration: 2 })
          await challenge({ id: 3, category: 4 })
          for (const id of [1, 2, 3]) for (const user of [5, 6]) await member(id, user)
          const reports: unknown[] = []
          for (const day of [1, 2, 3, 4]) {
            for (const id of [1, 2, 3]) for (const user of [5, 6]) await post(id, user, { created: noon(day) })
            await rest(1, 5, noon(day))
            for (let i = 1; i <= 6; i++) await react(6 * (day - 1) + i, 9)
            await cancel(1, 9)
            await track(9)
            const { duration_ms: _, ...report } = await nightly(day)
            reports.push(report)
          }
          expect((await served.admin("DELETE /posts/1")).status).toBe(204)
          expect((await served.admin("POST /posts", { id: 1, challenge: 1, user: 5, text: "x" })).status).toBe(409)
          await served.admin("POST /blocks", { user: 9, author: 6 })
          const posts = await recommend(9, "?seed=1")
          reports.push(posts)
          const state = await dump(raw)
          expect((await served.admin("POST /jobs/rebuild", { max_post_age: 4 })).status).toBe(200)
          await times(20, async () => react(await post(1, 5), 8))
          await nightly(31 * 365 * 10)
          return { reports, state, again: await dump(raw) }
        } finally {
          await served.close()
        }
      }
      const onSqlite = await stateWith()
      expect(await stateWith("--database", postgres.url)).toEqual(onSqlite)
    })
  })
})
