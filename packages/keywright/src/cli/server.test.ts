/* Commands that look at a server, on a real one and on the embedded engine's port. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { startRedis } from "../../../../test/real-redis.ts"
import type { Driver } from "../driver/driver.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { loadEmbedded } from "../driver/embedded.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"

beforeAll(freshBundle)

const shop = ["--config", "systems/shop"]

interface Server {
  readonly url: string
  stop(): Promise<void>
}

const servers: [string, boolean, () => Promise<Server>][] = [
  ["redis-server", needs("redis-server"), () => startRedis()],
  [
    "the embedded engine",
    true,
    async () => {
      const engine = await (await loadEmbedded()).start({ port: 0 })
      return { url: engine.url as string, stop: () => engine.stop() }
    },
  ],
]

for (const [name, there, start] of servers) {
  describe.runIf(there)(`on ${name}`, { timeout: 120_000 }, () => {
    let server: Server
    let driver: Driver
    beforeAll(async () => {
      server = await start()
      driver = openResp(server.url)
    })
    afterAll(async () => {
      await driver.close()
      await server.stop()
    })
    const run = (...args: string[]) => runCli([...args, ...shop, "--url", server.url])
    const fill = async (...more: string[][]) => {
      await driver.send(["FLUSHALL"])
      await driver.batch([
        ["HSET", "login:", "token-1", "ann"],
        ["ZADD", "recent:", "1700000000", "token-1"],
        ["SET", "inv:7", '{"qty":1}'],
        ["ZADD", "delay:", "5", "7"],
        ["ZADD", "schedule:", "1700000000", "7"],
        ["SET", "cache:abc", "<html>", "EX", "200"],
        ...more,
      ])
    }

    it("audit is clean, and says which server it looked at on standard error only", async () => {
      await fill()
      const { code, stdout, stderr } = await run("audit")
      expect(code).toBe(0)
      expect(stdout).toMatch(/^6 keys of redis:\/\/127\.0\.0\.1:\d+\/0: all as the schema says\n$/)
      expect(stderr).toContain(`server: ${server.url}/0 (from --url)`)
    })

    it("audit finds damage: for people, as JSON of a known shape, as SARIF and annotations at the schema's lines", async () => {
      await fill(["SADD", "cart:token-1", "x"], ["SET", "stranger:1", "x"])
      const [people, json, sarif, github] = await Promise.all([
        run("audit"),
        run("audit", "--json"),
        run("audit", "--format", "sarif"),
        run("audit", "--format", "github"),
      ])
      for (const { code } of [people, json, sarif, github]) expect(code).toBe(1)
      expect(people.stdout).toContain("KEY.TYPE")
      const result = JSON.parse(json.stdout) as Record<string, unknown> & { findings: object[] }
      expect(Object.keys(result)).toEqual([
        "schemaVersion",
        "server",
        "schema",
        "keys",
        "findings",
        "summary",
        "unreadable",
      ])
      expect(Object.keys(result.findings[0]!)).toEqual(["code", "db", "pattern", "key", "expected", "found", "fixable"])
      expect(result["summary"]).toEqual({ "KEY.TYPE": 1, "KEY.UNKNOWN": 1 })
      expect(sarif.stdout).toContain('"uri": "systems/shop/schema.ts"')
      expect(github.stdout).toMatch(/::error file=systems\/shop\/schema\.ts,line=\d+,title=KEY\.TYPE::cart:/)
    })

    it("audit takes --match, --sample, --rate and --limit", async () => {
      await fill(...Array.from({ length: 50 }, (_, i) => ["SET", `stranger:${i}`, "x"]))
      const keysOf = async (...args: string[]) =>
        JSON.parse((await run("audit", "--json", ...args)).stdout) as {
          keys: number
          findings: object[]
          summary: object
        }
      expect(await keysOf("--match", "inv:*")).toMatchObject({ keys: 1, findings: [] })
      expect((await keysOf("--sample", "0.5")).keys).toBeLessThan(56)
      expect(await keysOf("--rate", "100000", "--limit", "3")).toMatchObject({
        keys: 56,
        summary: { "KEY.UNKNOWN": 50 },
      })
    })

    it("stats counts by pattern, as a table and as JSON", async () => {
      await fill()
      const { stdout, code } = await run("stats")
      expect(code).toBe(0)
      expect(stdout).toMatch(/^inv:\{row\}\s+string\s+1\s/m)
      const json = JSON.parse((await run("stats", "--json", "--top", "2")).stdout) as {
        keys: number
        biggest: object[]
      }
      expect(json).toMatchObject({ schemaVersion: 1, keys: 6 })
      expect(json.biggest).toHaveLength(2)
    })

    it("inspect, get and ls show keys by what they are", async () => {
      await fill()
      const inspected = JSON.parse((await run("inspect", "inv:7", "--json")).stdout) as object
      expect(inspected).toMatchObject({ pattern: "inv:{row}", type: "string", value: { qty: 1 }, ttlMs: null })
      expect(JSON.parse((await run("get", "stock.row", "row=7", "--json")).stdout)).toEqual(inspected)
      expect(await run("inspect", "inv:8")).toMatchObject({ code: 1, stdout: expect.stringContaining("no such key") })
      expect(await run("ls", "stock.row")).toMatchObject({ code: 0, stdout: "inv:7\n" })
      expect(JSON.parse((await run("ls", "page", "hash=abc", "--json")).stdout)).toMatchObject({
        keys: ["cache:abc"],
        cut: false,
      })
    })

    it("doctor says what the settings endanger", async () => {
      const { code, stdout } = await run("doctor", "--json")
      const result = JSON.parse(stdout) as { summary: object; server: object; settings: object }
      expect(code).toBe(1)
      expect(result).toMatchObject({ schemaVersion: 1, schema: { name: "shop" } })
      expect(result.summary).toHaveProperty("DOCTOR.NO_PERSISTENCE")
      expect((await run("doctor")).stdout).toContain("DOCTOR.NO_PERSISTENCE")
    })

    it("top prints frames as NDJSON, and ends with 0 on Ctrl-C", async () => {
      const { code, stdout } = await run("top", "--json", "--interval", "0.2", "--count", "2")
      expect(code).toBe(0)
      const frames = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object)
      expect(frames).toHaveLength(2)
      for (const frame of frames) expect(Object.keys(frame)).toEqual(["at", "seconds", "perSecond", "sample", "rows"])
      const stopped = await runCli(["top", ...shop, "--url", server.url, "--interval", "0.2"], {
        interruptAt: "commands/s",
      })
      expect(stopped.code).toBe(0)
    })

    it("backup ends when the snapshot is written", async () => {
      const { code, stdout } = await runCli(["backup", "--url", server.url, "--json"])
      expect(code).toBe(0)
      const how = name === "redis-server" ? "BGSAVE" : "SAVE"
      expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, saves: [{ how }] })
    })

    it("takes the address from REDIS_URL", async () => {
      const { code, stderr } = await runCli(["stats", ...shop], { env: { REDIS_URL: server.url } })
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("(from REDIS_URL)") })
    })
  })
}

describe("a server that cannot be reached exits with 3", { timeout: 120_000 }, () => {
  it.concurrent.each(["audit", "stats", "doctor", "top", "inspect", "ls"])("%s", async (command) => {
    const more = command === "inspect" ? ["inv:7"] : command === "ls" ? ["stock.row"] : []
    const url = "redis://someone:CANARY-password@127.0.0.1:1"
    const { code, stdout, stderr } = await runCli([command, ...more, ...shop, "--url", url, "--json"], { alone: true })
    expect(code).toBe(3)
    expect((JSON.parse(stdout) as { error: { code: string } }).error.code).toBe("DRIVER.TIMEOUT")
    expect(stdout + stderr).not.toContain("CANARY")
  })

  it.runIf(needs("redis-server"))("a wrong password, which is not repeated", async () => {
    const server = await startRedis({ args: ["--requirepass", "right"] })
    const { code, stdout, stderr } = await runCli([
      "audit",
      ...shop,
      "--url",
      `redis://:CANARY@127.0.0.1:${server.port}`,
    ])
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
    expect(stderr).toContain("WRONGPASS")
    expect(stderr).not.toContain("CANARY")
    await server.stop()
  })
})

describe.runIf(needs("redis-server"))("a walk that is stopped", { timeout: 120_000 }, () => {
  it("exits with 4, prints what was found so far, and continues from there", async () => {
    const server = await startRedis()
    const driver = openResp(server.url)
    await driver.batch(Array.from({ length: 3000 }, (_, i) => ["SET", `stranger:${i}`, "x"]))
    const walking = runCli(["audit", ...shop, "--url", server.url, "--json", "--rate", "50", "--timeout", "1"])
    await untilScanned(driver)
    await driver.close()
    await server.stop()
    const { code, stdout } = await walking
    expect(code).toBe(4)
    const result = JSON.parse(stdout) as { keys: number; interrupted: { code: string; resume: string } }
    expect(result.interrupted.code).toBe("INSPECT.INTERRUPTED")
    expect(result.interrupted.resume).not.toBe("")
    expect(result.keys).toBeLessThan(3000)
  })
})

async function untilScanned(driver: Driver): Promise<void> {
  for (;;) {
    const info = String(await driver.send(["INFO", "commandstats"]))
    if (Number(/cmdstat_scan:calls=(\d+)/.exec(info)?.[1] ?? 0) > 1) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
