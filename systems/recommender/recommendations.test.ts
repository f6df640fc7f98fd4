/* What is recommended, and what never is. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { allKeys, dump, roundTrips } from "../platform/testing/stored.ts"
import { randomFrom, shuffled, shuffledTogether } from "./services/random.ts"
import { topCategories } from "./services/recommendations.ts"
import { date, sourceOf } from "./source.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onShards } from "./shards.cases.ts"

it("REC-12: the top categories are those of the most days; ties go to the lower code, gaps to chance", () => {
  const random = () => randomFrom("seed")
  expect(topCategories([5, 0, 9, 1, 0], 5, random())).toEqual([2, 0, 3])
  expect(topCategories([1, 1, 1, 1, 1], 5, random())).toEqual([0, 1, 2])
  expect(topCategories([0, 4], 5, random())[0]).toBe(1)
  expect(new Set(topCategories([0, 4], 5, random())).size).toBe(3)
  expect(topCategories([], 5, random())).toHaveLength(3)
  expect(topCategories([], 5, random())).toEqual(topCategories([], 5, random()))
  expect(topCategories([0, 2], 2, random()).sort()).toEqual([0, 1])
  const seen = new Set(Array.from({ length: 50 }, (_, i) => topCategories([], 5, randomFrom(`${i}`)).join()))
  expect(seen.size).toBeGreaterThan(10)
})

it("a shuffle gives everything once, and repeats itself with a seed", () => {
  const all = Array.from({ length: 100 }, (_, i) => i)
  const once = [...shuffled(all, randomFrom("a"))]
  expect(once.toSorted((a, b) => a - b)).toEqual(all)
  expect(once).toEqual([...shuffled(all, randomFrom("a"))])
  expect(once).not.toEqual([...shuffled(all, randomFrom("b"))])
  const parts = [[], all.slice(0, 1), [], all.slice(1, 40), all.slice(40), []]
  expect([...shuffledTogether(parts, randomFrom("a"))]).toEqual(once)
  expect([...shuffledTogether([[], []], randomFrom("a"))]).toEqual([])
})

onAnyServerAndInFullOnCluster(
  "recommendations",
  (server) => {
    let served: Served
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const open = async (...args: string[]) => (served = await serveForTest(server(), "recommender", ...args))
    const { challenge, member, post, rest, react, nightly, recommend } = sourceOf(() => served)
    afterEach(() => served?.close())

    /** A challenge for each category, with this many posts of user 1 in each, one run a day. */
    const town = async (days: number, perDay = 1) => {
      for (let category = 0; category < 5; category++) {
        await challenge({ id: category + 1, category, duration: 100 })
        await member(category + 1, 1)
      }
      for (let day = 1; day <= days; day++) {
        for (let category = 0; category < 5; category++) for (let i = 0; i < perDay; i++) await post(category + 1, 1)
        await nightly(day)
      }
    }
    /** The category of a post of the town. */
    const categoryOf = (id: number) => (id - 1) % 5

    it("scenario 6, REC-13: says why, in the order of the reasons, and leaves out what is known", async () => {
      await open()
      await town(4)
      await raw("HSET", "user_contribution", 9, "5,0,9,1,0")
      await react(2, 9) // category 1, which is not one of their top ones
      await react(7, 9)
      await react(1, 9)
      await nightly(5)
      const posts = await recommend(9)
      expect(new Set(posts.map(({ id }) => id)).size).toBe(posts.length)
      for (const { id, challenge, category } of posts) {
        expect(await raw("SISMEMBER", "9_liked_posts", id)).toBe(0)
        expect([challenge, category]).toEqual([categoryOf(id) + 1, categoryOf(id)])
      }
      // Challenge 2 was reacted to twice, challenge 1 once; within, the newest first.
      expect(posts.slice(0, 5).map(({ id, reason }) => [id, reason])).toEqual(
        [17, 12, 16, 11, 6].map((id) => [id, "reacted_challenge"]),
      )
      const rest = posts.slice(5)
      const top = rest.filter(({ reason }) => reason === "top_category")
      expect(top.map(({ category }) => category).every((category) => [2, 3].includes(category))).toBe(true)
      expect(top.map(({ id }) => Math.floor((id - 1) / 5))).toEqual([3, 3, 2, 2, 1, 1, 0, 0])
      expect(rest.slice(8).map(({ category, reason }) => [category, reason])).toEqual(
        Array.from({ length: 4 }, () => [4, "explore"]),
      )
      expect(posts).toHaveLength(17)
    })

    it("REC-13: as many as are asked for, the same for the same seed", async () => {
      await open()
      await town(3, 3)
      const all = await recommend(77)
      expect(all).toHaveLength(45)
      expect(new Set(all.map(({ reason }) => reason))).toEqual(new Set(["top_category", "explore"]))
      const seeded = await recommend(77, "?limit=7&seed=spring")
      expect(seeded).toHaveLength(7)
      expect(await recommend(77, "?limit=7&seed=spring")).toEqual(seeded)
      expect(await recommend(77, "?limit=45&seed=spring")).toEqual(expect.arrayContaining([...seeded]))
      const others = await Promise.all(Array.from({ length: 8 }, (_, i) => recommend(77, `?limit=7&seed=${i}`)))
      expect(new Set(others.map((posts) => JSON.stringify(posts))).size).toBeGreaterThan(1)
      expect((await recommend(77, "?limit=1"))[0]!.reason).toBe("top_category")
    })

    it("REC-13: no more than 100 of a category and 200 of the others", async () => {
      await open()
      for (const category of [0, 1, 2, 3, 4])
        await raw("HSET", "on_clg_info", category + 1, `${category},1,100,2030-01-01`)
      for (let id = 1; id <= 1500; id++) {
        await raw("ZADD", `recent_posts_for_category${(id % 5) + 1}`, id % 7, id)
        await raw("HSET", "post_clg_pair", id, (id % 5) + 1)
      }
      await raw("HSET", "rs_param", "day_index", 6, "max_post_age", 7, "distinct_category", 5)
      await raw("HSET", "user_contribution", 9, "3,2,1")
      const posts = await recommend(9, "?limit=1000")
      const count = (reason: string, category?: number) =>
        posts.filter((post) => post.reason === reason && post.category === (category ?? post.category)).length
      expect([0, 1, 2].map((category) => count("top_category", category))).toEqual([100, 100, 100])
      expect([count("explore"), count("explore", 3) > 50, count("explore", 4) > 50]).toEqual([200, true, true])
      const ages = posts.filter(({ reason }) => reason === "top_category").map(({ id }) => (6 - (id % 7) + 7) % 7)
      expect(ages).toEqual(ages.toSorted((a, b) => a - b))
    })

    it("REC-14 REC-16: an unknown user gets posts, and no key appears", async () => {
      await open()
      expect(await recommend(404)).toEqual([])
      expect(await dump(raw)).toEqual({})
      await town(1)
      const before = await dump(raw)
      expect(await recommend(404)).toHaveLength(5)
      for (const path of ["contribution", "preferences", "liked"]) await served.call(`GET /users/404/${path}`)
      for (const path of ["/status", "/params", "/challenges", "/categories/0/posts"]) await served.call(`GET ${path}`)
      expect(await dump(raw)).toEqual(before)
      expect((await allKeys(raw)).filter((key) => key.includes("404"))).toEqual([])
    })

    it("REC-14: never a private post, a break day, one that is gone, or one that is too old", async () => {
      await open()
      await served.admin("PUT /params", { max_post_age: 2 })
      await challenge({ id: 1 })
      await challenge({ id: 2, is_public: false })
      for (const id of [1, 2]) await member(id, 5)
      const [old] = [await post(1, 5)]
      await nightly(1)
      expect((await recommend(9)).map(({ id }) => id)).toEqual([old])
      await post(2, 5)
      await rest(1, 5, `${date(2)}T00:00:00Z`)
      const fresh = await post(1, 5)
      await nightly(2)
      expect((await recommend(9)).map(({ id }) => id).toSorted()).toEqual([old, fresh].toSorted())
      await nightly(3)
      expect((await recommend(9)).map(({ id }) => id)).toEqual([fresh])
      // Whichever way it is removed, it is gone at once.
      await raw("HDEL", "post_clg_pair", fresh)
      expect(await recommend(9)).toEqual([])
      await raw("HSET", "post_clg_pair", fresh, 1)
      expect(await recommend(9)).toHaveLength(1)
      await served.admin(`DELETE /posts/${fresh}`)
      expect(await recommend(9)).toEqual([])
    })

    it("REC-15: a post of a challenge that is over stays eligible by its category", async () => {
      await open()
      await town(1)
      await react(1, 9)
      await nightly(1)
      await post(1, 1)
      await nightly(1)
      expect((await recommend(9))[0]).toMatchObject({ id: 6, reason: "reacted_challenge" })
      await raw("DEL", "on_clg_info")
      const posts = await recommend(9)
      expect(posts.map(({ id }) => id).toSorted()).toEqual([2, 3, 4, 5, 6])
      expect(posts.some(({ reason }) => reason === "reacted_challenge")).toBe(false)
    })

    it("REC-17: no posts of authors that the user has blocked", async () => {
      await open()
      await challenge({ id: 1 })
      for (const user of [5, 6]) {
        await member(1, user)
        await post(1, user)
      }
      await nightly(1)
      expect(await recommend(9)).toHaveLength(2)
      for (let i = 0; i < 2; i++) expect((await served.admin("POST /blocks", { user: 9, author: 5 })).status).toBe(201)
      expect((await recommend(9)).map(({ id }) => id)).toEqual([2])
      expect(await recommend(8)).toHaveLength(2)
      expect((await served.admin("DELETE /blocks/9/5")).status).toBe(204)
      expect((await served.admin("DELETE /blocks/9/5")).status).toBe(404)
      expect(await recommend(9)).toHaveLength(2)
    })

    it("REC-13: what a run has added is recommended at once, however large the pool is", async () => {
      await open()
      await challenge({ id: 1, duration: 100 })
      await member(1, 1)
      await nightly(1)
      const old = Array.from({ length: 20_000 }, (_, i) => i + 1)
      await raw("ZADD", "recent_posts_for_category1", ...old.flatMap((id) => [0, id]))
      await raw("HSET", "post_clg_pair", ...old.flatMap((id) => [id, 1]))
      await raw("HSET", "user_contribution", 9, "1,0,0,0,0")
      await post(1, 1, { id: 20_001 })
      expect(await recommend(9, "?limit=1")).toHaveLength(1)
      await nightly(2)
      expect((await recommend(9, "?limit=1")).map(({ id }) => id)).toEqual([20_001])
    })

    it("ALL-11: what is corrupt is passed over in lists, and named where it is alone", async () => {
      await open()
      await town(1)
      await raw("ZADD", "recent_posts_for_category1", 0, "nonsense")
      await raw("HSET", "on_clg_info", 1, "0,1,21")
      await raw("HSET", "post_clg_pair", 3, "three")
      await raw("SADD", "9_liked_posts", "nonsense", 2)
      expect((await recommend(9)).map(({ id }) => id).toSorted()).toEqual([1, 4, 5])
      expect((await served.call("GET /users/9/liked")).body).toEqual({ posts: [2] })
      expect((await served.call("GET /challenges")).body["challenges"]).toHaveLength(4)
      const one = await served.call("GET /challenges/1")
      expect([one.status, one.body["error"], one.body["details"]]).toEqual([
        500,
        "undecodable_value",
        { key: "on_clg_info" },
      ])
      await raw("HSET", "user_contribution", 9, "a lot")
      expect((await served.call("GET /users/9/recommendations")).body["error"]).toBe("undecodable_value")
      await raw("SET", "8_liked_posts", "a string")
      const wrong = await served.call("GET /users/8/recommendations")
      expect([wrong.status, wrong.body["error"], wrong.body["details"]]).toEqual([
        500,
        "wrong_type",
        { key: "8_liked_posts" },
      ])
      expect(served.logged()).toContain("corrupt element")
      expect(served.logged()).not.toContain("nonsense")
    })

    it("ALL-11 REC-21: parameters that cannot be are named, and a rebuild fixes them", async () => {
      await open()
      await town(1)
      for (const [field, value] of [
        ["max_post_age", 0],
        ["max_post_age", -3],
        ["max_post_age", "soon"],
        ["distinct_category", 0],
        ["distinct_category", 1_000_000],
      ] as const) {
        await raw("HSET", "rs_param", field, value)
        for (const request of ["GET /params", "GET /status", "GET /users/9/recommendations", "GET /categories/0/posts"])
          expect(await served.call(request), `${request} ${field} ${value}`).toMatchObject({
            status: 500,
            body: { error: "undecodable_value", details: { key: "rs_param" } },
          })
        expect((await served.admin("POST /jobs/nightly")).body["error"]).toBe("undecodable_value")
        expect((await served.admin("POST /jobs/rebuild")).body["error"]).toBe("undecodable_value")
        expect((await served.admin("POST /jobs/rebuild", { [field]: 5 })).status).toBe(200)
        expect((await served.call("GET /params")).body[field]).toBe(5)
      }
      await raw("HSET", "rs_param", "day_index", "x", "cursor_post", "y")
      expect((await served.call("GET /params")).status).toBe(500)
      expect((await served.admin("POST /jobs/rebuild")).status).toBe(200)
      expect(await recommend(9)).not.toEqual([])
    })
  },
  onShards,
)

onRealServer("what recommendations cost", (server) => {
  it("REC-16: three round trips at most, also for somebody who likes 10,000 of 50,000 posts", async () => {
    const { raw } = server()
    const served = await serveForTest(server(), "recommender")
    try {
      await raw("HSET", "rs_param", "day_index", 0, "last_run_date", "2024-01-01")
      for (let challenge = 1; challenge <= 100; challenge++)
        await raw("HSET", "on_clg_info", challenge, `${challenge % 5},1,100,2030-01-01`)
      const ids = Array.from({ length: 50_000 }, (_, i) => i + 1)
      for (let i = 0; i < ids.length; i += 1000) {
        const some = ids.slice(i, i + 1000)
        for (let code = 0; code < 5; code++)
          await raw(
            "ZADD",
            `recent_posts_for_category${code + 1}`,
            ...some.flatMap((id) => (id % 5 === code ? [0, id] : [])),
          )
        await raw("HSET", "post_clg_pair", ...some.flatMap((id) => [id, (id % 100) + 1]))
        await raw("SADD", "7_liked_posts", ...some.slice(0, 200))
      }
      await raw("ZADD", "7_clgs_preference", 3, 1, 2, 2)
      const call = async () => {
        const { status, body } = await served.call("GET /users/7/recommendations?limit=100")
        expect([status, (body["posts"] as unknown[]).length]).toEqual([200, 100])
      }
      const first = await roundTrips(raw, call)
      expect([first <= 3, await roundTrips(raw, call), await roundTrips(raw, call)]).toEqual([true, 3, 3])
      expect(await roundTrips(raw, () => served.call("GET /users/8/recommendations"))).toBe(2)
    } finally {
      await served.close()
    }
  })
})
