/* Addresses with a password that are mistyped, or in the place of something else: they are refused, without it. */

import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { startHostile } from "../../../../test/hostile-server.ts"
import { freshBundle, root, runCli } from "./run-cli.cases.ts"

const SHOP = ["--config", "systems/shop"]

beforeAll(freshBundle)

it.each<[string, string[]]>([
  ["a space before it", ["stats", " redis://user:canary@127.0.0.1:1"]],
  ["no scheme", ["audit", "user:canary@127.0.0.1:1", ...SHOP]],
  ["no scheme and no user", ["audit", "canary@127.0.0.1:1", ...SHOP]],
  ["the form of another client", ["stats", "cache.example.net:6380,password=canary=,ssl=True"]],
  ["the form of another client behind a scheme", ["stats", "redis://127.0.0.1:1,password=canary,ssl=False"]],
  ["a wide @", ["stats", "redis://canary＠127.0.0.1"]],
  ["its @ encoded twice", ["stats", "redis://canary%2540127.0.0.1"]],
  ["a colon left out", ["export", "redis//:canary@127.0.0.1:1"]],
  ["no host", ["stats", "--url", "redis://user:canary"]],
  ["a space before it, and no host", ["stats", " redis://user:canary"]],
  ["no host, of sentinels", ["stats", "redis+sentinel://user:canary/service"]],
  [
    "an option of sentinels, in the place of a file",
    ["import", "redis+sentinel://h/s?sentinel_password=canary", ...SHOP],
  ],
  ["no host, in the place of a name", ["purge", "redis://user:canary", "--url", "redis://127.0.0.1:1", ...SHOP]],
  ["its : and @ encoded", ["stats", "redis://user%3Acanary%40127.0.0.1:1"]],
  ["the place of a key", ["inspect", "redis://user:canary@127.0.0.1:1", "--url", "redis://127.0.0.1:1", ...SHOP]],
  ["the place of a name", ["purge", "redis://user:canary@127.0.0.1:1", "--url", "redis://127.0.0.1:1", ...SHOP]],
  ["the place of a parameter", ["get", "row", "redis://user:canary@127.0.0.1:1", ...SHOP]],
  ["the place of a file", ["import", "redis://user:canary@127.0.0.1:1", ...SHOP]],
])("with %s an address is refused without its password", async (_, args) => {
  const { code, stdout, stderr } = await runCli(args)
  expect(code).toBe(2)
  expect(stderr).toMatch(/^(?:CLI|DRIVER|FILE)\./m)
  expect(stdout + stderr).not.toContain("canary")
})

it.runIf(process.platform === "linux")(
  "an address is not in the list of processes, with whatever password",
  async () => {
    const silent = await startHostile(
      () => undefined,
      () => undefined,
    )
    const address = `${silent.url.replace("redis:", "redis+sentinel:")}/s?sentinel_password=canary`
    const program = spawn(process.execPath, [join(root, "packages/keywright/bin/keywright.js"), "stats", address])
    await expect
      .poll(() => readFileSync(`/proc/${program.pid}/cmdline`, "utf8").replaceAll("\0", " ").trim())
      .toBe("keywright")
    program.kill("SIGKILL")
    await silent.close()
  },
)
