import { describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { content, expectClear, expected, modes, outcome, readings } from "./damage.cases.ts"
import * as w from "./rdb-writer.cases.ts"
import type { ReadRdbOptions } from "./read-rdb.ts"

describe.each(readings)("a damaged file, with %j", (reading) => {
  it("that is cut anywhere gives RDB.TRUNCATED with the offset, after the keys before it", async () => {
    let before = 0
    for (let size = 0; size < content.length; size += isFull || size < 200 ? 1 : 7) {
      const { keys, error } = await outcome(content.subarray(0, size), reading)
      expectClear(error, size)
      expect(error.code).toBe("RDB.TRUNCATED")
      expect(keys).toBeGreaterThanOrEqual(before)
      before = keys
    }
    expect(before).toBe(expected.length)
  })
})

describe("a packed value that contradicts itself", () => {
  const one = w.listpack(["a", "b"])
  const broken: readonly (readonly [string, number, Buffer])[] = [
    ["a listpack with another length", 16, w.joined(w.u32le(99), one.subarray(4))],
    ["a listpack with another count", 16, w.listpack(["a", "b"], 4)],
    ["a listpack without its end", 16, w.joined(one.subarray(0, -1), w.u8(0))],
    ["a hash with a field but no value", 16, w.listpack(["a", "b", "c"])],
    ["a ziplist with another count", 13, w.ziplist(["a", "b"], 4)],
    ["a zset with a member but no score", 12, w.ziplist(["a"])],
    ["an intset of another width", 11, w.joined(w.u32le(3), w.u32le(1), Buffer.alloc(3))],
    ["an intset of another length", 11, w.joined(w.u32le(2), w.u32le(9), Buffer.alloc(4))],
    ["a zipmap with a field but no value", 9, w.joined(w.u8(1, 1), Buffer.from("f"), w.u8(255))],
    ["a score that is not a number", 17, w.listpack(["a", "nan"])],
    ["a score that is not a number in a ziplist", 12, w.ziplist(["a", "x"])],
    ["an expiry of a field that is not a number", 23, w.listpack(["f", "v", "x"])],
    ["nothing at all", 20, Buffer.alloc(0)],
  ]

  it.each(broken)("is refused: %s", async (_, code, pack) => {
    const damaged = w.rdb("REDIS0011", [w.entry(0, "a", w.string("b")), w.entry(code, "k", w.string(pack))])
    const { keys, error } = await outcome(damaged, { values: "full" })
    expectClear(error, damaged.length)
    expect([keys, error.code]).toEqual([1, "RDB.CORRUPT"])
  })
})

describe("a length of 2^60", () => {
  const huge = w.length(2n ** 60n, 64)
  const small = w.length(10)
  const at: readonly (readonly [string, Buffer])[] = [
    ["a string", Buffer.concat([w.u8(0), w.string("k"), huge, Buffer.alloc(20)])],
    ["a key", Buffer.concat([w.u8(0), huge, Buffer.alloc(20)])],
    ["a note of the server", Buffer.concat([w.u8(250), huge, Buffer.alloc(20)])],
    ["a list", Buffer.concat([w.u8(1), w.string("k"), huge, Buffer.alloc(200)])],
    ["a hash", Buffer.concat([w.u8(4), w.string("k"), huge, Buffer.alloc(200)])],
    ["a quicklist", Buffer.concat([w.u8(14), w.string("k"), huge, Buffer.alloc(200)])],
    ["a stream", Buffer.concat([w.u8(21), w.string("k"), huge, Buffer.alloc(200)])],
    ["a compressed string", Buffer.concat([w.u8(0), w.string("k"), w.u8(0xc3), small, huge, Buffer.alloc(200)])],
    ["compressed bytes", Buffer.concat([w.u8(0), w.string("k"), w.u8(0xc3), huge, huge, Buffer.alloc(200)])],
    [
      "a packed set",
      Buffer.concat([w.u8(11), w.string("k"), w.string(Buffer.concat([w.u32le(8), w.u32le(0xffffffff)]))]),
    ],
  ]

  it.each(at)("of %s takes no memory", async (_, damage) => {
    const damaged = Buffer.concat([Buffer.from("REDIS0011"), damage])
    for (const values of modes) {
      const before = process.memoryUsage().rss
      expectClear((await outcome(damaged, { values })).error, damaged.length)
      expect(process.memoryUsage().rss - before).toBeLessThan(100e6)
    }
  })
})

describe("a file that is something else", () => {
  const refused = async (damaged: Buffer, options: ReadRdbOptions = {}) =>
    (await outcome(damaged, options)).error as KeywrightError

  it("is refused by its first bytes", async () => {
    expect((await refused(Buffer.from("PK\u0003\u0004 an archive"))).code).toBe("RDB.NOT_RDB")
    expect((await refused(Buffer.from("REDIS00x1........"))).code).toBe("RDB.NOT_RDB")
    expect((await refused(Buffer.from("PK"))).code).toBe("RDB.NOT_RDB")
    expect((await refused(Buffer.alloc(0))).code).toBe("RDB.TRUNCATED")
  })

  it("or of an unknown version is refused, unless any version may be tried", async () => {
    for (const head of ["REDIS0013", "REDIS0000", "VALKEY011", "VALKEY090"]) {
      const unknown = w.rdb(head, [w.entry(0, "a", w.string("b"))])
      expect((await refused(unknown)).code).toBe("RDB.UNKNOWN_VERSION")
      expect(await outcome(unknown, { anyVersion: true })).toMatchObject({ keys: 1, error: undefined })
    }
  })

  it("or holds a type that is not known is refused there", async () => {
    const unknown = w.rdb("REDIS0012", [w.entry(0, "a", w.string("b")), w.entry(99, "c", w.string("d"))])
    const { keys, error } = await outcome(unknown, {})
    expect(keys).toBe(1)
    expect(error).toMatchObject({ code: "RDB.UNKNOWN_TYPE", details: { offset: 14, code: 99 } })
  })
})
