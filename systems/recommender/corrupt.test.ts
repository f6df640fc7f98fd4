/* What other programs left in the recommender's keys: a run skips it, and so does a list;
 * where it is the only value it is named. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { date, noon, sourceOf } from "./source.cases.ts"
import { onAnyServerAndCluster } from "../platform/testing/cluster-server.ts"
import { onShards } from "./shards.cases.ts"

onAnyServerAndCluster(
  "corrupt keys of the recommender",
  (server) => {
    let served: Served
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const { challenge, member, post, react, nightly, recommend } = sourceOf(() => served)
    afterEach(() => served?.close())

    /** Two challenges, of the categories 0 and 1, with a post each. */
    const open = async () => {
      served = await serveForTest(server(), "recommender")
      for (const id of [1, 2]) {
        await challenge({ id, category: id - 1 })
        await member(id, 5)
        await post(id, 5, { created: noon(1) })
      }
      await nightly(2)
    }

    it("ALL-11: one corrupt pair takes one post out of the recommendations, not all", async () => {
      await open()
      expect(await recommend(9)).toHaveLength(2)
      await raw("HSET", "post_clg_pair", 1, "canary-value")
      expect((await recommend(9)).map(({ id }) => id)).toEqual([2])
      expect(served.logged()).toContain("corrupt element")
      expect(served.logged()).not.toContain("canary")
    })

    it("ALL-11 REC-C13: a reaction to a post of a corrupt pair is skipped and reported; the run continues", async () => {
      await open()
      await raw("HSET", "post_clg_pair", 1, "canary-value")
      const skipped = await react(1, 9)
      await react(2, 9)
      const { added, skipped: found } = await nightly(2)
      expect(added.reaction).toBe(1)
      expect(found).toEqual([{ table: "reaction", id: skipped, reason: "post_not_in_pool" }])
      expect(await raw("ZRANGE", "9_clgs_preference", 0, -1, "WITHSCORES")).toEqual(["2", "1"])
    })

    it("ALL-11 REC-C14: a field of on_clg_info that is not a challenge does not stop a run", async () => {
      await open()
      await raw("HSET", "on_clg_info", "no id", "0,1,21,2024-01-22")
      await post(1, 5, { created: noon(2) })
      expect((await nightly(3)).added.post).toBe(1)
      expect(await raw("HGET", "user_contribution", 5)).toBe("2,1,0,0,0")
    })

    it.each([9, 5, -1])(
      "ALL-5 REC-6: posts of a challenge of category %d are skipped, and nothing of them is stored",
      async (category) => {
        await open()
        await raw("HSET", "on_clg_info", 1, `${category},1,21,2024-01-22`)
        const stray = await post(1, 5, { created: noon(2) })
        const fine = await post(2, 5, { created: noon(2) })
        expect((await nightly(3)).skipped).toEqual([{ table: "post", id: stray, reason: "challenge_not_ongoing" }])
        expect(await raw("HEXISTS", "post_clg_pair", stray)).toBe(0)
        expect(await raw("ZSCORE", "recent_posts_for_category2", fine)).toBe("1")
        expect(await raw("HGET", "user_contribution", 5)).toBe("1,2,0,0,0")
      },
    )

    it.each([7, -1])(
      "ALL-11 REC-K1: day_index %d is not a slot of the ring: it is named, and a rebuild fixes it",
      async (index) => {
        await open()
        await raw("HSET", "rs_param", "day_index", index)
        const named = { status: 500, body: { error: "undecodable_value", details: { key: "rs_param" } } }
        expect(await served.admin("POST /jobs/nightly", { date: date(3) })).toMatchObject(named)
        for (const path of ["/params", "/users/9/recommendations"])
          expect(await served.call(`GET ${path}`), path).toMatchObject(named)
        expect(await raw("HGET", "rs_param", "last_run_date")).toBe(date(2))
        expect((await served.admin("POST /jobs/rebuild", {})).status).toBe(200)
        expect(await raw("HGET", "rs_param", "day_index")).toBe("0")
      },
    )

    it("ALL-11 REC-14: a post whose score is not a slot of the ring has no age, and is not recommended", async () => {
      await open()
      await raw("ZADD", "recent_posts_for_category1", 7, 1)
      await raw("ZADD", "recent_posts_for_category2", -1, 2)
      expect(await recommend(9)).toEqual([])
      for (const category of [0, 1])
        expect((await served.call(`GET /categories/${category}/posts`)).body).toEqual({ posts: [] })
      expect(served.logged()).toContain("corrupt element")
    })

    it("ALL-11 REC-K5: nobody spent fewer than 0 days", async () => {
      await open()
      await raw("HSET", "user_contribution", 5, "-3,2")
      const { status, body } = await served.call("GET /users/5/contribution")
      expect([status, body["error"], body["details"]]).toEqual([500, "undecodable_value", { key: "user_contribution" }])
    })

    it("REC-19: the highest id that there is goes through a run like any other", async () => {
      await open()
      const most = Number.MAX_SAFE_INTEGER
      await challenge({ id: most })
      await member(most, most)
      await post(most, most, { id: most, created: noon(2) })
      await react(most, most)
      expect((await nightly(3)).added).toMatchObject({ clg: 1, mmbr: 1, post: 1, reaction: 1 })
      expect(await raw("HGET", "post_clg_pair", most)).toBe(`${most}`)
      expect(await raw("HGET", "user_contribution", most)).toBe("1,0,0,0,0")
      expect(await raw("SMEMBERS", `${most}_liked_posts`)).toEqual([`${most}`])
      expect(await raw("ZSCORE", `${most}_clgs_preference`, most)).toBe("1")
    })
  },
  onShards,
)
