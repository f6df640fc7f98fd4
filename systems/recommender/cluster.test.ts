/* The recommender on a cluster, users in shards: the same as on one server. */

import { connect } from "keywright"
import { audit } from "keywright/operate"
import { expect, it } from "vitest"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { serveForTest } from "../platform/testing/serve.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { allKeys, dump, misfits } from "../platform/testing/stored.ts"
import { start } from "@keywright/embedded"
import { RespClient } from "../../test/resp-client.ts"
import { auditRules } from "./audit-rules.ts"
import { firstNights, newRecords } from "./nights.cases.ts"
import { acceptSplit, recommender as plain, recommenderSchema } from "./schema.ts"
import { onShards } from "./shards.cases.ts"
import { date, noon, sourceOf } from "./source.cases.ts"

const schema = recommenderSchema({ shards: 16 })

onRealServer("the recommender on one server", (server) => {
  it("is not started without shards where its data have some, under a tag or not", async () => {
    const start = (...settings: string[]) =>
      serveForTest(server(), "recommender", ...settings.flatMap((one) => ["--set", `recommender.${one}`]))
    for (const tag of [[], ["tag=mine"]]) {
      await (await start("shards=4", ...tag)).close()
      await expect(start(...tag)).rejects.toThrow("recommender.shards is 0, but this data was written with 4")
    }
    await (await start("tag=other")).close()
  })

  it("ALL-11: names a term that is not a number, and runs when it is one again", async () => {
    const served = await serveForTest(server(), "recommender", "--set", "recommender.shards=4")
    const key = "{pool}:keywright:recommender:term"
    for (const odd of ["abc", "9223372036854775807"]) {
      await server().raw("SET", key, odd)
      const { status, body } = await served.admin("POST /jobs/nightly", { date: date(2) })
      expect([status, body]).toMatchObject([500, { error: "undecodable_value", details: { key } }])
    }
    await server().raw("SET", key, "1")
    expect((await served.admin("POST /jobs/nightly", { date: date(2) })).status).toBe(200)
    await served.close()
  })
})

onCluster(
  "the recommender",
  (server) => {
    it("REC-1: keeps after some nights, key by key, what it keeps on one server, and recommends the same", async () => {
      const engine = await start({ port: 0 })
      const client = await RespClient.connect(engine.port!)
      const one = await serveForTest({ redis: undefined, engine }, "recommender", "--set", "recommender.batch=2")
      const many = await serveForTest(server(), "recommender", "--set", "recommender.batch=2")
      const reports: unknown[] = []
      for (const served of [one, many]) {
        const source = sourceOf(() => served)
        await firstNights(source)
        await newRecords(source)
        reports.push({ ...(await source.nightly(4)), duration_ms: 0 })
      }
      expect(reports[1]).toEqual(reports[0])
      const expected = await dump((...words) => client.send(...words))
      expect(await dump(server().raw)).toEqual(expected)
      expect(await misfits(server().raw, plain.keys)).toEqual([])
      for (const user of [5, 9, 10, 404]) {
        const asked = [one, many].map((served) => sourceOf(() => served).recommend(user, "?seed=1&limit=20"))
        const [first, second] = await Promise.all(asked)
        expect(second).toEqual(first)
      }
      // Every shard has a fence, and nothing of a user is in the slot of the pool.
      const there = await connect(schema, server().redis!, { acceptSplit: acceptSplit({ shards: 16 }) })
      const keys = (await there.$driver().send(["KEYS", "*"])) as string[]
      expect(keys.filter((key) => key.endsWith(":keywright:recommender:fence"))).toHaveLength(16)
      const inPool = keys.filter((key) => key.startsWith("{pool}:"))
      expect(inPool.filter((key) => /liked|preference|contribution/.test(key))).toEqual([])
      const found = await audit(schema as never, there.$driver(), { rules: auditRules() })
      expect(found.summary).toEqual({})
      await Promise.all([there.$close(), one.close(), many.close()])
      client.close()
      await engine.stop()
    })

    it("is not started with another number of shards than its data have", async () => {
      await (await serveForTest(server(), "recommender")).close()
      const other = ["--set", "recommender.shards=32"]
      await expect(serveForTest(server(), "recommender", ...other)).rejects.toThrow(
        "recommender.shards is 32, but this data was written with 16: the number cannot be changed",
      )
    })

    it("REC-3 REC-20: what one shard has applied stays as it was decided, though the pool has changed since", async () => {
      const { raw } = server()
      const served = await serveForTest(server(), "recommender")
      const { challenge, member, post, react, cancel, nightly } = sourceOf(() => served)
      await challenge({ id: 1 })
      await member(1, 5)
      const [one, two] = [await post(1, 5, { created: noon(1) }), await post(1, 5, { created: noon(1) })]
      await nightly(1)
      for (const user of [9, 10]) await react(one, user)
      await react(two, 10)
      await raw("SET", "10_liked_posts", "of another type")
      expect((await served.admin("POST /jobs/nightly", { date: date(2) })).status).toBe(500)
      expect(await raw("ZSCORE", "9_clgs_preference", 1)).toBe("1")
      expect(await raw("HGET", "rs_param", "cursor_reaction")).toBeNull()

      await raw("DEL", "10_liked_posts")
      await cancel(one, 9)
      expect((await served.admin(`DELETE /posts/${one}`)).status).toBe(204)
      const { added, skipped } = await nightly(2)
      expect(skipped).toEqual([{ table: "reaction", id: 2, reason: "post_not_in_pool" }])
      expect(added.reaction).toBe(3)
      expect(await raw("ZSCORE", "9_clgs_preference", 1)).toBeNull()
      expect(await raw("SMEMBERS", "9_liked_posts")).toEqual([String(one)])
      expect(await raw("ZSCORE", "10_clgs_preference", 1)).toBe("1")
      expect(await raw("SMEMBERS", "10_liked_posts")).toEqual([String(two)])
      await served.close()
    })

    it("REC-11: a rebuild forgets every shard", async () => {
      const served = await serveForTest(server(), "recommender", "--clock", noon(2))
      const source = sourceOf(() => served)
      await firstNights(source)
      const before = await dump(server().raw)
      await server().raw("HSET", "user_contribution", 77, "9,9,9,9,9")
      await server().raw("SADD", "77_liked_posts", 1)
      expect((await served.admin("POST /jobs/rebuild", {})).status).toBe(200)
      const keys = await allKeys(server().raw)
      expect(keys.filter((key) => key.startsWith("77_"))).toEqual([])
      expect(await server().raw("HGET", "user_contribution", 77)).toBeNull()
      const after = await dump(server().raw)
      for (const key of ["user_contribution", "9_liked_posts", "9_clgs_preference", "post_clg_pair"])
        expect(after[key]).toEqual(before[key])
      await served.close()
    })
  },
  onShards,
)
