/* A value with more bytes than a reply may have, which anybody who may write one key can store. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import type { Command, Driver } from "../driver/driver.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"

const long = "x".repeat(2_000_000)

describe.runIf(needs("redis-server"))("a value that no reply has room for", () => {
  let servers: readonly [RealRedis, RealRedis]
  let driver: Driver
  beforeAll(async () => {
    const [one, other] = await Promise.all([startRedis(), startRedis(), freshBundle()])
    servers = [one, other]
    driver = openResp(one.url, { timeoutMs: 30_000 }) // Values of 95 MB, on a busy machine.
  }, 120_000)
  afterAll(async () => {
    await driver.close()
    await Promise.all(servers.map((server) => server.stop()))
  })
  const fill = (large: Command) => driver.batch([["FLUSHALL"], ["HSET", "cart:a", "item", "much"], large])
  const run = (...[name, ...args]: string[]) => runCli([name!, "--config", "systems/shop", ...args])
  const from = () => `${servers[0].url}?replyBytes=1000000`

  it.each<[string, string, Command]>([
    ["a field of a hash", "cart:{token}", ["HSET", "cart:b", "item", long]],
    ["a member of a sorted set", "viewed:{token}", ["ZADD", "viewed:b", "1", long]],
  ])("keeps no other from being audited and repaired, and is named: %s", async (_, pattern, large) => {
    await fill(large)
    const { code, stdout } = await run("audit", "--json", "--url", from())
    const { unreadable } = JSON.parse(stdout) as { unreadable: object[] }
    expect(code).toBe(4)
    expect(stdout).toContain("VALUE.")
    expect(unreadable).toEqual([
      expect.objectContaining({ keys: 1, pattern, reason: expect.stringContaining("replyBytes") }),
    ])
    const repair = await run("repair", "--delete", "broken", "--url", from())
    expect(repair).toMatchObject({ code: 4, stdout: expect.stringMatching(/VALUE\.\w+ {2}1\n/) })
  })

  it("is shown cut in JSON, where it is longer than any text can be", async () => {
    await driver.batch([["FLUSHALL"], ["HSET", "h:1", "\u0001".repeat(95_000_000), "1"]])
    const { code, stdout } = await runCli(["inspect", "h:1", servers[0].url, "--infer", "--secrets", "--json"])
    expect(code).toBe(0)
    expect(stdout).toContain("… (95000000 characters)")
    expect(JSON.parse(stdout)).toMatchObject({ type: "hash" })
  })

  it("keeps no schema from being inferred of the others", async () => {
    await fill(["RPUSH", "queue:b", long])
    const { code, stdout } = await runCli(["infer", from()])
    expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringContaining("cart:") })
  })

  it.each<[string, Command, string]>([
    ["a value", ["HSET", "cart:b", "item", long], "raise `replyBytes`"],
    ["a deadline", ["PEXPIREAT", "cart:a", "9223372036854000000"], "microseconds"],
  ])("stops a copy, which says where and what to do: %s", async (_, large, advice) => {
    await fill(large)
    const { code, stderr } = await run("copy", "--from", from(), "--to", servers[1].url)
    expect(code).toBe(4)
    expect(stderr).toContain("of cart:… was refused")
    expect(stderr).toContain(advice)
  })
})
