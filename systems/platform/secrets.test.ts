/* Where secrets may come from, and which are refused. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { catalog } from "../catalog.ts"
import { readOptions } from "./options.ts"
import { variableOf } from "./settings.ts"
import { openSource } from "./source.ts"
import { serveForTest } from "./testing/serve.ts"
import { UsageError } from "./usage-error.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-secrets-"))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const LONG = "0123456789-0123456789-0123456789"
const read = (env: Record<string, string>, ...args: string[]) => readOptions(args, catalog, env)
const secretOf = async (env: Record<string, string>, ...args: string[]) =>
  (await read(env, "restaurant", ...args)).settings["restaurant"]!["jwtSecret"]

describe("a secret setting", () => {
  it("comes from the command line, from a file or from the environment, the nearest first", async () => {
    const KEYWRIGHT_RESTAURANT_JWT_SECRET = `env-${LONG}`
    const path = file("jwt", `file-${LONG}\n`)
    expect(await secretOf({ KEYWRIGHT_RESTAURANT_JWT_SECRET })).toBe(`env-${LONG}`)
    expect(await secretOf({ KEYWRIGHT_RESTAURANT_JWT_SECRET: "" })).toBeUndefined()
    expect(await secretOf({ KEYWRIGHT_RESTAURANT_JWT_SECRET }, "--set-file", `restaurant.jwtSecret=${path}`)).toBe(
      `file-${LONG}`,
    )
    expect(await secretOf({ KEYWRIGHT_RESTAURANT_JWT_SECRET }, "--set", `restaurant.jwtSecret=arg-${LONG}`)).toBe(
      `arg-${LONG}`,
    )
  })

  it("has a variable of its own, whatever its name", () => {
    expect(variableOf("restaurant.vnpay.hashSecret")).toBe("KEYWRIGHT_RESTAURANT_VNPAY_HASH_SECRET")
    expect(variableOf("restaurant.adminPassword")).toBe("KEYWRIGHT_RESTAURANT_ADMIN_PASSWORD")
  })

  it("is the only kind that the environment sets", async () => {
    expect((await read({ KEYWRIGHT_SHOP_OPEN_LOGIN: "true" }, "shop")).settings["shop"]!["openLogin"]).toBe(false)
  })

  it.each([["a"], ["x".repeat(31)], [""], ["\ufffd".repeat(40)]])(
    "that signs tokens is refused when it is %j, however it comes",
    async (secret) => {
      const says = /restaurant\.jwtSecret takes a text of at least 32 bytes/
      await expect(secretOf({}, `--set=restaurant.jwtSecret=${secret}`)).rejects.toThrow(says)
      await expect(secretOf({}, "--set-file", `restaurant.jwtSecret=${file("short", secret)}`)).rejects.toThrow(says)
      if (secret !== "") await expect(secretOf({ KEYWRIGHT_RESTAURANT_JWT_SECRET: secret })).rejects.toThrow(says)
    },
  )

  it.each([
    [
      ["--set-file", "restaurant.jwtSecret=/nowhere/at-all"],
      /--set-file restaurant\.jwtSecret: \/nowhere\/at-all cannot be read \(ENOENT\)/,
    ],
    [["--set-file", "restaurant.jwtSecret"], /needs a value/],
    [["--set-file", "restaurant.nothing=/x"], /no setting "restaurant\.nothing"/],
    [["--set-file", `restaurant.jwtSecret=${folder}`], /cannot be read \(EISDIR\)/],
    [["--set-file", "restaurant.jwtSecret=/dev/zero"], /is too large to be a secret/],
    [["--set-file", `restaurant.jwtSecret=${file("binary", Buffer.alloc(48, 0xff))}`], /binary is not UTF-8/],
    [
      ["--set-file", `restaurant.jwtSecret=${file("cut", Buffer.from(`${LONG}é`).subarray(0, -1))}`],
      /cut is not UTF-8/,
    ],
    [["--admin-token-file", file("bytes", Buffer.alloc(48, 0xff))], /bytes is not UTF-8/],
    [
      ["--set", `restaurant.jwtSecret=${LONG}`, "--set-file", `restaurant.jwtSecret=${file("two", LONG)}`],
      /by --set and by --set-file/,
    ],
    [["--admin-token", "a", "--admin-token-file", file("token", "b")], /both given/],
  ])("%j is refused", async (args, says) => {
    await expect(read({}, "restaurant", ...args)).rejects.toThrow(says)
  })
})

it.each([
  ["--set", "canary"],
  ["--set", "canary=="],
  ["--set", "jwtSecrt=canary"],
  ["--set", "restaurant.jwtSecret:canary/5"],
  ["--set", "restaurant.jwtSecret+canary=5"],
  ["--set", "restaurant.jwtSecret=abc", "canary"],
  ["--set-file", "restaurant.jwtSecret=canary"],
  ["--admin-token-file", "canary"],
  ["--admin-token:canary"],
])("%s %s %s: a secret that is given in another way than it should be is not repeated", async (...args) => {
  const error: unknown = await read({}, "restaurant", ...args).catch((refusal: unknown) => refusal)
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).not.toContain("canary")
})

it.each(["u:canary#1@h/name", "u:9#canary@h/name", "u:canary@h:port/name", "u:canary@[h/name"])(
  "an address of a database that is not a URL is refused without its password: %s",
  (rest) => {
    const opening = () => openSource(`postgres://${rest}`, () => undefined)
    expect(opening).toThrow(UsageError)
    expect(opening).toThrow(/^(?!.*canary).*percent-encoded/)
  },
)

it("the admin token and the addresses come from files, the token from the environment too", async () => {
  const path = file("address", "redis://:pass@127.0.0.1:6390/1\r\n")
  expect((await read({}, "shop", "--redis-file", path)).redis).toBe("redis://:pass@127.0.0.1:6390/1")
  expect((await read({}, "shop", "--database-file", file("sql", "sqlite:/tmp/x"))).database).toBe("sqlite:/tmp/x")
  expect((await read({}, "shop", "--admin-token-file", file("admin", "a-token"))).adminToken).toBe("a-token")
  expect((await read({ KEYWRIGHT_ADMIN_TOKEN: "env-token" }, "shop")).adminToken).toBe("env-token")
  expect((await read({ KEYWRIGHT_ADMIN_TOKEN: "env-token" }, "shop", "--admin-token", "arg")).adminToken).toBe("arg")
  expect((await read({ KEYWRIGHT_ADMIN_TOKEN: "" }, "shop")).adminToken).toBeUndefined()
})

it("a short admin token is warned of, and not repeated", async () => {
  const start = async (...args: string[]) => {
    const served = await serveForTest({ redis: undefined, engine: undefined }, "shop", "--no-admin", ...args)
    await served.close()
    return served.logged()
  }
  const short = await start("--admin-token", "canary-15-bytes")
  expect(short).toContain("the admin token is shorter than 16 bytes")
  expect(short).not.toContain("canary")
  expect(await start("--admin-token", LONG)).not.toContain("admin token")
  expect(await start()).not.toContain("admin token")
  await expect(start("--admin-token-file", "/dev/null")).rejects.toThrow("the admin token is empty")
})
