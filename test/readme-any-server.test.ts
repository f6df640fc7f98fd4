/* The command on the README's first screen that needs no schema, on a server as it might be found. */

import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { start } from "@keywright/embedded"
import { connect, keyspace } from "keywright"
import { afterAll, beforeAll, expect, it } from "vitest"
import { freshBundle, runCli } from "../packages/keywright/src/cli/run-cli.cases.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const printed = /npx keywright stats redis:[^\n]*\n```\n+```text\n([\s\S]*?)```/.exec(readme)?.[1]

let engine: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  await freshBundle()
  engine = await start({ port: 0 })
  const db = await connect(keyspace({}), engine.url as string)
  for (let n = 1; n <= 120; n++)
    await db.$driver().batch([
      ["SET", `user:${n}`, JSON.stringify({ id: n, name: `User ${n}`, email: `u${n}@example.com` })],
      ["SET", `user:index:email:u${n}@example.com`, String(n)],
      ["SADD", "user:list", String(n)],
      ["HSET", `cart:${n}`, "item1", "2"],
      ["ZADD", `viewed:${n}`, String(1_800_000_000 + n), "item1"],
      ["SET", `session:${(n * 7_919_771).toString(16).padStart(24, "a7")}`, String(n), "EX", "3600"],
    ])
  await db.$close()
}, 120_000)
afterAll(() => engine?.stop())

it("prints what the README says of a server that nobody described", { timeout: 120_000 }, async () => {
  const { code, stdout, stderr } = await runCli(["stats", engine.url as string], { cwd: tmpdir() })
  const shown = `${stderr}${stdout.split("\nBiggest keys")[0]}`.replace(
    /redis:\/\/[\d.]+:\d+/,
    "redis://localhost:6379",
  )
  expect(code).toBe(0)
  expect(sizeless(shown)).toBe(sizeless(printed ?? ""))
})

/** How much memory a key takes is the server's business, and names of parameters are guesses. */
const sizeless = (text: string): string =>
  text
    .replace(/ +[\d.]+ (?:k?B|%)/g, " #")
    .replace(/\{\w+\}/g, "{…}")
    .replace(/ +/g, " ")
    .trim()
