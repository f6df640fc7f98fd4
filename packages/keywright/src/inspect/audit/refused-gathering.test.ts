/* References to what some key of a pattern holds, where the user may not read all keys of that pattern. */

import { beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { at, hash, id, keyspace, refersTo, set } from "../../index.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"

const [post, page] = [id("post"), id("page")]
const schema = keyspace(
  {
    pool: set("pool:{category}", post),
    picked: set("picked", post),
    menu: hash("menu:{place}", { first: page }),
    shown: set("shown", page),
  },
  { ttl: "never", invariants: [refersTo(post, "picked", "pool"), refersTo(page, "shown", at("menu", "first"))] },
) as unknown as Keyspace

describe.runIf(needs("redis-server"))("ids that refer to keys which may not be read", () => {
  const server = redisForSuite()
  beforeEach(async () => {
    const replies = await server.driver.batch([
      ["SADD", "pool:news", "p1"],
      ["SADD", "picked", "p1", "p2"],
      ["HSET", "menu:top", "first", "a"],
      ["SADD", "shown", "a", "b"],
      ["ACL", "SETUSER", "editor", "on", ">x", "~picked", "~shown", "+@all"],
    ])
    expect(replies.filter((reply) => reply instanceof Error)).toEqual([])
  })

  it("are not called dangling, which repair would remove", async () => {
    expect((await audit(schema, server.driver)).summary).toEqual({ "REFERS.DANGLING": 2 })
    const driver = openResp(server.redis.url.replace("//", "//editor:x@"))
    const { summary, unreadable } = await audit(schema, driver)
    await driver.close()
    expect(summary).toEqual({})
    expect(unreadable.map(({ pattern }) => pattern).sort()).toEqual(["menu:{place}", "pool:{category}"])
  })
})
