/* Commands that read, on an RDB file of an old server: no server is there at all. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as w from "../inspect/rdb/rdb-writer.cases.ts"
import { freshBundle, keywright } from "./run-cli.cases.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-cli-rdb-"))
const file = join(folder, "dump.rdb")
const at = 1_600_000_000

const shop = [
  w.entry(13, "login:", w.string(w.ziplist(["token-1", "ann"]))),
  w.entry(12, "recent:", w.string(w.ziplist(["token-1", 1_700_000_000]))),
  w.entry(0, "inv:7", w.string('{"qty":1}')),
  w.entry(12, "delay:", w.string(w.ziplist(["7", 5]))),
  w.entry(12, "schedule:", w.string(w.ziplist(["7", 1_700_000_000]))),
  w.joined(w.expireMs((at + 200) * 1000), w.entry(0, "cache:abc", w.lzf("<html>".repeat(30)))),
  w.joined(w.expireMs(at * 1000 - 1), w.entry(0, "cache:gone", w.string("expired, but not yet removed"))),
]
const content = w.rdb("REDIS0009", [
  w.aux("redis-ver", "5.0.9"),
  w.aux("ctime", String(at)),
  ...shop,
  w.selectDb(4),
  ...shop,
  w.entry(11, "cart:token-1", w.string(w.intset([1], 2))),
])

beforeAll(async () => {
  await freshBundle()
  writeFileSync(file, content)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("with --rdb", { timeout: 120_000 }, () => {
  const run = (...args: string[]) => keywright(...args, "--config", "systems/shop", "--rdb", file)
  const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout) as Record<string, unknown>

  it("audit says whether the file is as the schema says, as of the time when it was written", async () => {
    const clean = await run("audit")
    // Where the machine is busy, a line about the progress follows.
    expect([clean.code, clean.stderr.split("\n")[0]]).toEqual([0, `file: ${file}`])
    expect(clean.stdout).toBe(`6 keys of ${file} (RDB file): all as the schema says\n`)
    expect(await json("audit", "--db", "4")).toMatchObject({
      server: { flavour: "redis", version: "5.0.9" },
      keys: 7,
      summary: { "KEY.TYPE": 1 },
    })
  })

  it("stats counts every database, or one", async () => {
    const all = await json("stats")
    expect(all).toMatchObject({ keys: 13, databases: [{ db: 0 }, { db: 4 }], server: { rdb: file } })
    expect(await json("stats", "--db", "4", "--match", "c*")).toMatchObject({ keys: 2, databases: [{ db: 4 }] })
  })

  it("inspect, get and ls show keys", async () => {
    expect(await json("inspect", "cache:abc")).toMatchObject({ type: "string", ttlMs: 199_001, encoding: "lzf" })
    expect(await json("get", "row", "row=7")).toMatchObject({ key: "inv:7", value: { qty: 1 } })
    expect(await json("ls", "stock.row")).toMatchObject({ keys: ["inv:7"] })
    expect(await json("ls", "row")).toMatchObject({ keys: ["inv:7"] })
    expect((await run("inspect", "cache:gone")).code).toBe(1)
  })

  it("export writes lines that an import takes", async () => {
    const { stdout, code } = await run("export", "--secrets", "--db", "4")
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object)
    expect(code).toBe(0)
    expect(lines).toHaveLength(9)
    expect(lines).toContainEqual(expect.objectContaining({ db: 4, key: "login:", value: [["token-1", "ann"]] }))
  })

  it("a damaged file is refused with the place of the damage", async () => {
    writeFileSync(join(folder, "cut.rdb"), content.subarray(0, 90))
    for (const command of ["audit", "stats", "export"]) {
      const { code, stderr } = await keywright(command, "--config", "systems/shop", "--rdb", join(folder, "cut.rdb"))
      expect(code).toBe(command === "export" ? 4 : 2)
      expect(stderr).not.toMatch(/connection was lost/)
      expect(stderr).toMatch(/the file ends too early: .* at byte \d+ is incomplete/)
    }
  })
})
