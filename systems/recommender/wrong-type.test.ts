/* A key that holds something else: a run stops there, and has counted nothing twice when it continues. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { dump } from "../platform/testing/stored.ts"
import { date, noon, sourceOf } from "./source.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"

onAnyServerAndInFullOnCluster("a key of another type", (server) => {
  let served: Served
  const raw = (...command: (string | number)[]) => server().raw(...command)
  const { challenge, member, post, react, nightly } = sourceOf(() => served)
  afterEach(() => served?.close())

  /** Two runs stop at `key`, which is then repaired. */
  const stopAt = async (key: string) => {
    await raw("SET", key, "something else")
    const before = await dump(raw)
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await served.admin("POST /jobs/nightly", { date: date(2) })
      expect([status, body["error"], body["details"]]).toEqual([500, "wrong_type", { key }])
      expect(await dump(raw)).toEqual(before)
    }
    await raw("DEL", key)
  }

  it.each(["8_clgs_preference", "8_liked_posts"])(
    "REC-3 ALL-5: no reaction is counted twice because of %s",
    async (key) => {
      served = await serveForTest(server(), "recommender")
      await challenge({ id: 1 })
      await member(1, 5)
      await post(1, 5, { created: noon(1) })
      await nightly(2)
      for (const user of [7, 8, 9]) await react(1, user)
      await stopAt(key)
      await nightly(2)
      for (const user of [7, 8, 9]) {
        expect(await raw("ZRANGE", `${user}_clgs_preference`, 0, -1, "WITHSCORES")).toEqual(["1", "1"])
        expect(await raw("SMEMBERS", `${user}_liked_posts`)).toEqual(["1"])
      }
    },
  )

  it.each(["post_clg_pair", "user_contribution", "recent_posts_for_category2"])(
    "REC-3 ALL-5: no post is half in the pool because of %s",
    async (key) => {
      served = await serveForTest(server(), "recommender")
      for (const id of [1, 2]) {
        await challenge({ id, category: id - 1 })
        await member(id, 5)
      }
      await nightly(2)
      for (const id of [1, 2]) await post(id, 5, { created: noon(1) })
      await stopAt(key)
      await nightly(2)
      expect(await raw("HGET", "user_contribution", 5)).toBe("1,1,0,0,0")
      expect(await raw("HLEN", "post_clg_pair")).toBe(2)
      expect(await raw("ZRANGE", "recent_posts_for_category2", 0, -1)).toEqual(["2"])
    },
  )

  it("REC-20 ALL-5: a post leaves the pool as a whole, or not at all", async () => {
    served = await serveForTest(server(), "recommender")
    await challenge({ id: 1 })
    await member(1, 5)
    await post(1, 5, { created: noon(1) })
    await nightly(2)
    await raw("SET", "recent_posts_for_category2", "something else")
    const before = await dump(raw)
    expect((await served.admin("DELETE /posts/1")).status).toBe(500)
    expect(await dump(raw)).toEqual(before)
    await raw("DEL", "recent_posts_for_category2")
    expect((await served.admin("DELETE /posts/1")).status).toBe(204)
    expect(await raw("EXISTS", "recent_posts_for_category1", "post_clg_pair")).toBe(0)
  })
})
