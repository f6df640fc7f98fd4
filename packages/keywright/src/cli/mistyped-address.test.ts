/* Addresses with a password that are mistyped, or in the place of something else: they are refused, without it. */

import { beforeAll, expect, it } from "vitest"
import { freshBundle, runCli } from "./run-cli.cases.ts"

const SHOP = ["--config", "systems/shop"]

beforeAll(freshBundle)

it.each<[string, string[]]>([
  ["a space before it", ["stats", " redis://user:canary@127.0.0.1:1"]],
  ["no scheme", ["audit", "user:canary@127.0.0.1:1", ...SHOP]],
  ["no scheme and no user", ["audit", "canary@127.0.0.1:1", ...SHOP]],
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
