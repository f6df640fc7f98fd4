/* Values of a small file that are heavy together: they are not in memory together. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { Reply } from "../../driver/driver.ts"
import * as w from "../rdb/rdb-writer.cases.ts"
import { openSnapshot } from "./open-snapshot.ts"
import { SnapshotKeys } from "./snapshot-keys.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-heavy-"))
afterAll(() => rmSync(folder, { recursive: true }))

const LISTS = 8
const ELEMENTS = 1_000_000

function list(at: number): Buffer {
  const pack = Buffer.alloc(7 + 2 * ELEMENTS, 1)
  pack.writeUInt32LE(pack.length, 0)
  pack.writeUInt16LE(65_535, 4)
  pack[pack.length - 1] = 0xff
  return w.entry(18, `list:${at}`, w.counted([w.length(2), w.lzf(pack)]))
}

it("a page and a batch of them are answered with few of them at a time", async () => {
  const path = join(folder, "heavy.rdb")
  const small = Array.from({ length: 3 }, (_, at) => w.entry(0, `text:${at}`, w.string(String(at))))
  const lists = Array.from({ length: LISTS }, (_, at) => list(at))
  writeFileSync(path, w.rdb("REDIS0011", [w.selectDb(0), small[0]!, ...lists, ...small.slice(1)]))
  const loads: number[] = []
  const { walk, load } = SnapshotKeys.prototype
  SnapshotKeys.prototype.walk = async function (...words) {
    const loaded = await walk.apply(this, words)
    loads.push([...loaded.keys.values()].filter(({ type }) => type === "list").length)
    return loaded
  }
  SnapshotKeys.prototype.load = async function (...words) {
    const loaded = await load.apply(this, words)
    loads.push([...loaded.values()].filter(({ type }) => type === "list").length)
    return loaded
  }
  const { driver } = await openSnapshot({ rdb: path })
  try {
    const keys: string[] = []
    let cursor = "0"
    do {
      const [next, found] = (await driver.send(["SCAN", cursor, "COUNT", "1000"])) as [string, string[]]
      keys.push(...found)
      cursor = next
    } while (cursor !== "0")
    const expected = [...Array.from({ length: LISTS }, (_, at) => `list:${at}`), "text:0", "text:1", "text:2"]
    expect(keys.toSorted()).toEqual(expected)
    const replies: readonly Reply[] = await driver.batch([
      ...expected.slice(0, LISTS).map((key) => ["LLEN", key]),
      ["MGET", "text:2", "list:5", "text:0"],
    ])
    expect(replies).toEqual([...Array.from({ length: LISTS }, () => ELEMENTS), ["2", null, "0"]])
    expect(Math.max(...loads)).toBeLessThanOrEqual(LISTS / 2)
  } finally {
    Object.assign(SnapshotKeys.prototype, { walk, load })
    await driver.close()
  }
})
