/* keywright copy as its users call it: from one server to another. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import type { Driver } from "../driver/driver.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.runIf(needs("redis-server"))("keywright copy", () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-copy-"))
  let servers: readonly [RealRedis, RealRedis]
  let drivers: readonly [Driver, Driver]
  beforeAll(async () => {
    const [from, to] = await Promise.all([
      startRedis(),
      startRedis({ args: ["--requirepass", "hunter2"] }),
      freshBundle(),
    ])
    servers = [from, to]
    drivers = [openResp(from.url), openResp(to.url.replace("://", "://:hunter2@"))]
  })
  beforeEach(async () => {
    await Promise.all(drivers.map((driver) => driver.send(["FLUSHALL"])))
    await drivers[0].batch([
      ["HSET", "login:", "token-1", "ann"],
      ["ZADD", "recent:", "1700000000", "token-1"],
      ["HSET", "cart:token-1", "item1", "2"],
    ])
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await Promise.all([...drivers.map((driver) => driver.close()), ...servers.map((server) => server.stop())])
  })
  const copy = (...more: string[]) => {
    const to = servers[1].url.replace("://", "://:hunter2@")
    const args = ["copy", "--config", "systems/shop", "--from", servers[0].url, "--to", to, ...more]
    return runCli(args, { alone: more.includes("--then") })
  }

  it("says by pattern that both sides are equal", async () => {
    const { code, stdout, stderr } = await copy("--to-tag", "main")
    expect(stderr).not.toContain("hunter2")
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("3 keys copied, both sides are equal"),
    })
    expect(stdout).toContain("✓ {{tag}}:cart:{token}  1")
    expect(await drivers[1].send(["HGET", "{main}:cart:token-1", "item1"])).toBe("2")
  })

  it("says that a key was not copied whose name belongs to another key on the target", async () => {
    await drivers[0].send(["SET", "{main}:cart:token-1", "999"])
    const { code, stderr } = await copy("--to-tag", "main", "--foreign")
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("of the target owns their names"),
    })
    expect(await drivers[1].send(["HGET", "{main}:cart:token-1", "item1"])).toBe("2")
  })

  it("refuses a target that has keys, and takes it with --overwrite; --json is one document", async () => {
    await copy()
    const refused = await copy()
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("COPY.NOT_EMPTY") })
    await drivers[0].send(["DEL", "cart:token-1"])
    const { code, stdout } = await copy("--overwrite", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, keys: 2, verified: true, foreign: 0, resumed: false })
    expect(await drivers[1].send(["EXISTS", "cart:token-1"])).toBe(0)
  })

  it("runs a command while writers wait, and fails with it", async () => {
    const missing = await copy("--then", "true")
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("--pause") })
    const done = join(folder, "switched")
    const { code, stdout } = await copy("--pause", "60s", "--then", `echo switched > ${done}`, "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout).pausedMs).toBeGreaterThan(0)
    const failed = await copy("--overwrite", "--pause", "60s", "--then", "exit 3")
    expect(failed).toMatchObject({ code: 4, stderr: expect.stringContaining("exit 3") })
    expect(failed.stderr).toContain("COPY.SWITCH_FAILED")
    expect(await drivers[0].send(["SET", "cache:x", "1"])).toBe("OK")
  })

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("ends the pause and what it started by %s", async (signal) => {
    const told = join(folder, `told-${signal}`)
    // A command that has started another, and waits for it.
    const then = `sleep 600 & echo $PPID $! > ${told}.part; mv ${told}.part ${told}; wait`
    const running = copy("--pause", "300s", "--then", then)
    const [own, started] = await vi.waitFor(() => readFileSync(told, "utf8").split(" ").map(Number), {
      timeout: 60_000,
    })
    process.kill(own!, signal)
    const { code, stderr } = await running
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining(signal) })
    expect(await drivers[0].send(["SET", "cache:x", "1"])).toBe("OK")
    await vi.waitFor(() => expect(isRunning(started!)).toBe(false), { timeout: 30_000 })
  })

  it("repeats neither the command of --then nor an address in the list of processes", async () => {
    const told = join(folder, "arguments")
    const then = `tr '\\0' ' ' < /proc/$PPID/cmdline > ${told}; echo hunter3; exit 3`
    const failed = await copy("--pause", "60s", "--then", `TOKEN=hunter4; ${then}`)
    expect(failed).toMatchObject({ code: 4, stderr: expect.stringContaining("exit 3") })
    expect(failed.stderr).not.toMatch(/hunter[24]/)
    if (process.platform === "linux") expect(readFileSync(told, "utf8")).not.toMatch(/hunter|redis:/)
  })

  it("takes both addresses from the environment, too", async () => {
    const env = { KEYWRIGHT_FROM: servers[0].url, KEYWRIGHT_TO: servers[1].url.replace("://", "://:hunter2@") }
    const { code, stdout } = await runCli(["copy", "--config", "systems/shop"], { env })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("3 keys copied") })
  })

  it("does not hand them to the command of --then", async () => {
    const env = {
      KEYWRIGHT_FROM: servers[0].url,
      KEYWRIGHT_TO: servers[1].url.replace("://", "://:hunter2@"),
      REDIS_URL: "redis://of-the-user",
    }
    const seen = join(folder, "environment")
    const args = ["copy", "--config", "systems/shop", "--pause", "60s", "--then", `env > ${seen}`]
    expect(await runCli(args, { env, alone: true })).toMatchObject({ code: 0 })
    const variables = readFileSync(seen, "utf8")
    expect(variables).toContain("REDIS_URL=redis://of-the-user")
    expect(variables).not.toMatch(/KEYWRIGHT_FROM|KEYWRIGHT_TO|hunter2/)
  })

  it("takes the same schema with other patterns, and is partial where keys are left", async () => {
    const schema = join(folder, "schema.ts")
    const imports = `import { keyspace, map, int, text } from "keywright"`
    writeFileSync(
      schema,
      `${imports}
const cart = (pattern) => keyspace({ cart: map(pattern, text, int) }, { ttl: "never" })
export const one = cart("cart:{token}")
export const other = cart("cart:{{token}}")`,
    )
    const args = [
      "copy",
      "--schema",
      `${schema}#one`,
      "--to-schema",
      `${schema}#other`,
      "--from",
      servers[0].url,
      "--to",
    ]
    const { code, stderr } = await runCli([...args, servers[1].url.replace("://", "://:hunter2@")])
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining("2 keys that no pattern owns") })
    expect(await drivers[1].send(["HGET", "cart:{token-1}", "item1"])).toBe("2")
  })
})
