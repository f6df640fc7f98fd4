import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { RdbRecord } from "./batch.ts"
import { everyKind, keyOf } from "./every-kind.cases.ts"
import * as w from "./rdb-writer.cases.ts"
import { readRdb, type ReadRdbOptions } from "./read-rdb.ts"

async function read(content: Buffer, options: ReadRdbOptions = {}, portion = 100_000) {
  const reader = readRdb(w.portions(content, portion), options)
  const records: RdbRecord[] = []
  for await (const batch of reader) records.push(...batch)
  return { records, facts: reader.facts }
}

const heads = ["REDIS0009", "REDIS0010", "REDIS0011", "REDIS0012", "VALKEY080"]

describe.each(heads)("a file that begins with %s", (head) => {
  const { content, expected } = everyKind(head)

  it.each([true, false])("is decoded in full, every type and encoding, streams: %s", async (streams) => {
    const { records } = await read(content, { values: "full", streams })
    expect(records).toHaveLength(expected.length)
    for (const [index, record] of records.entries()) {
      const { type, encoding, length, value, code, bytes } = expected[index]!
      const key = Buffer.from(keyOf(expected[index]!, index))
      expect(record, `type ${code}`).toEqual({
        db: 3,
        key,
        type,
        encoding,
        size: 1 + 1 + key.length + bytes.length,
        ...(length !== undefined && { length }),
        ...(value !== undefined && (streams || type !== "stream") && { value }),
      })
    }
  })

  it("tells the number of elements in shallow mode", async () => {
    const { records } = await read(content, { values: "shallow" })
    expect(records.map(({ length }) => length)).toEqual(expected.map(({ length }) => length))
    expect(records.every(({ value }) => value === undefined)).toBe(true)
  })

  it("knows it in skip mode too where the number comes before the elements", async () => {
    const { records } = await read(content)
    for (const [index, { length }] of records.entries()) expect([expected[index]!.length, undefined]).toContain(length)
    expect(records.find(({ encoding }) => encoding === "skiplist")?.length).toBe(3)
  })

  it("is the same whatever the size of the chunks", async () => {
    for (const values of ["skip", "shallow", "full"] as const) {
      const whole = await read(content, { values, streams: true })
      for (const portion of [1, 7, 100, 289, 4096]) {
        const { records, facts } = await read(content, { values, streams: true }, portion)
        expect(records).toEqual(whole.records)
        expect(facts).toEqual(whole.facts)
      }
    }
  })

  it("says what is in it beside the keys", async () => {
    const { facts } = await read(content)
    expect(facts).toEqual({
      magic: head.startsWith("REDIS") ? "REDIS" : "VALKEY",
      version: Number(head.replace(/\D+/, "")),
      aux: { "redis-ver": "7.0.15", ctime: "1700000000" },
      databases: new Map([[3, { keys: 40, expires: 1 }]]),
      functions: 1,
      modules: ["graphdata"],
      keys: expected.length,
      checksum: "verified",
      bytes: content.length,
    })
  })
})

describe("a record", () => {
  const later = 1_800_000_000_123

  it("has the expiry, idle time or frequency that comes before it, and the next one has not", async () => {
    const { records } = await read(
      w.rdb("REDIS0010", [
        w.joined(w.expireMs(later), w.u8(248), w.length(70), w.entry(0, "a", w.string("1"))),
        w.joined(w.u8(249, 200), w.entry(0, "b", w.string("2"))),
        w.joined(w.u8(253), w.u32le(1_800_000_000), w.entry(0, "c", w.string("3"))),
        w.entry(0, "d", w.string("4")),
      ]),
    )
    const facts = records.map(({ key, expireAtMs, idle, freq, size }) => [key.toString(), expireAtMs, idle, freq, size])
    expect(facts).toEqual([
      ["a", later, 70, undefined, 17],
      ["b", undefined, undefined, 200, 7],
      ["c", 1_800_000_000_000, undefined, undefined, 10],
      ["d", undefined, undefined, undefined, 5],
    ])
  })

  it("has its key in bytes, also when that is stored as an integer, compressed, or empty", async () => {
    const stored = [w.string(""), w.int32(1234567), w.lzf("k".repeat(80)), w.string(Buffer.from([0, 255, 10]))]
    const { records } = await read(
      w.rdb(
        "REDIS0011",
        stored.map((key) => Buffer.concat([w.u8(0), key, w.string("v")])),
      ),
    )
    expect(records.map(({ key }) => key.toString("latin1"))).toEqual(["", "1234567", "k".repeat(80), "\0ÿ\n"])
  })

  it("belongs to the database that was selected last", async () => {
    const parts = [
      w.entry(0, "a", w.string("")),
      w.selectDb(15),
      w.entry(0, "b", w.string("")),
      w.selectDb(70000),
      w.entry(0, "c", w.string("")),
    ]
    const { records } = await read(w.rdb("REDIS0011", parts))
    expect(records.map(({ db }) => db)).toEqual([0, 15, 70000])
  })
})

it("a stream has its ids in all of their 64 bits", async () => {
  const most = 2n ** 64n - 1n
  const middle = 2n ** 53n + 1n
  const node = w.streamNode(
    ["f"],
    [
      { after: [0, 0], values: ["v"] },
      { after: [-2, 0], values: ["w"] },
    ],
  )
  const id = [w.length(most), w.length(middle)]
  const nodes = w.counted([w.string(w.streamId(1, 0)), w.string(node)])
  const group = [w.string("g"), ...id, w.length(most), w.length(0), w.length(0)]
  const end = [w.length(2), ...id, w.length(1), w.length(0), ...id, w.length(2), w.counted(group)]
  const file = w.rdb("REDIS0010", [w.entry(19, "s", nodes, ...end)])
  const { records } = await read(file, { values: "full", streams: true })
  const text = `${most}-${middle}`
  expect(records[0]!.value).toMatchObject({
    entries: [["1-0"], [`${most}-0`]].map(([one]) => [one, expect.anything()]),
    ...{ lastId: text, maxDeletedId: text, added: 2 },
    groups: [{ lastId: text }],
  })
})

describe("a batch", () => {
  it("gives single facts without making records", async () => {
    const { content, expected } = everyKind("REDIS0012")
    for await (const batch of readRdb(w.portions(content, 500), { values: "full" })) {
      for (let index = 0; index < batch.length; index++) {
        const record = batch.record(index)
        expect(batch.key(index)).toEqual(record.key)
        expect(batch.keyText(index)).toBe(record.key.toString())
        expect([batch.type(index), batch.encoding(index)]).toEqual([record.type, record.encoding])
        expect([batch.db(index), batch.size(index), batch.value(index)]).toEqual([record.db, record.size, record.value])
        expect(batch.expireAtMs(index)).toBeNaN()
        expect(batch.elements(index)).toBe(record.length ?? NaN)
      }
    }
    expect(expected.length).toBeGreaterThan(20)
  })

  it("holds at most 4096 keys", async () => {
    const parts = Array.from({ length: 10_000 }, (_, index) => w.entry(0, `k${index}`, w.int8(1)))
    const lengths: number[] = []
    for await (const batch of readRdb(w.portions(w.rdb("REDIS0011", parts), 1 << 20))) lengths.push(batch.length)
    expect(Math.max(...lengths)).toBe(4096)
    expect(lengths.reduce((sum, length) => sum + length)).toBe(10_000)
  })
})

describe("limits", () => {
  const list = w.entry(1, "list", w.counted(...Array.from({ length: 50 }, (_, index) => [w.string(`e${index}`)])))
  const packedList = w.entry(
    18,
    "packed",
    w.counted([w.length(2), w.string(w.listpack([1, 2, 3]))], [w.length(2), w.string(w.listpack([4, 5]))]),
  )
  const hash = w.entry(13, "hash", w.string(w.ziplist(["a", 1, "b", 2, "c", 3])))
  const text = w.entry(0, "text", w.lzf("t".repeat(5000)))
  const content = w.rdb("REDIS0011", [list, packedList, hash, text])

  it("keep the first elements of a value, and say that it is cut", async () => {
    const { records } = await read(content, { values: "full", maxElements: 2 })
    const kept = records.map(({ value, length, cut }) => [(value as Buffer | Buffer[]).length, length, cut])
    expect(kept).toEqual([
      [2, 50, true],
      [2, 5, true],
      [2, 3, true],
      [5000, 5000, undefined],
    ])
  })

  it("leave out strings that are too long, and say so", async () => {
    const { records } = await read(content, { values: "full", maxBytes: 100 })
    expect(records.map(({ cut }) => cut)).toEqual([undefined, undefined, undefined, true])
    expect(records[3]).toMatchObject({ length: 5000, encoding: "lzf", type: "string" })
    expect(records[3]).not.toHaveProperty("value")
  })

  it("can be chosen for each key by a function", async () => {
    const { records } = await read(content, {
      values: ({ key, type }) => (type === "hash" || key.toString() === "text" ? "full" : "skip"),
    })
    expect(records.map(({ value }) => value !== undefined)).toEqual([false, false, true, true])
  })
})

describe("lengths that a header cannot state", () => {
  const parts = [
    w.entry(16, "hash", w.string(w.listpack(["a", "b"], 65535))),
    w.entry(10, "list", w.string(w.ziplist(["a"], 65535))),
    w.entry(9, "map", w.string(w.zipmap(Array.from({ length: 254 }, (_, index) => [`f${index}`, "v"])))),
  ]

  it("are found by decoding", async () => {
    const { records } = await read(w.rdb("REDIS0011", parts), { values: "full" })
    expect(records.map(({ length }) => length)).toEqual([1, 1, 254])
  })

  it("are left out otherwise", async () => {
    const { records } = await read(w.rdb("REDIS0011", parts), { values: "shallow" })
    expect(records.map(({ length }) => length)).toEqual([undefined, undefined, undefined])
  })
})

describe("the checksum", () => {
  const parts = [w.entry(0, "a", w.string("b"))]

  it("may be absent", async () => {
    expect((await read(w.rdb("REDIS0011", parts, { checksum: false }))).facts.checksum).toBe("absent")
  })

  it("is ignored on request", async () => {
    const content = w.rdb("REDIS0011", parts)
    content[content.length - 1]! ^= 1
    expect((await read(content, { checksum: false })).facts.checksum).toBe("ignored")
    await expect(read(content)).rejects.toMatchObject({ code: "RDB.CHECKSUM", details: { offset: content.length - 8 } })
  })
})

describe("the source", () => {
  it("may be the path of a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "keywright-rdb-"))
    const { content, expected } = everyKind("REDIS0011")
    await writeFile(join(folder, "dump.rdb"), content)
    const records: RdbRecord[] = []
    for await (const batch of readRdb(join(folder, "dump.rdb"))) records.push(...batch)
    await rm(folder, { recursive: true })
    expect(records).toHaveLength(expected.length)
  })

  it("may be read again", async () => {
    const content = w.rdb("REDIS0011", [w.entry(0, "a", w.string("b"))])
    const reader = readRdb({ [Symbol.asyncIterator]: () => w.portions(content, 10) })
    for (const _ of [1, 2]) {
      for await (const batch of reader) expect(batch.length).toBe(1)
      expect(reader.facts.keys).toBe(1)
    }
  })

  it("is named when it cannot be opened", async () => {
    const reader = readRdb("/nowhere/dump.rdb")[Symbol.asyncIterator]()
    await expect(reader.next()).rejects.toMatchObject({
      code: "RDB.UNREADABLE",
      message: expect.stringContaining("/nowhere/dump.rdb"),
    })
  })

  it("is closed when the caller stops early", async () => {
    let closed = false
    const parts = Array.from({ length: 9000 }, (_, index) => w.entry(0, `k${index}`, w.int8(1)))
    const content = w.rdb("REDIS0011", parts)
    async function* source() {
      try {
        yield* w.portions(content, 1000)
      } finally {
        closed = true
      }
    }
    for await (const batch of readRdb(source())) if (batch.length > 0) break
    expect(closed).toBe(true)
  })
})
