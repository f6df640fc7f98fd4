/* RDB files of a few megabytes whose keys, members or values expand to 400 of them, or that hold tens of millions of
 * elements: what the command line takes to say so. */

import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../../test/full.ts"
import * as w from "../inspect/rdb/rdb-writer.cases.ts"
import { freshBundle, root } from "./run-cli.cases.ts"

const MEGABYTE = 1024 * 1024
/** Node and the program take about 120 of them; what is expanded once would be 400 more. */
const MOST = 400 * MEGABYTE

const folder = mkdtempSync(join(tmpdir(), "keywright-cli-rdb-memory-"))
const program = fileURLToPath(new URL("../../bin/keywright.js", import.meta.url))
/** Not `maxRSS`: on Linux a program begins with that of the process that started it. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs"
  process.on("exit", () => {
    let most = process.resourceUsage().maxRSS
    try { most = /VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1] } catch {}
    process.stderr.write("rss:" + most)
  })`)}`

beforeAll(freshBundle)
afterAll(() => rmSync(folder, { recursive: true }))

const AUDIT = ["audit", "--config", "systems/shop"]

/** What a command printed, and its memory at its highest, in bytes. */
async function ran(
  command: readonly string[],
  entries: readonly Buffer[],
): Promise<{ readonly printed: string; readonly bytes: number }> {
  const file = join(folder, "dump.rdb")
  writeFileSync(file, w.rdb("REDIS0011", [w.entry(0, "inv:1", w.string('{"qty":1}')), ...entries]))
  const words = [...command, "--rdb", file]
  const child = spawn(process.execPath, ["--import", TELL, program, ...words], { cwd: root })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (printed += String(bytes)))
  await new Promise((resolve) => child.once("close", resolve))
  const kilobytes = /rss:(\d+)/.exec(printed)?.[1]
  return { printed, bytes: Number(kilobytes) * 1024 }
}

const large = w.lzfRun(400 * MEGABYTE)
const many = (letters: string) => Array.from(letters, (letter) => [w.lzfRun(20 * MEGABYTE, letter)])
const lie = Buffer.concat([w.u8(0xc3), w.length(5 * MEGABYTE), w.length(400 * MEGABYTE), Buffer.alloc(5 * MEGABYTE)])

/** So many keys of one kind, whose elements become objects of a hundred bytes each. */
const crowd = (keys: number, entry: (at: number) => Buffer) => Array.from({ length: keys }, (_, at) => entry(at))
const bytes = w.repeatedListpack([], [Buffer.from([0xff])], 2 ** 20)
const integers = w.repeatedListpack([], [2n ** 62n], 2 ** 20)
const views = w.repeatedListpack([], ["m", "-1"], 2 ** 19)
const entries = w.repeatedListpack([26_000n, 0, 1, "f", 0], [2, 0, 1, 1, 4], 26_000)
const stream = Buffer.concat([
  w.counted([w.string(w.streamId(1, 1)), entries]),
  ...[1, 1, 1, 0].map((number) => w.length(number)),
])

const files: readonly (readonly [string, string, readonly Buffer[]])[] = [
  ["a key of 400 MB", "RDB.TOO_LARGE", [Buffer.concat([w.u8(0), large, w.string("v")])]],
  ["a value of 400 MB", "VALUE.TOO_LARGE", [w.entry(0, "inv:2", large)]],
  ["a member of 400 MB", "RDB.TOO_LARGE", [w.entry(2, "cart:1", w.counted([large]))]],
  ["a field of 400 MB", "RDB.TOO_LARGE", [w.entry(4, "login:", Buffer.concat([w.length(1), w.string("t"), large]))]],
  ["an item of 400 MB", "RDB.TOO_LARGE", [w.entry(18, "log:1", w.counted([w.length(1), large]))]],
  ["twenty members of 20 MB", "RDB.TOO_LARGE", [w.entry(2, "cart:1", w.counted(...many("abcdefghijklmnopqrst")))]],
  [
    "twenty values of 20 MB",
    "VALUE.TOO_LARGE",
    many("abcdefghijklmnopqrst").map(([value], i) => w.entry(0, `inv:${i + 2}`, value!)),
  ],
  ["a value that says it is 400 MB, and is not", "VALUE.TOO_LARGE", [w.entry(0, "inv:2", lie)]],
  [
    "a member that says it is 200 MB, and is not there",
    "RDB.TRUNCATED",
    [w.entry(2, "cart:1", w.counted([w.length(200 * MEGABYTE)]))],
  ],
  [
    "a key that says it is 200 MB, and is not there",
    "RDB.TRUNCATED",
    [Buffer.concat([w.u8(0), w.length(200 * MEGABYTE)])],
  ],
  ["sets of a million bytes", "KEY.UNKNOWN", crowd(4, (at) => w.entry(20, `crowd:${at}`, bytes))],
  ["streams of many entries", "KEY.UNKNOWN", crowd(40, (at) => w.entry(15, `crowd:${at}`, stream))],
  [
    "lists of two million integers",
    "KEY.UNKNOWN",
    crowd(isFull ? 30 : 2, (at) =>
      w.entry(18, `crowd:${at}`, w.counted([w.length(2), integers], [w.length(2), integers])),
    ),
  ],
  ["sorted sets of half a million members", "REFERS.ORPHAN", crowd(4, (at) => w.entry(17, `viewed:${at}`, views))],
]
const chosen = files.filter((_, i) => isFull || i % 3 === 0 || i === 1 || i === 11)

describe("auditing a file of a few megabytes takes little memory", { timeout: isFull ? 1_200_000 : 120_000 }, () => {
  it.each(chosen)("with %s", async (_, code, entries) => {
    const { printed, bytes } = await ran(AUDIT, entries)
    expect(printed).toContain(code)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(MOST)
  })

  it.each(isFull ? [["infer"], ["stats"], AUDIT] : [["infer"]])(
    "%s, with keys whose names are 4 MB each",
    async (...command) => {
      const named = crowd(isFull ? 300 : 100, (at) =>
        Buffer.concat([w.u8(0), w.lzfRun(4_000_000 + 264 * at, String.fromCharCode(97 + (at % 26))), w.string("v")]),
      )
      const { printed, bytes } = await ran(command, named)
      expect(printed).toContain("inv:")
      expect(bytes).toBeLessThan(MOST)
    },
  )

  it.each([["infer"], AUDIT])("%s, with thousands of keys whose names are 60 KB each", async (...command) => {
    const named = crowd(isFull ? 6000 : 3000, (at) =>
      Buffer.concat([w.u8(0), w.lzfRun(60_000, `user:${at}:a`), w.string("v")]),
    )
    const { printed, bytes } = await ran(command, named)
    expect(printed).toContain("inv:")
    expect(bytes).toBeLessThan(MOST)
  })

  it("infers from streams of many entries as well", async () => {
    const streams = crowd(isFull ? 300 : 40, (at) => w.entry(15, `crowd:${at}`, stream))
    const { printed, bytes } = await ran(["infer"], streams)
    expect(printed).toContain("crowd:{")
    expect(bytes).toBeLessThan(isFull ? 2 * MOST : MOST)
  })
})
