/* Any server, in one command: what works without a schema, what is said about it, and what happens
 * where there is no such server. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import net from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { startHostile } from "../../../../test/hostile-server.ts"
import { freshBundle, root, runCli } from "./run-cli.cases.ts"
import { redisForSuite } from "../driver/redis-for-suite.cases.ts"

const PASSWORD = "hush-hush"

describe.runIf(needs("redis-server"))("without a schema", { timeout: 120_000 }, () => {
  const suite = redisForSuite()
  let folder: string
  beforeAll(async () => {
    await freshBundle()
    folder = mkdtempSync(join(root, "packages/keywright/dist/without-schema-"))
    for (let n = 1; n <= 100; n++)
      await suite.driver.batch([
        ["SET", `user:${n}`, JSON.stringify({ id: n, email: `u${n}@example.com` })],
        ["SET", `user:index:email:u${n}@example.com`, String(n)],
        ["SADD", "user:list", String(n)],
        ["HSET", `cart:${n}`, "item", String(n)],
      ])
    await suite.driver.batch([
      ["ACL", "SETUSER", "blind", "on", `>${PASSWORD}`, "~*", "+@all", "-scan"],
      ["ACL", "SETUSER", "sizeless", "on", `>${PASSWORD}`, "~*", "+@all", "-memory", "-object"],
      ["ACL", "SETUSER", "partial", "on", `>${PASSWORD}`, "~user:*", "+@all"],
    ])
  }, 120_000)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (...args: string[]) => runCli(args, { cwd: folder })
  const as = (user: string) => suite.redis.url.replace("//", `//${user}:${PASSWORD}@`)

  it.each([
    [["stats"], /^user:\{\w+\} +string +100/m],
    [["audit"], /^301 keys of .*: nothing contradicts the rest$/m],
    [["docs"], /user:index:email:\{email\}/],
    [["top", "--count", "1", "--interval", "0.2"], /commands\/s/],
    [["inspect", "user:7"], /u7@example\.com/],
    [["export"], /"key":"cart:7"/],
    [["doctor"], /DOCTOR\./],
  ])(
    "%j reads any server: the address is an argument or an option, and nothing is left behind",
    async (words, found) => {
      const [argument, option] = await Promise.all([
        run(...words, suite.redis.url),
        run(...words, "--url", suite.redis.url),
      ])
      for (const { stdout, stderr } of [argument, option]) {
        expect(stdout).toMatch(found)
        expect(stderr).toContain("no keywright.config.ts here: the schema is inferred from the keys of this server")
        expect(stderr).toMatch(/inferred: 301 keys, \d patterns, all explained/)
        expect(stderr).toContain("keywright init")
        expect(stderr.match(/^server: /gm)).toHaveLength(1)
      }
      expect(argument.code).toBe(option.code)
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it("the address may come before the key, too", async () => {
    expect(await run("inspect", suite.redis.url, "user:7")).toMatchObject({ code: 0 })
    expect(await run("inspect", suite.redis.url, "user:777")).toMatchObject({ code: 1 })
  })

  it("an audit fails for contradictions in the data, never for what nobody decided, and repairs nothing", async () => {
    await suite.driver.batch([
      ["SET", "stray", "x"],
      ["SET", "user:index:email:u5@example.com", "6"],
    ])
    const { code, stdout } = await run("audit", suite.redis.url, "--json")
    const found = JSON.parse(stdout) as {
      schema: object
      summary: Record<string, number>
      findings: { fixable: boolean }[]
    }
    expect(found.schema).toMatchObject({ inferred: true })
    expect(Object.keys(found.summary)).not.toContain("TTL.UNDECIDED")
    expect(found.findings.filter(({ fixable }) => fixable)).toEqual([])
    expect([code, found.summary]).toEqual([1, expect.objectContaining({ "UNIQUE.STALE": 1 })])
    const text = await run("audit", suite.redis.url)
    expect(text.stdout).toContain("the rules are inferred, so repair needs a schema that somebody has confirmed")
    await suite.driver.send(["SET", "user:index:email:u5@example.com", "5"])
    expect(await run("audit", suite.redis.url)).toMatchObject({ code: 0 })
    await suite.driver.send(["UNLINK", "stray"])
  })

  it("a config in the folder is used, unless --infer is given", async () => {
    const cwd = mkdtempSync(join(folder, "configured-"))
    const schema =
      'import { keyspace, string, text } from "keywright"\nexport default keyspace({ only: string("only:{id}", text, { ttl: "never" }) })\n'
    writeFileSync(join(cwd, "keywright.config.ts"), schema)
    const declared = await runCli(["docs", suite.redis.url], { cwd })
    expect(declared.stdout).toContain("only:{id}")
    expect(declared.stderr).not.toContain("inferred")
    const inferred = await runCli(["docs", suite.redis.url, "--infer"], { cwd })
    expect(inferred.stdout).not.toContain("only:{id}")
    expect(inferred.stdout).toContain("user:index:email:{email}")
    expect(await runCli(["docs", suite.redis.url, "--infer", "--schema", "x.ts"], { cwd })).toMatchObject({ code: 2 })
    rmSync(cwd, { recursive: true })
  })

  it("the studio says what it inferred, keeps it in memory, and opens", async () => {
    const { code, stdout, stderr } = await runCli(["studio", suite.redis.url], {
      cwd: folder,
      interruptAt: "studio http",
    })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^studio http:\/\/127\.0\.0\.1:\d+\/\?token=/)])
    expect(stderr).toMatch(/inferred: 301 keys/)
    expect(readdirSync(folder)).toEqual([])
  })

  it("keys and sizes that a user may not see are said to be so", async () => {
    const sizeless = await run("stats", as("sizeless"))
    expect(sizeless.stdout).toMatch(/^301 keys, memory not known$/m)
    const partial = await run("stats", as("partial"))
    expect(partial.stderr).toContain("100 keys could not be read: NOPERM")
    expect([sizeless.code, partial.code]).toEqual([4, 4])
    expect(partial.stdout).toMatch(/^301 keys/m)
    expect(await run("stats", as("blind"))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("'scan' command"),
    })
  })

  it("an empty server is said to be empty", async () => {
    const { code, stderr } = await run("stats", `${suite.redis.url}/9`, "--db", "9")
    expect([code, stderr]).toEqual([0, expect.stringContaining("this server has no keys: there is nothing to infer")])
  })

  it("a wrong password, another protocol, and no server end with 3, and say which it is", async () => {
    const sockets = new Set<net.Socket>()
    const http = net.createServer((socket) => {
      sockets.add(socket.on("error", () => undefined))
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")
    })
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
    const { port } = http.address() as net.AddressInfo
    const [wrong, other, none] = await Promise.all([
      run("stats", suite.redis.url.replace("//", "//blind:mistaken@")),
      run("studio", `redis://127.0.0.1:${port}`),
      run("audit", "redis://127.0.0.1:1"),
    ])
    http.close()
    for (const socket of sockets) socket.destroy()
    expect(wrong).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("SERVER.WRONGPASS") })
    expect(wrong.stderr).not.toContain("mistaken")
    expect(other).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("CLI.NOT_REDIS") })
    expect(none).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("ECONNREFUSED") })
  })

  it("a server that fails in the middle of the walk is an error, not a small keyspace", async () => {
    const hostile = await startHostile(([name]) =>
      name?.toUpperCase() === "PING" ? "+PONG\r\n" : name?.toUpperCase() === "INFO" ? "$0\r\n\r\n" : "-ERR broken\r\n",
    )
    const { code, stdout } = await run("stats", hostile.url)
    await hostile.close()
    expect([code === 0, stdout]).toEqual([false, ""])
  })

  it.each([
    [["stats", "localhost:6379"], "Did you mean redis://localhost:6379?"],
    [["stats", "dump.rdb"], "Did you mean --rdb dump.rdb?"],
    [["stats", "redis://a", "--url", "redis://b"], "Leave one of them out."],
    [["inspect", "one", "two words"], "For example: `redis://localhost:6379`."],
    [["stats"], "keywright stats redis://localhost:6379"],
    [["studio"], "keywright studio redis://localhost:6379"],
    [["studio", "redis://a", "--against", "HEAD"], "--config"],
    [["audit", "http://localhost:6379"], "redis://"],
  ])("%j is not understood, and says what to write", async (words, fix) => {
    const { code, stdout, stderr } = await run(...words)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(fix)
  })
})
