/* What `npm create keywright <folder>` makes of folders that it cannot use, and of names that a shell would read. */

import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect, it } from "vitest"

const program = fileURLToPath(new URL("../packages/create-keywright/index.js", import.meta.url))
const here = mkdtempSync(join(tmpdir(), "keywright-create-"))
afterAll(() => rmSync(here, { recursive: true, force: true }))

const create = (folder: string) =>
  spawnSync(process.execPath, [program, folder, "--no-install"], { cwd: here, encoding: "utf8" })

it("writes nothing over or beside what is there, and says so in one line", () => {
  mkdirSync(join(here, "full"))
  writeFileSync(join(here, "full/package.json"), "mine")
  writeFileSync(join(here, "file"), "mine")
  symlinkSync("nowhere", join(here, "dangling"))
  symlinkSync("full", join(here, "link"))
  for (const folder of ["full", "link", "file", "dangling", "x".repeat(300)]) {
    const { status, stderr } = create(folder)
    expect([folder, status, stderr.trimEnd().split("\n").length]).toEqual([folder, 1, 1])
    expect(stderr).toContain("Name another folder")
  }
  expect(readdirSync(join(here, "full"))).toEqual(["package.json"])
  expect(readFileSync(join(here, "full/package.json"), "utf8")).toBe("mine")
  expect(existsSync(join(here, "nowhere"))).toBe(false)
})

it("prints a name so that a shell takes it for one word, and no terminal acts on it", () => {
  const { stdout } = create("a';id #\u001b[2J")
  expect(stdout).toContain("cd 'a'\\'';id #?[2J'")
  expect(JSON.parse(readFileSync(join(here, "a';id #\u001b[2J/package.json"), "utf8"))).toMatchObject({
    name: "a-id-2j",
  })
})
