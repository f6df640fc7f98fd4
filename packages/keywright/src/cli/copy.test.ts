/* keywright copy as its users call it: from one server to another. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import type { Driver } from "../driver/driver.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"

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
    return runCli(["copy", "--config", "systems/shop", "--from", servers[0].url, "--to", to, ...more])
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
    expect(await drivers[0].send(["SET", "cache:x", "1"])).toBe("OK")
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
