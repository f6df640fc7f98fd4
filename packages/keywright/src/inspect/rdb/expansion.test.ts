/* Small files that grow when they are read: LZF gives 88 bytes for one. */

import { describe, expect, it } from "vitest"
import { SnapshotKey } from "../snapshot/snapshot-key.ts"
import type { RdbBatch } from "./batch.ts"
import * as w from "./rdb-writer.cases.ts"
import { readPart } from "./read-part.ts"
import { readRdb, type ReadRdbOptions } from "./read-rdb.ts"

const MEGABYTE = 1024 * 1024
const megabyte = w.lzf(Buffer.alloc(MEGABYTE, "a"))
const many = (count: number) => Array.from({ length: count }, () => [megabyte])

async function batchesOf(content: Buffer, options: ReadRdbOptions = {}) {
  const reader = readRdb(w.portions(content, MEGABYTE), options)
  const batches: RdbBatch[] = []
  for await (const batch of reader) batches.push(batch)
  return { batches, facts: reader.facts }
}

describe("a small file that expands", () => {
  it.each([
    ["a list", 1, w.counted(...many(20))],
    ["a set", 2, w.counted(...many(20))],
    ["a hash", 4, Buffer.concat([w.length(10), ...many(20).flat()])],
    ["a list of nodes", 18, w.counted(...many(20).map(([one]) => [w.length(1), one!]))],
  ])("to %s of more than fits is refused", async (_, code, value) => {
    const file = w.rdb("REDIS0011", [w.entry(0, "a", w.string("b")), w.entry(code, "k", value)])
    expect(file.length).toBeLessThan(MEGABYTE)
    await expect(batchesOf(file, { values: "full", maxValueBytes: 10 * MEGABYTE })).rejects.toMatchObject({
      code: "RDB.TOO_LARGE",
    })
    const { facts } = await batchesOf(file, { values: "full", maxValueBytes: 20 * MEGABYTE })
    expect(facts.keys).toBe(2)
    expect((await batchesOf(file, { values: "shallow", maxValueBytes: 1 })).facts.keys).toBe(2)
  })

  const part = (value: Buffer, code: number) => () => [
    ...readPart(w.entry(code, "k", value), { magic: "REDIS", db: 0, offset: 0 }, "full", 1),
  ]
  /** A listpack of this many ones: its elements take two bytes each, and compress to a hundredth. */
  const ones = (count: number) => w.repeatedListpack([], [1], count)
  const intset = (count: number) => {
    const pack = Buffer.alloc(8 + 2 * count)
    pack.writeUInt32LE(2, 0)
    pack.writeUInt32LE(count, 4)
    return w.lzf(pack)
  }

  it.each([
    ["a list", 18, (pack: Buffer) => w.counted([w.length(2), pack]), ones],
    ["a set", 20, (pack: Buffer) => pack, ones],
    ["a hash", 16, (pack: Buffer) => pack, ones],
    ["a sorted set", 17, (pack: Buffer) => pack, ones],
    ["a set of integers", 11, (pack: Buffer) => pack, intset],
  ])("to %s of more elements than any server packs together is refused", (_, code, value, packOf) => {
    expect(value(packOf(2 ** 20 + 2)).length).toBeLessThan(MEGABYTE / 20)
    expect(part(value(packOf(2 ** 20 + 2)), code)).toThrow(expect.objectContaining({ code: "RDB.TOO_LARGE" }))
    expect(part(value(packOf(2 ** 20)), code)()[0]!.length).toBe(1)
  })

  it("to more elements than its bytes can tell apart is refused", () => {
    const many = (count: number, one: Buffer) => Buffer.concat([w.length(count), Buffer.alloc(count * one.length, one)])
    expect(part(many(3_300_000, w.string("")), 1)).toThrow(expect.objectContaining({ code: "RDB.TOO_LARGE" }))
    expect(part(many(3_300_000, w.int16(300)), 1)()[0]!.elements(0)).toBe(3_300_000)
    expect(part(many(2_000_000, w.string("")), 1)()[0]!.elements(0)).toBe(2_000_000)
  })

  it("to a stream of more words than fit is refused", async () => {
    // Five words at the beginning of each node, and five for each entry.
    const node = (entries: number) => w.repeatedListpack([entries, 0, 1, "f", 0], [2, 0, 0, 1, 4], entries)
    const stream = (nodes: number, entries: number) =>
      Buffer.concat([
        w.counted(...Array.from({ length: nodes }, () => [w.string(w.streamId(1, 1)), node(entries)])),
        ...[2, 1, 1, 0].map((number) => w.length(number)),
      ])
    const read = (value: Buffer) =>
      batchesOf(w.rdb("REDIS0011", [w.entry(15, "k", value)]), { values: "full", streams: true })
    expect(part(stream(1, 26_214), 15)).toThrow(expect.objectContaining({ code: "RDB.TOO_LARGE" }))
    expect(part(stream(12, 20_000), 15)()[0]!.length).toBe(1)
    await expect(read(stream(12, 20_000))).rejects.toMatchObject({ code: "RDB.TOO_LARGE" })
    expect((await read(stream(1, 26_213))).facts.keys).toBe(1)
  })

  it("to values that are heavy together is handed out a few values at a time", async () => {
    const values = Array.from({ length: 80 }, (_, at) => w.entry(0, `k${at}`, megabyte))
    const { batches, facts } = await batchesOf(w.rdb("REDIS0011", values), { values: "full" })
    expect(facts.keys).toBe(80)
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(33)
  })

  it("weighs what it is in memory, not what it is in the file", async () => {
    const { batches } = await batchesOf(w.rdb("REDIS0011", [w.entry(1, "k", w.counted(...many(3)))]), {
      values: "full",
    })
    expect(new SnapshotKey(batches[0]!, 0, 0).weight).toBeGreaterThan(3 * MEGABYTE)
  })

  it("to long keys is handed out a few keys at a time", async () => {
    const keys = Array.from({ length: 40 }, () => Buffer.concat([w.u8(0), megabyte, w.string("v")]))
    const { batches, facts } = await batchesOf(w.rdb("REDIS0011", keys))
    expect(facts.keys).toBe(40)
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(10)
  })

  it("to a long note of the server is read without it", async () => {
    const note = Buffer.concat([w.u8(250), w.string("note"), megabyte])
    const name = Buffer.concat([w.u8(250), megabyte, w.string("note")])
    const file = w.rdb("REDIS0011", [w.aux("ctime", "5"), note, name, w.entry(0, "a", w.string("b"))])
    const { facts } = await batchesOf(file)
    expect(facts.keys).toBe(1)
    expect(Object.entries(facts.aux)).toEqual([["ctime", "5"]])
  })

  it("to very many modules is read without the names of most", async () => {
    const section = Buffer.concat([w.u8(247), w.moduleId("ReJSON-RL", 1), w.length(2), w.length(1), w.length(0)])
    const { facts } = await batchesOf(
      w.rdb(
        "REDIS0011",
        Array.from({ length: 2000 }, () => section),
      ),
    )
    expect(facts.modules).toHaveLength(1000)
  })

  it("to very many databases is refused", async () => {
    const databases = Array.from({ length: 10_001 }, (_, db) =>
      Buffer.concat([w.selectDb(db), w.entry(0, "a", w.string("b"))]),
    )
    await expect(batchesOf(w.rdb("REDIS0011", databases))).rejects.toMatchObject({ code: "RDB.TOO_LARGE" })
    expect((await batchesOf(w.rdb("REDIS0011", databases.slice(1)))).facts.keys).toBe(10_000)
  })
})
