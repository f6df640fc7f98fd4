/* Files from which a command would silently read less than a server does that loads them. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { text } from "../../schema/codec/text.ts"
import { stream } from "../../schema/define.ts"
import { type Keyspace, keyspace } from "../../schema/keyspace.ts"
import { audit } from "../audit/audit.ts"
import { infer } from "../infer/infer.ts"
import { inspectKey } from "../model/inspect-key.ts"
import * as w from "../rdb/rdb-writer.cases.ts"
import { readRdb, type ReadRdbOptions } from "../rdb/read-rdb.ts"
import { countFile } from "./count-file.ts"
import { openSnapshot } from "./open-snapshot.ts"

const directory = mkdtempSync(join(tmpdir(), "keywright-hostile-"))
afterAll(() => rmSync(directory, { recursive: true }))
const path = join(directory, "dump.rdb")
const string = (key: string) => w.entry(0, key, w.string("v"))
const nothing = keyspace({})
const declared = keyspace({ s: stream("s", { f: text }, { ttl: "never" }) }) as unknown as Keyspace

const readings: readonly (readonly [string, () => Promise<number>])[] = [
  ["audit", async () => (await audit(nothing, { rdb: path })).keys],
  ["infer", async () => (await infer({ rdb: path })).keys],
  ["infer against a schema", async () => (await infer({ rdb: path }, { against: nothing })).keys],
  [
    "stats",
    async () => {
      let keys = 0
      await countFile(path, {}, () => ({ add: () => void keys++ }))
      return keys
    },
  ],
]

describe.each(readings)("%s", (_, keysRead) => {
  it.each([
    ["an append-only file that begins with an RDB file", Buffer.from("*3\r\n$3\r\nSET\r\n$1\r\nb\r\n$1\r\nv\r\n")],
    ["a file with a second one behind it", w.rdb("REDIS0011", [string("b")])],
    ["a file with a single byte behind it", w.u8(0)],
  ])("refuses %s", async (__, more) => {
    writeFileSync(path, Buffer.concat([w.rdb("REDIS0011", [string("a")]), more]))
    await expect(keysRead()).rejects.toMatchObject({ code: "RDB.CONTINUES", details: { offset: 23 } })
  })

  it.each(["99999999999", "1e300", "Infinity", "0x7fffffffff"])(
    "leaves no key out as expired because the file says that it was written at %s",
    async (ctime) => {
      const live = Buffer.concat([w.expireMs(Date.now() + 3_600_000), string("live")])
      const expired = Buffer.concat([w.expireMs(1000), string("expired")])
      writeFileSync(path, w.rdb("REDIS0011", [w.aux("ctime", ctime), string("a"), live, expired]))
      expect(await keysRead()).toBe(2)
    },
  )

  it("leaves no key out whose deadline is -1, which is none to a server", async () => {
    const never = Buffer.concat([w.expireMs(-1), string("never")])
    const expired = Buffer.concat([w.expireMs(-2), string("expired")])
    writeFileSync(path, w.rdb("REDIS0011", [never, expired]))
    expect(await keysRead()).toBe(1)
  })

  it("does not take a file with a changed byte for whole", async () => {
    const file = w.rdb("REDIS0011", [string("one"), string("two")])
    file[file.indexOf("two")] = 0x54
    writeFileSync(path, file)
    await expect(keysRead()).rejects.toMatchObject({ code: "RDB.CHECKSUM" })
  })
})

it("shows a value of a module that calls its type __proto__", async () => {
  const value = w.joined(w.moduleId("__proto__", 1), w.length(2), w.length(5), w.length(0))
  writeFileSync(path, w.rdb("REDIS0011", [w.entry(7, "a", value)]))
  const { driver } = await openSnapshot({ rdb: path })
  expect(await inspectKey(nothing, driver, "a", { secrets: true })).toMatchObject({ type: "__proto__", length: null })
  await driver.close()
})

describe("a stream whose node holds other entries than it says", () => {
  const node = w.streamNode(
    ["f"],
    [
      { after: [0, 0], values: ["v"] },
      { after: [1, 0], values: ["w"], deleted: true },
    ],
  )
  /** The first two elements of a node are the numbers of entries and of deleted ones, of two bytes each. */
  const says = (live: number, deleted: number) => {
    const changed = Buffer.from(node)
    changed[6] = live
    changed[8] = deleted
    return changed
  }
  const fileOf = (pack: Buffer) =>
    w.rdb("REDIS0011", [
      w.entry(15, "s", w.length(1), w.string(w.streamId(1000, 0)), w.string(pack)),
      ...[1, 1000, 0, 0].map((number) => w.length(number)),
    ])
  const lies = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [2, 0],
  ] as const
  const streams: readonly ReadRdbOptions["streams"][] = [true, "newest"]

  it.each(lies)("is refused: %i and %i", async (live, deleted) => {
    const file = fileOf(says(live, deleted))
    for (const one of streams) await expect(read(file, one)).rejects.toMatchObject({ code: "RDB.CORRUPT" })
    writeFileSync(path, file)
    await expect(infer({ rdb: path })).rejects.toMatchObject({ code: "RDB.CORRUPT" })
    await expect(audit(declared, { rdb: path })).rejects.toMatchObject({ code: "RDB.CORRUPT" })
  })

  it("and read when it holds what it says", async () => {
    for (const one of streams) expect(await read(fileOf(says(1, 1)), one)).toBe(1)
  })

  async function read(file: Buffer, one: ReadRdbOptions["streams"]): Promise<number> {
    let entries = 0
    for await (const batch of readRdb(w.portions(file, 1000), { values: "full", streams: one! }))
      for (const record of batch) if (record.type === "stream") entries += record.value?.entries.length ?? 0
    return entries
  }
})
