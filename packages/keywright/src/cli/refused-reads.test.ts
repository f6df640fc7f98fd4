/* A user who may not read everything: what the server refuses is said, and never counts as "there is nothing". */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import type { Driver } from "../driver/driver.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"

describe.runIf(needs("redis-server"))("reads that are refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-refused-"))
  let servers: readonly [RealRedis, RealRedis]
  let drivers: readonly [Driver, Driver]
  beforeAll(async () => {
    const [one, other] = await Promise.all([startRedis(), startRedis(), freshBundle()])
    servers = [one, other]
    drivers = [openResp(one.url), openResp(other.url)]
    const user = (name: string, ...rules: string[]) => ["ACL", "SETUSER", name, "on", ">x", "&*", ...rules]
    const without =
      "pttl type hscan zscan exists pexpiretime strlen hlen memory object dbsize slowlog latency acl time config dump".split(
        " ",
      )
    const replies = await drivers[0].batch([
      ["HSET", "login:", "token-1", "ann"],
      ["ZADD", "recent:", "1700000000", "token-1"],
      ["HSET", "cart:token-1", "item1", "2"],
      ["PEXPIRE", "cart:token-1", "86400000"],
      ["SET", "stray:1", "v"],
      user("carts", "~cart:*", "+@all"),
      ...without.map((name) => user(`no-${name}`, "~*", "+@all", `-${name}`)),
    ])
    expect(replies.filter((reply) => reply instanceof Error)).toEqual([])
  }, 120_000)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await Promise.all([...drivers.map((driver) => driver.close()), ...servers.map((server) => server.stop())])
  })
  const as = (user: string) => servers[0].url.replace("//", `//${user}:x@`)
  const run = (user: string, ...args: string[]) =>
    runCli([args[0]!, "--config", "systems/shop", "--url", user === "" ? servers[0].url : as(user), ...args.slice(1)])

  it("audit does not say that all is as the schema says", async () => {
    const { code, stdout, stderr } = await run("carts", "audit")
    expect(code).toBe(4)
    expect(stdout).not.toContain("all as the schema says")
    expect(stderr).toContain("3 keys could not be read: NOPERM")
    const { unreadable } = JSON.parse((await run("carts", "audit", "--json")).stdout) as { unreadable: object[] }
    expect(unreadable).toContainEqual({
      db: 0,
      name: expect.stringContaining("login"),
      pattern: "login:",
      keys: 1,
      example: "login:",
      reason: expect.stringContaining("NOPERM"),
    })
  })

  it.each(["pttl", "type", "hscan", "zscan"])("audit without %s is partial", async (name) => {
    const { code, stderr } = await run(`no-${name}`, "audit")
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/keys? could not be read: NOPERM/) })
  })

  it("audit of a user who may read all is not", async () => {
    const { code, stdout, stderr } = await run("", "audit")
    expect([code, stdout]).toEqual([1, expect.stringContaining("KEY.UNKNOWN")])
    expect(stderr).not.toContain("could not be read")
  })

  it("stats does not call a TTL that it cannot read none", async () => {
    const { code, stdout } = await run("no-pttl", "stats", "--json")
    const { ttl, keys, unreadable } = JSON.parse(stdout) as { ttl: object; keys: number; unreadable: object[] }
    expect([code, keys, unreadable.length]).toEqual([4, 4, 4])
    expect(Object.values(ttl)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it.each([
    ["no-pttl", "PTTL"],
    ["no-type", "TYPE"],
    ["no-hscan", "HSCAN"],
    ["no-hlen", "HLEN"],
    ["no-memory", "MEMORY USAGE"],
    ["no-object", "OBJECT ENCODING"],
  ])("inspect as %s says what could not be read, and shows the rest", async (user, command) => {
    const { code, stdout } = await run(user, "inspect", "cart:token-1")
    expect({ code, stdout }).toEqual({
      code: 4,
      stdout: expect.stringMatching(`${command} +could not be read: NOPERM`),
    })
    expect(stdout).not.toMatch(/TTL +none|Refused/)
    if (user !== "no-type" && user !== "no-hscan") expect(stdout).toMatch(/type +hash[^]*value\n +item1 +2/)
    if (user === "no-memory") expect(stdout).toMatch(/memory +not known, \w+, length 1/)
  })

  it("stats without MEMORY counts keys and says which permission is missing", async () => {
    const { code, stdout, stderr } = await run("no-memory", "stats")
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/NOPERM.*'memory\|usage'/) })
    expect(stdout).toMatch(/cart:\{token\} +hash +1 +\? +- +0 +-/)
    expect(stdout).toContain("4 keys, memory not known")
    expect(stdout).not.toMatch(/0 B|Biggest/)
  })

  it("a walk needs no DBSIZE", async () => {
    expect(await run("no-dbsize", "ls", "cart")).toMatchObject({ code: 0, stdout: expect.stringContaining("cart:") })
  })

  it("ls by an inferred schema says that it is of a part of the keys", async () => {
    const { code, stderr } = await runCli(["ls", "cart", "--url", as("carts")], { cwd: folder })
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("that could not be read: NOPERM") })
  })

  it.each([
    ["no-slowlog", "SLOWLOG GET"],
    ["no-latency", "LATENCY LATEST"],
    ["no-acl", "ACL GETUSER"],
    ["no-config", "CONFIG GET"],
    ["no-time", "TIME"],
  ])("doctor as %s says what the server does not tell", async (user, command) => {
    const { code, stdout } = await run(user, "doctor")
    expect({ code, stdout }).toEqual({
      code: 4,
      stdout: expect.stringMatching(new RegExp(`^${command} +could not be read: NOPERM`, "m")),
    })
    expect(stdout).toMatch(/^Redis|^Valkey/)
  })

  it.each([
    ["no-type", ["cart"]],
    ["no-pttl", ["cart", "--ttl", "some"]],
    ["no-object", ["--unknown", "--idle", "1ms"]],
    ["carts", ["--unknown"]],
    ["no-dump", ["cart", "--keep-undo"]],
    ["no-pexpiretime", ["cart", "--keep-undo"]],
    ["no-dump", ["--match", "stray:*", "--delete", "unknown"], "repair"],
  ])("a plan as %s of %j has nothing that it cannot read, and says so", async (user, args, command = "purge") => {
    const { code, stdout, stderr } = await run(user, command, ...args)
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: "nothing to do for what could be read\n",
      stderr: expect.stringMatching(/keys? could not be read: NOPERM/),
    })
    const { unreadable } = JSON.parse((await run(user, command, ...args, "--json")).stdout) as { unreadable: object[] }
    expect(unreadable.length).toBeGreaterThan(0)
  })

  it("purge reads no more than it decides by", async () => {
    expect(await run("no-object", "purge", "cart")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("UNLINK"),
    })
  })

  it.each([
    ["carts", "login: is a list", "on the server its type could not be read"],
    ["no-type", "login: is a list", "on the server its type could not be read"],
    ["no-pttl", "`cart:{token}` expires after 1 day", "on the server its TTL could not be read"],
  ])("check --doc as %s does not decide by what it cannot read: %s", async (user, sentence, expected) => {
    const page = join(folder, "page.md")
    const [name, type] = /^(\S+) is a (\w+)/.exec(sentence)?.slice(1) ?? []
    writeFileSync(page, name === undefined ? `${sentence}\n` : `| key | type |\n|---|---|\n| \`${name}\` | ${type} |\n`)
    const { code, stdout, stderr } = await run(user, "check", "--doc", page)
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: expect.stringContaining(expected),
      stderr: expect.stringMatching(/keys? could not be read: NOPERM/),
    })
  })

  it("infer says what it could not read", async () => {
    const { code, stderr } = await runCli(["infer", as("carts")], { cwd: folder })
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("3 keys could not be read: NOPERM") })
  })

  it.each([
    ["carts", 3],
    ["no-hscan", 2],
    ["no-pexpiretime", 4],
    ["no-type", 1],
  ])("an export as %s says which keys it lacks, and is not imported silently", async (user, count) => {
    const file = join(folder, `${user}.ndjson`)
    const { code, stderr } = await run(user, "export", "--secrets", "--out", file)
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/could not be read: .*NOPERM/) })
    const lines = readFileSync(file, "utf8").trimEnd().split("\n")
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ end: true, keys: 4, unreadable: count })
    expect(lines.filter((line) => line.includes('"unreadable":"NOPERM'))).toHaveLength(count)
    const importing = ["import", file, "--config", "systems/shop", "--url", servers[1].url, "--foreign"]
    await drivers[1].send(["FLUSHALL"])
    const refused = await runCli(importing)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("IMPORT.UNREADABLE")])
    const skipped = await runCli([...importing, "--left-out", "skip"])
    expect(skipped.code).toBe(4)
    expect(skipped.stdout).toContain(`${count} skipped: they could not be read`)
    expect(await drivers[1].send(["DBSIZE"])).toBe(4 - count)
  })

  it.each([
    ["no-pexpiretime", "PEXPIRETIME"],
    ["carts", "PEXPIRETIME"],
    ["no-hscan", "HSCAN"],
  ])("a copy as %s stops, and does not say that both sides are equal", async (user, command) => {
    await drivers[1].send(["FLUSHALL"])
    const to = ["--from", as(user), "--to", servers[1].url]
    const { code, stdout, stderr } = await runCli(["copy", "--config", "systems/shop", ...to])
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(`${command} of .* was refused: NOPERM`) })
    expect(stdout).not.toContain("both sides are equal")
  })
})
