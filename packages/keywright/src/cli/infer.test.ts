/* infer and init as their users have them: from a server to files, and on to audit and docs. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import type { Inference } from "../inspect/infer/infer.ts"
import { freshBundle, root, runCli } from "./run-cli.cases.ts"

describe.runIf(needs("redis-server"))("infer on the command line", { timeout: 120_000 }, () => {
  let redis: RealRedis
  let folder: string
  beforeAll(async () => {
    await freshBundle()
    redis = await startRedis()
    folder = mkdtempSync(join(root, "packages/keywright/dist/cli-test-"))
    const driver = openResp(redis.url)
    for (let n = 1; n <= 30; n++)
      await driver.batch([
        ["SET", `user:${n}`, JSON.stringify({ id: n, email: `u${n}@example.com`, password: `canary-${n}` })],
        ["SET", `user:index:email:u${n}@example.com`, String(n)],
        ["SADD", "user:list", String(n)],
        ["SET", `sess:canary${String(n * 7919).padStart(26, "0a")}`, "x", "EX", "3500"],
      ])
    await driver.send(["SAVE"])
    await driver.close()
  }, 120_000)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await redis?.stop()
  })
  const run = (...args: string[]) => runCli(args, { cwd: folder })

  it("prints a schema on standard output, and the report on standard error", async () => {
    const { code, stdout, stderr } = await run("infer", redis.url)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^\/\* Proposed by keywright infer from redis:\/\/127.0.0.1:\d+\/0 on \d{4}-\d\d-\d\d: 91 keys, all explained\./,
    )
    expect(stdout).toContain('unique: { email: "user:index:email:{email}" }')
    expect(stdout).toContain('ttl: "1h"')
    expect(stderr).toContain("91 keys, 4 patterns; all explained")
    expect(stdout + stderr).not.toContain("canary")
  })

  it("writes files by which audit is clean", async () => {
    expect((await run("infer", redis.url, "--out", "proposed.ts", "--name", "my shop")).code).toBe(0)
    expect(readFileSync(join(folder, "proposed.ts"), "utf8")).toContain("export const myShop = keyspace(")
    const { code, stdout } = await run("audit", "--schema", "proposed.ts", "--url", redis.url)
    expect([code, stdout]).toEqual([0, expect.stringContaining("all as the schema says")])
    expect((await run("infer", redis.url, "--format", "json", "--out", "proposed.json")).code).toBe(0)
    expect((await run("audit", "--schema", "proposed.json", "--url", redis.url)).code).toBe(0)
  })

  it("reads a file instead, and prints other libraries", async () => {
    const { stdout, stderr } = await run("infer", join(redis.directory, "dump.rdb"), "--library", "valibot")
    expect(stdout).toContain("v.object({")
    expect(stderr).toContain("91 keys")
  })

  it("gives data to programs", async () => {
    const { stdout } = await run("infer", "--url", redis.url, "--json")
    const found = JSON.parse(stdout) as Inference & { source: string }
    expect(found).toMatchObject({ schemaVersion: 1, keys: 91, explained: 91, unexplained: [] })
    expect(found.source).toContain("keyspace(")
    expect(stdout).not.toContain("canary")
  })

  it("shows what a schema lacks, and fails then", async () => {
    await run("infer", redis.url, "--match", "user*", "--out", "part.ts")
    const { code, stdout } = await run("infer", redis.url, "--against", "part.ts")
    expect(code).toBe(1)
    expect(stdout).toMatch(/^sess:\{session\} {2}30 keys: no pattern declares this string$/m)
    await run("infer", redis.url, "--out", "all.ts")
    const whole = await run("infer", redis.url, "--against", "all.ts")
    expect([whole.code, whole.stdout]).toEqual([0, "the schema says all of it\n"])
  })

  it.runIf(needs("script"))("init asks for the address at a terminal", async () => {
    const cwd = mkdtempSync(join(folder, "asked-"))
    const { code, stdout } = await runCli(["init"], { cwd, typed: `${redis.url}\n` })
    expect(stdout).toContain("Address of the server [redis://localhost:6379]: ")
    expect(stdout).toContain("schema.ts and keywright.config.ts are written")
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, "keywright.config.ts"), "utf8")).toContain(`url: "${redis.url}"`)
    expect((await runCli(["audit"], { cwd })).code).toBe(0)
  })

  it("init does not wait for an answer where nobody sits", async () => {
    const cwd = mkdtempSync(join(folder, "piped-"))
    const { code, stderr } = await runCli(["init"], { cwd, piped: `${redis.url}\n` })
    expect([code, stderr]).toEqual([2, expect.stringContaining("keywright init redis://localhost:6379")])
    expect(readdirSync(cwd)).toEqual([])
  })

  it("init writes no password into a file", async () => {
    const cwd = mkdtempSync(join(folder, "secret-"))
    expect((await runCli(["init", redis.url.replace("//", "//default:@")], { cwd })).code).toBe(0)
    expect(readFileSync(join(cwd, "keywright.config.ts"), "utf8")).not.toContain("url:")
  })

  it("init writes what the other commands start from, once", async () => {
    expect((await run("init", redis.url)).code).toBe(0)
    expect(readFileSync(join(folder, "keywright.config.ts"), "utf8")).toContain('import { schema } from "./schema.ts"')
    expect((await run("audit")).code).toBe(0)
    expect((await run("docs")).stdout).toContain("user:index:email:{email}")
    const again = await run("init", redis.url)
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("there already")])
  })
})
