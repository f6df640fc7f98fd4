/* The acceptance scenarios of the nightly run, through real HTTP, looked at by plain commands. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { onServersAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { dump, misfits } from "../platform/testing/stored.ts"
import { recommender as schema } from "./schema.ts"
import { onShards } from "./shards.cases.ts"
import { date, noon, sourceOf } from "./source.cases.ts"

onServersAndInFullOnCluster(
  "the nightly run",
  (server) => {
    let served: Served
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const open = async (...args: string[]) => (served = await serveForTest(server(), "recommender", ...args))
    const { challenge, member, post, rest, react, cancel, track, nightly, recommend } = sourceOf(() => served)
    afterEach(() => served?.close())

    it("scenario 1: mirrors five tables into the keys of the document", async () => {
      await open()
      expect(await challenge({ id: 111 })).toBe(111)
      await member(111, 123)
      expect(await post(111, 123, { created: noon(1) })).toBe(1)
      const { duration_ms, ...report } = await nightly(2)
      expect(report).toEqual({
        date: "2024-01-02",
        day_index: 0,
        added: { clg: 1, mmbr: 1, post: 1, reaction: 0, tracking: 0 },
        skipped: [],
      })
      expect(duration_ms).toBeGreaterThanOrEqual(0)
      expect(await raw("HGET", "rs_param", "day_index")).toBe("0")
      expect(await raw("HMGET", "rs_param", "max_post_age", "distinct_category")).toEqual(["7", "5"])
      expect(await raw("HGET", "on_clg_info", 111)).toBe("0,1,21,2024-01-22")
      expect(await raw("HGET", "user_contribution", 123)).toBe("1,0,0,0,0")
      expect(await raw("ZSCORE", "recent_posts_for_category1", 1)).toBe("0")
      expect(await raw("HGET", "post_clg_pair", 1)).toBe("111")
      expect((await dump(raw))["db_len"]).toEqual({
        type: "hash",
        expires: false,
        value: { clg: "1", mmbr: "1", post: "1", reaction: "0", tracking: "0" },
      })
      expect(await misfits(raw, schema.keys)).toEqual([])
    })

    it("scenario 2, REC-C10: a break day adds nothing, two posts of one date are one day", async () => {
      await open()
      await challenge({ id: 111 })
      await member(111, 123)
      await post(111, 123, { created: "2024-01-01T08:00:00Z" })
      await nightly(2)
      const breakDay = await rest(111, 123, noon(2))
      expect((await nightly(3)).added.post).toBe(1)
      expect(await raw("HGET", "user_contribution", 123)).toBe("1,0,0,0,0")
      expect(await raw("ZSCORE", "recent_posts_for_category1", breakDay)).toBeNull()
      expect(await raw("HEXISTS", "post_clg_pair", breakDay)).toBe(0)
      expect(await raw("HGET", "db_len", "post")).toBe("2")

      await post(111, 123, { created: "2024-01-01T23:59:59.999Z" })
      await nightly(3)
      expect(await raw("HGET", "user_contribution", 123)).toBe("1,0,0,0,0")
      await post(111, 123, { created: "2024-01-02T00:00:00Z" })
      await post(111, 123, { created: "2024-01-02T12:00:00+00:00" })
      await nightly(3)
      expect(await raw("HGET", "user_contribution", 123)).toBe("2,0,0,0,0")
      expect(await raw("HGET", "rs_param", "day_index")).toBe("1")
    })

    it("REC-C10: days are counted by category, in challenges public or private, in the configured zone", async () => {
      await open("--set", "recommender.timeZone=Australia/Sydney", "--set", "recommender.batch=2")
      const places = [
        await challenge({ category: 2 }),
        await challenge({ category: 2, is_public: false }),
        await challenge({ category: 4 }),
      ]
      for (const place of places) await member(place, 7)
      // 13:00 in UTC is midnight in Sydney's summer.
      await post(places[0]!, 7, { created: "2024-01-05T12:59:59Z" })
      await post(places[1]!, 7, { created: "2024-01-05T00:00:00Z" })
      await post(places[2]!, 7, { created: "2024-01-05T00:00:00Z" })
      await post(places[1]!, 7, { created: "2024-01-05T13:00:00Z" })
      await post(places[0]!, 7, { created: "2024-01-06T12:59:59Z" })
      await nightly(8)
      expect(await raw("HGET", "user_contribution", 7)).toBe("0,0,2,0,1")
      expect((await served.call("GET /users/7/contribution")).body).toEqual({ contribution: [0, 0, 2, 0, 1] })
    })

    it("scenario 3, REC-5: a private challenge is known, and its posts are not in the pool", async () => {
      await open()
      const id = await challenge({ category: 3, is_public: false, duration: 30 })
      await member(id, 5)
      const hidden = await post(id, 5, { created: noon(2) })
      await nightly(3)
      expect(await raw("HGET", "on_clg_info", id)).toBe("3,0,30,2024-01-31")
      expect(await raw("EXISTS", "recent_posts_for_category4", "post_clg_pair")).toBe(0)
      expect(await raw("HGET", "user_contribution", 5)).toBe("0,0,0,1,0")
      await react(hidden, 9)
      const { skipped, added } = await nightly(3)
      expect([skipped, added.reaction]).toEqual([[{ table: "reaction", id: 1, reason: "post_not_in_pool" }], 0])
      expect(await raw("EXISTS", "9_liked_posts", "9_clgs_preference")).toBe(0)
      expect(await raw("HGET", "db_len", "reaction")).toBe("1")
      expect(await recommend(9)).toEqual([])
    })

    it("scenario 4, REC-C11: preferences are standing reactions, and what was liked stays", async () => {
      await open()
      await challenge({ id: 111 })
      await member(111, 123)
      const [first, second] = [await post(111, 123), await post(111, 123)]
      await react(first, 9)
      await nightly(2)
      expect(await raw("TYPE", "9_liked_posts")).toBe("set")
      expect(await raw("SMEMBERS", "9_liked_posts")).toEqual(["1"])
      expect(await raw("ZSCORE", "9_clgs_preference", 111)).toBe("1")
      await react(second, 9)
      await nightly(2)
      expect(await raw("ZSCORE", "9_clgs_preference", 111)).toBe("2")
      expect((await served.call("GET /users/9/preferences")).body).toEqual({ challenges: [{ id: 111, score: 2 }] })
      await cancel(first, 9)
      await nightly(2)
      expect(await raw("ZSCORE", "9_clgs_preference", 111)).toBe("1")
      const again = await cancel(first, 9)
      await cancel(second, 9)
      expect((await nightly(2)).skipped).toEqual([{ table: "reaction", id: again, reason: "nothing_to_cancel" }])
      expect(await raw("EXISTS", "9_clgs_preference", "9_clg_preference")).toBe(0)
      expect((await served.call("GET /users/9/liked")).body).toEqual({ posts: [1, 2] })
      // All of it in one batch, and nobody can cancel another user's reaction.
      await react(first, 9)
      await cancel(first, 9)
      await react(second, 9)
      await react(second, 8)
      await cancel(first, 8)
      expect((await nightly(2)).skipped).toHaveLength(1)
      expect([await raw("ZSCORE", "9_clgs_preference", 111), await raw("ZSCORE", "8_clgs_preference", 111)]).toEqual([
        "1",
        "1",
      ])
      expect(await misfits(raw, schema.keys)).toEqual([])
    })

    it("REC-C11 REC-C13: what was given is taken back after the post has left the pool, and nothing else", async () => {
      await open()
      await served.admin("PUT /params", { max_post_age: 1 })
      await challenge({ id: 1 })
      await member(1, 5)
      const old = await post(1, 5)
      await react(old, 9)
      await nightly(2)
      const fresh = await post(1, 5)
      await react(fresh, 9)
      await nightly(3)
      expect(await raw("ZSCORE", "9_clgs_preference", 1)).toBe("2")
      // The post is not in the pool any more: this reaction does not count, and can not be taken back.
      await react(old, 9)
      await nightly(3)
      await cancel(old, 9)
      await cancel(old, 9)
      expect((await nightly(3)).skipped.map(({ reason }) => reason)).toEqual(["nothing_to_cancel"])
      expect(await raw("ZSCORE", "9_clgs_preference", 1)).toBe("1")
    })

    it("scenario 5, REC-C6: a post lives as many runs as max_post_age says", async () => {
      await open()
      expect((await served.admin("PUT /params", { max_post_age: 3 })).body).toMatchObject({
        max_post_age: 3,
        distinct_category: 5,
      })
      await challenge({ id: 1 })
      await member(1, 5)
      for (const day of [2, 3, 4, 5]) {
        await post(1, 5, { created: noon(day) })
        await nightly(day)
      }
      expect(await raw("HGET", "rs_param", "day_index")).toBe("0")
      expect(await raw("ZRANGE", "recent_posts_for_category1", 0, -1, "WITHSCORES")).toEqual([
        "4",
        "0",
        "2",
        "1",
        "3",
        "2",
      ])
      expect(await raw("HKEYS", "post_clg_pair")).toEqual(["2", "3", "4"])
      expect((await served.call("GET /categories/0/posts")).body).toEqual({
        posts: [
          { id: 4, age: 0 },
          { id: 3, age: 1 },
          { id: 2, age: 2 },
        ],
      })
      expect(await raw("HGET", "user_contribution", 5)).toBe("4,0,0,0,0")
    })

    it("REC-2: a second run for a date reads what is new and does not move on", async () => {
      await open()
      await challenge({ id: 1 })
      await member(1, 5)
      await post(1, 5)
      await nightly(2)
      const before = await dump(raw)
      expect((await nightly(2)).added).toEqual({ clg: 0, mmbr: 0, post: 0, reaction: 0, tracking: 0 })
      expect(await dump(raw)).toEqual(before)
      await post(1, 5)
      expect([(await nightly(2)).day_index, await raw("ZCARD", "recent_posts_for_category1")]).toEqual([0, 2])
      const early = await served.admin("POST /jobs/nightly", { date: date(1) })
      expect([early.status, early.body["error"]]).toEqual([409, "date_passed"])
    })

    it("REC-4: says so while a run is under way, and leaves everything as it is", async () => {
      await open()
      await challenge({ id: 1 })
      await raw("SET", "keywright:lease:recommender.run", "another", "PX", 60_000)
      const before = await dump(raw)
      for (const request of ["POST /jobs/nightly", "POST /jobs/rebuild"]) {
        const { status, body } = await served.admin(request)
        expect([status, body["error"], body["message"]]).toEqual([
          409,
          "already_running",
          expect.stringContaining("already in progress"),
        ])
      }
      expect((await served.call("GET /status")).body["running"]).toBe(true)
      expect(await dump(raw)).toEqual(before)
      await raw("DEL", "keywright:lease:recommender.run")
      expect((await served.call("GET /status")).body["running"]).toBe(false)
      expect((await nightly(1)).added.clg).toBe(1)
    })

    it("REC-9: after missed nights every slot passed over is empty", async () => {
      await open()
      await challenge({ id: 1, duration: 100 })
      await member(1, 5)
      for (const day of [1, 2, 3, 4, 5, 6, 7]) {
        await post(1, 5)
        await nightly(day)
      }
      expect(await raw("ZCARD", "recent_posts_for_category1")).toBe(7)
      expect((await nightly(10)).day_index).toBe(2)
      expect(await raw("ZRANGE", "recent_posts_for_category1", 0, -1)).toEqual(["4", "5", "6", "7"])
      expect((await nightly(16)).day_index).toBe(1)
      expect(await raw("ZRANGE", "recent_posts_for_category1", 0, -1)).toEqual([])
      await post(1, 5)
      await nightly(16)
      expect((await nightly(30)).day_index).toBe(1)
      expect(await raw("EXISTS", "recent_posts_for_category1", "post_clg_pair")).toBe(0)
    })

    it("scenario 7, REC-C15: a challenge is over at the end of the run on its last day", async () => {
      await open()
      await challenge({ id: 111 })
      await challenge({ id: 112, duration: 22 })
      for (const id of [111, 112]) await member(id, 5)
      await react(await post(111, 5), 9)
      await react(await post(112, 5), 9)
      await nightly(21)
      expect(await raw("ZRANGE", "9_clgs_preference", 0, -1)).toEqual(["111", "112"])
      const last = await post(111, 5, { created: noon(21) })
      await react(last, 8)
      expect((await nightly(22)).skipped).toEqual([])
      expect(await raw("HKEYS", "on_clg_info")).toEqual(["112"])
      expect(await raw("ZSCORE", "recent_posts_for_category1", last)).toBe("1")
      expect(await raw("ZRANGE", "9_clgs_preference", 0, -1)).toEqual(["112"])
      expect([await raw("SMEMBERS", "8_liked_posts"), await raw("EXISTS", "8_clgs_preference")]).toEqual([["3"], 0])
      expect((await recommend(9)).map(({ id }) => id)).toEqual([3])
      const late = await post(111, 5)
      expect((await nightly(22)).skipped).toEqual([{ table: "post", id: late, reason: "challenge_not_ongoing" }])
      expect(await raw("HGET", "db_len", "post")).toBe("4")
      expect((await served.call("GET /challenges/111")).status).toBe(404)
      expect((await served.call("GET /challenges")).body).toEqual({
        challenges: [{ id: 112, category: 0, is_public: true, duration: 22, finished_date: "2024-01-23" }],
      })
    })

    it("REC-6: an unknown category is skipped, with everything that depends on it", async () => {
      await open()
      const [good, bad] = [await challenge(), await challenge({ category: 4 })]
      await served.admin("PUT /params", { distinct_category: 3 })
      for (const id of [good, bad]) await member(id, 5)
      const [kept, lost] = [await post(good, 5), await post(bad, 5)]
      await react(lost, 9)
      await react(kept, 9)
      expect(await nightly(2)).toMatchObject({
        added: { clg: 1, mmbr: 1, post: 1, reaction: 1 },
        skipped: [
          { table: "clg", id: bad, reason: "unknown_category" },
          { table: "mmbr", id: 2, reason: "unknown_category" },
          { table: "post", id: lost, reason: "unknown_category" },
          { table: "reaction", id: 1, reason: "post_not_in_pool" },
        ],
      })
      expect(await raw("HGET", "user_contribution", 5)).toBe("1,0,0")
      expect((await dump(raw))["db_len"]).toMatchObject({ value: { clg: "2", mmbr: "2", post: "2", reaction: "2" } })
    })

    it("REC-6: a shorter contribution is as good as one with zeros", async () => {
      await open()
      await raw("HSET", "user_contribution", 5, "3,1")
      expect((await served.call("GET /users/5/contribution")).body).toEqual({ contribution: [3, 1, 0, 0, 0] })
      const id = await challenge({ category: 3 })
      await member(id, 5)
      await post(id, 5)
      await nightly(2)
      expect(await raw("HGET", "user_contribution", 5)).toBe("3,1,0,1,0")
      // What another program wrote keeps its places.
      await raw("HSET", "user_contribution", 5, "3, 1, 0, 1, 0")
      expect((await served.call("GET /users/5/contribution")).body).toEqual({ contribution: [3, 1, 0, 1, 0] })
      await raw("HSET", "user_contribution", 5, "3, x,2")
      await post(id, 5, { created: noon(5) })
      await nightly(2)
      expect(await raw("HGET", "user_contribution", 5)).toBe("3,0,2,1,0")
    })

    it("REC-8: posts leave the pool by their slots, both ends included, with their challenges", async () => {
      await open()
      await challenge({ id: 1 })
      await challenge({ id: 2, category: 1 })
      for (const id of [1, 2]) await member(id, 5)
      for (const day of [1, 2, 3, 4]) {
        for (const id of [1, 2]) await post(id, 5)
        await nightly(day)
      }
      const removed = await served.admin("DELETE /categories/0/posts?from=1&to=2")
      expect([removed.status, removed.body]).toEqual([200, { removed: 2 }])
      expect(await raw("ZRANGE", "recent_posts_for_category1", 0, -1)).toEqual(["1", "7"])
      expect(await raw("HKEYS", "post_clg_pair")).toEqual(["1", "2", "4", "6", "7", "8"])
      expect((await served.admin("DELETE /categories/0/posts?from=0&to=10")).body).toEqual({ removed: 2 })
      expect((await served.admin("DELETE /categories/0/posts?from=3&to=2")).body).toEqual({ removed: 0 })
      expect((await served.call("GET /status")).body["pool"]).toEqual({ 0: 0, 1: 4, 2: 0, 3: 0, 4: 0 })
    })

    it("REC-C2: the suffix of a category may begin at 0", async () => {
      await open("--set", "recommender.categoryKeyBase=0")
      const id = await challenge({ category: 4 })
      await member(id, 5)
      await post(id, 5)
      await nightly(2)
      expect(await raw("KEYS", "recent_posts*")).toEqual(["recent_posts_for_category4"])
      expect((await served.call("GET /categories/4/posts")).body).toEqual({ posts: [{ id: 1, age: 0 }] })
      expect(await recommend(9)).toMatchObject([{ id: 1, category: 4 }])
    })

    it("REC-C9: reads what other programs wrote", async () => {
      await open()
      await raw(
        "HSET",
        "on_clg_info",
        5,
        "2, True, 21, 2024-01-22",
        6,
        "2,False,21,2024-01-22",
        7,
        "1,true,3,2024-01-04",
      )
      expect((await served.call("GET /challenges/5")).body).toEqual({
        ...{ id: 5, category: 2, is_public: true, duration: 21, finished_date: "2024-01-22" },
      })
      expect((await served.call("GET /challenges")).body["challenges"]).toMatchObject([
        { id: 5, is_public: true },
        { id: 6, is_public: false },
        { id: 7, is_public: true },
      ])
      await raw("ZADD", "recent_posts_for_category3", 0, 50, 0, 60)
      await raw("HSET", "post_clg_pair", 50, 5, 60, 6)
      await raw("HSET", "rs_param", "day_index", 0)
      expect((await recommend(1)).map(({ id }) => id)).toEqual([50])
    })

    it("REC-11: a rebuild replays the source in one run dated today, with other parameters", async () => {
      await open("--clock", "2024-01-10T12:00:00Z")
      await challenge({ id: 1 })
      await challenge({ id: 2, category: 1, duration: 1 })
      for (const id of [1, 2]) await member(id, 5)
      for (const day of [2, 3]) {
        await react(await post(1, 5, { created: noon(day) }), 9)
        await post(2, 5, { created: noon(day) })
        await track(5)
        await nightly(day)
      }
      const gone = await post(1, 5, { created: noon(4) })
      await nightly(4)
      expect((await served.admin(`DELETE /posts/${gone}`)).status).toBe(204)
      const live = await served.admin("PUT /params", { max_post_age: 3 })
      expect([live.status, live.body["error"], live.body["message"]]).toEqual([
        409,
        "rebuild_needed",
        expect.stringContaining("/jobs/rebuild"),
      ])
      expect((await served.admin("PUT /params", { max_post_age: 7 })).status).toBe(200)

      const { duration_ms: _, ...report } = (
        await served.admin("POST /jobs/rebuild", { max_post_age: 3, distinct_category: 2 })
      ).body as Record<string, unknown>
      expect(report).toMatchObject({
        ...{ date: "2024-01-10", day_index: 0 },
        added: { clg: 2, mmbr: 2, post: 4, reaction: 2, tracking: 2 },
      })
      expect(await raw("HMGET", "rs_param", "max_post_age", "distinct_category", "day_index")).toEqual(["3", "2", "0"])
      // Its day was counted, and stays counted.
      expect(await raw("HGET", "user_contribution", 5)).toBe("3,2")
      expect(await raw("HEXISTS", "post_clg_pair", gone)).toBe(0)
      expect(await raw("HKEYS", "on_clg_info")).toEqual(["1"])
      expect(await raw("ZRANGE", "9_clgs_preference", 0, -1, "WITHSCORES")).toEqual(["1", "2"])
      const before = await dump(raw)
      await served.admin("POST /jobs/rebuild")
      expect(await dump(raw)).toEqual(before)
      expect(await misfits(raw, schema.keys)).toEqual([])
    })

    it("REC-20: a deleted post is out of the pool at once, and its day stays counted", async () => {
      await open()
      await challenge({ id: 1 })
      await member(1, 5)
      const [kept, gone] = [await post(1, 5, { created: noon(1) }), await post(1, 5, { created: noon(2) })]
      await nightly(2)
      expect((await served.admin(`DELETE /posts/${gone}`)).status).toBe(204)
      expect(await raw("ZRANGE", "recent_posts_for_category1", 0, -1)).toEqual([String(kept)])
      expect(await raw("HKEYS", "post_clg_pair")).toEqual([String(kept)])
      expect((await served.call(`GET /posts/${gone}`)).status).toBe(404)
      expect((await served.admin(`DELETE /posts/${gone}`)).status).toBe(404)
      expect((await served.admin("POST /reactions", { post: gone, user: 9 })).status).toBe(404)
      // Another post of that date is not another day; one that was never read does not count as a day at all.
      await post(1, 5, { created: noon(2) })
      const unread = await post(1, 5, { created: noon(3) })
      const after = await post(1, 5, { created: noon(4) })
      expect((await served.admin(`DELETE /posts/${unread}`)).status).toBe(204)
      expect((await nightly(3)).added.post).toBe(2)
      expect(await raw("HGET", "user_contribution", 5)).toBe("3,0,0,0,0")
      expect(await raw("HEXISTS", "post_clg_pair", after)).toBe(1)
      expect(await raw("HGET", "db_len", "post")).toBe("3")
      expect(await misfits(raw, schema.keys)).toEqual([])
      expect(await raw("KEYS", "keywright:*")).toEqual([])
      // Its id is not given out again.
      await served.admin(`DELETE /posts/${after}`)
      expect(await post(1, 5)).toBe(after + 1)
    })

    it("REC-19 ids: what a run has passed is refused, what it has not is taken", async () => {
      await open()
      await challenge({ id: 10 })
      await member(10, 5)
      await post(10, 5, { id: 20 })
      await post(10, 5, { id: 15 })
      await nightly(2)
      expect(await raw("HGET", "db_len", "post")).toBe("2")
      for (const [path, body, code] of [
        ["/posts", { id: 17, challenge: 10, user: 5, text: "x" }, "id_passed"],
        ["/posts", { id: 20, challenge: 10, user: 5, text: "x" }, "id_taken"],
        ["/challenges", { id: 9, category: 0, is_public: true, duration: 1 }, "id_passed"],
        ["/members", { challenge: 10, user: 5 }, "already_member"],
        ["/posts", { challenge: 10, user: 6, text: "x" }, "not_a_member"],
      ] as const) {
        const answer = await served.admin(`POST ${path}`, body)
        expect([answer.status, answer.body["error"]]).toEqual([409, code])
      }
      await post(10, 5, { id: 30 })
      const taken = await served.admin("POST /posts", { id: 30, challenge: 10, user: 5, text: "x" })
      expect([taken.status, taken.body["error"]]).toEqual([409, "id_taken"])
      expect([await post(10, 5, { id: 25 }), await post(10, 5)]).toEqual([25, 31])
      await post(10, 5, { id: 40 })
      await served.admin("DELETE /posts/40")
      const again = await served.admin("POST /posts", { id: 40, challenge: 10, user: 5, text: "x" })
      expect([again.status, again.body["error"]], "REC-20: the run passes over what was deleted").toEqual([
        409,
        "id_taken",
      ])
      expect((await nightly(2)).added.post).toBe(3)
    })

    it("ids: a new source continues after what Redis has seen", async () => {
      await open()
      await challenge({ id: 3 })
      await member(3, 5)
      await post(3, 5, { id: 8 })
      await nightly(2)
      await served.close()
      await open()
      expect([await challenge(), await member(4, 5), await post(4, 5)]).toEqual([4, 2, 9])
      expect((await nightly(3)).added).toMatchObject({ clg: 1, mmbr: 1, post: 1 })
      expect(await raw("HKEYS", "post_clg_pair")).toEqual(["8", "9"])
    })

    it("REC-18 REC-21: parameters and status are shown before and after a run", async () => {
      await open()
      const none = { max_post_age: 7, distinct_category: 5, day_index: null, last_run_date: null }
      expect((await served.call("GET /params")).body).toEqual(none)
      expect((await served.call("GET /status")).body).toEqual({
        ...{ db_len: {}, params: none, running: false },
        pool: { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 },
      })
      expect(await dump(raw)).toEqual({})
      const changed = await served.admin("PUT /params", { distinct_category: 6, day_index: 3 })
      expect([changed.status, changed.body]).toEqual([200, { ...none, distinct_category: 6 }])
      await nightly(2)
      expect((await served.call("GET /status")).body).toMatchObject({
        db_len: { clg: 0, mmbr: 0, post: 0, reaction: 0, tracking: 0 },
        params: { max_post_age: 7, distinct_category: 6, day_index: 0, last_run_date: "2024-01-02" },
      })
    })
  },
  onShards,
)
