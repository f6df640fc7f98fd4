/* Whatever a call names as a file may be something else, which somebody put there. */

import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshBundle, runCli } from "./run-cli.cases.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-kinds-"))
const pipe = join(folder, "pipe")
const SHOP = ["--config", "systems/shop"]
const NO_SERVER = ["--url", "redis://127.0.0.1:1"]

beforeAll(async () => {
  await freshBundle()
  execFileSync("mkfifo", [pipe])
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Calls that read a file; `folders`: a folder means something there. */
const calls: readonly (readonly [args: (file: string) => string[], folders?: true])[] = [
  [(file) => ["check", "--schema", file]],
  [(file) => ["check", "--config", file], true],
  [(file) => ["check", ...SHOP, "--doc", file]],
  [(file) => ["docs", ...SHOP, "--into", file]],
  [(file) => ["diff", file, "systems/shop/schema.ts"], true],
  [(file) => ["diff", "systems/shop/schema.ts", file], true],
  [(file) => ["import", file, ...SHOP, ...NO_SERVER]],
  [(file) => ["infer", file]],
  [(file) => ["infer", "--rdb", file]],
  [(file) => ["infer", "--against", file, ...NO_SERVER], true],
  [(file) => ["init", file]],
  ...["audit", "stats", "export", "inspect key", "ls stock.row", "get stock.row row=1"].map(
    (command) => [(file: string) => [...command.split(" "), ...SHOP, "--rdb", file]] as const,
  ),
  ...["repair", "purge"].flatMap((command) =>
    ["--apply", "--undo"].map((option) => [(file: string) => [command, ...SHOP, ...NO_SERVER, option, file]] as const),
  ),
]

describe("instead of a file that is read", () => {
  const told = calls.map(([args, folders]) => [args("…").join(" "), args, folders] as const)
  it.each(told)("a pipe, a device without an end and a folder are refused at once: %s", async (_, args, folders) => {
    for (const place of [pipe, "/dev/zero", ...(folders === true ? [] : [folder])]) {
      const { code, stdout, stderr } = await runCli(args(place))
      expect({ code, stdout, stderr }).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("FILE.KIND"),
      })
    }
  })
})

it("where a page is written there is nothing but a file", async () => {
  const into = await runCli(["docs", ...SHOP, "--out", pipe])
  expect(into).toMatchObject({ code: 2, stderr: expect.stringContaining("FILE.UNWRITABLE") })
  execFileSync("mkfifo", [join(folder, "shop.md")])
  const page = await runCli(["docs", ...SHOP, "--out", folder])
  expect(page).toMatchObject({ code: 2, stderr: expect.stringContaining("FILE.KIND") })
})
