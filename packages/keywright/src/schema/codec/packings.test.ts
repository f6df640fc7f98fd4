/* MessagePack and PHP's serialize, held against programs that are not ours: the server's own cmsgpack,
 * and texts as PHP prints them. And against bytes that somebody made to hurt. */

import { gzipSync, deflateSync, deflateRawSync } from "node:zlib"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { startRedis, type RealRedis } from "../../../../../test/real-redis.ts"
import { isKeywrightError } from "../../errors/error.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { compressed } from "./bytes.ts"
import { json } from "./json.ts"
import { messagePack } from "./message-pack.ts"
import { readMessagePack } from "./message-pack-read.ts"
import { writeMessagePack } from "./message-pack-write.ts"
import { php } from "./php.ts"
import { readPhp } from "./php-read.ts"
import { writePhp } from "./php-write.ts"
import { text } from "./text.ts"

const numRuns = process.env["KEYWRIGHT_FULL"] === "1" ? 200_000 : 500
const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex")
const codeOf = (run: () => unknown): string => {
  try {
    return `nothing thrown: ${JSON.stringify(run())}`
  } catch (error) {
    if (isKeywrightError(error)) return error.code
    throw error
  }
}

/** What JSON holds, without lists that PHP could not tell from objects. */
const documents = fc
  .jsonValue({ maxDepth: 4, noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value)))

describe("MessagePack", () => {
  test.each([
    ["c0", null],
    ["c3", true],
    ["7f", 127],
    ["e0", -32],
    ["cd 01 00", 256],
    ["cf 00 1f ff ff ff ff ff ff", Number.MAX_SAFE_INTEGER],
    ["d3 ff e0 00 00 00 00 00 01", Number.MIN_SAFE_INTEGER],
    ["ca 3f c0 00 00", 1.5],
    ["cb 3f b9 99 99 99 99 99 9a", 0.1],
    ["a2 c3 a9", "é"],
    ["d9 01 61", "a"],
    ["dc 00 01 c2", [false]],
    ["df 00 00 00 01 a1 61 90", { a: [] }],
  ])("reads %s", (hex, value) => expect(readMessagePack(bytes(hex))).toEqual(value))

  test.each([
    ["nothing", ""],
    ["a byte that is never used", "c1"],
    ["bytes", "c4 01 61"],
    ["a timestamp", "d6 ff 00 00 00 00"],
    ["an integer beyond 2^53", "cf 00 20 00 00 00 00 00 00"],
    ["not a number", "cb 7f f8 00 00 00 00 00 00"],
    ["a key that is not text", "81 01 02"],
    ["text that is not UTF-8", "a1 ff"],
    ["half of a text", "a5 61 62"],
    ["more after it", "c0 c0"],
    ["four thousand million items that are not there", "dd ff ff ff ff c0"],
    ["four thousand million fields that are not there", "df ff ff ff ff a1 61 c0"],
    ["lists in lists in lists", "91".repeat(100_000)],
  ])("refuses %s", (_, hex) => expect(codeOf(() => readMessagePack(bytes(hex)))).toBe("CODEC.MESSAGE_PACK"))

  test("reads what it wrote, a field called __proto__ too", () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as object
    expect(JSON.stringify(readMessagePack(writeMessagePack(odd)))).toBe(JSON.stringify(odd))
    fc.assert(
      fc.property(documents, (value) => void expect(readMessagePack(writeMessagePack(value))).toEqual(value)),
      { numRuns },
    )
  })

  test("answers any bytes with a value or a documented error", () => {
    const changed = fc.tuple(documents, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const raw = Buffer.from(writeMessagePack(value))
      raw[at % raw.length] = byte
      return raw
    })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), changed), (raw) => {
        codeOf(() => readMessagePack(raw))
      }),
      { numRuns },
    )
  })

  describe.runIf(needs("redis-server"))("of a server's own scripts", () => {
    let server: RealRedis
    let driver: Driver
    beforeAll(async () => {
      server = await startRedis()
      driver = openResp(server.url)
    })
    afterAll(async () => {
      await driver.close()
      await server.stop()
    })

    test("is read, and what is written is read by them", async () => {
      const cases: unknown[] = [
        { id: 7, name: "Ann", price: 12.5, tags: ["a", "b"], open: true },
        [1, -1, 200, 70_000, -70_000, 5e9, -5e9, "é".repeat(300), "x".repeat(70_000)],
      ]
      for (const value of cases) {
        const [packed, seen] = await driver.batch(
          [
            ["EVAL", "return cmsgpack.pack(cjson.decode(ARGV[1]))", "0", JSON.stringify(value)],
            ["EVAL", "return cjson.encode(cmsgpack.unpack(ARGV[1]))", "0", writeMessagePack(value)],
          ],
          { bytes: true },
        )
        expect(readMessagePack(packed as Uint8Array)).toEqual(value)
        expect(JSON.parse(String(seen))).toEqual(value)
      }
    })
  })
})

describe("PHP's serialize", () => {
  test.each([
    ["N;", null],
    ["b:1;", true],
    ["i:-7;", -7],
    ["d:0.10000000000000001;", 0.1],
    ["d:1.0E+25;", 1e25],
    ['s:7:"héhé"";', 'héhé"'],
    ["a:0:{}", []],
    ['a:2:{i:0;s:1:"a";i:1;N;}', ["a", null]],
    ['a:2:{i:1;s:1:"a";i:0;N;}', { 1: "a", 0: null }],
    ['a:1:{s:4:"user";a:1:{s:2:"id";i:7;}}', { user: { id: 7 } }],
    ["a:1:{i:9223372036854775807;i:1;}", { "9223372036854775807": 1 }],
    ['s:12:"a";s:1:"b";x";', 'a";s:1:"b";x'],
  ])("reads %s", (raw, value) => expect(readPhp(raw)).toEqual(value))

  test.each([
    ["nothing", ""],
    ["an object", 'O:8:"stdClass":0:{}'],
    ["an object that reads itself", 'C:3:"Foo":2:{ab}'],
    ["an enumeration", 'E:9:"Suit:Club";'],
    ["a reference", "a:2:{i:0;i:1;i:1;R:2;}"],
    ["infinity", "d:INF;"],
    ["a number that is infinite", "d:1e999;"],
    ["an integer beyond 2^53", "i:9007199254740992;"],
    ["a length that is too short", 's:1:"ab";'],
    ["a length within a character", 's:1:"é";'],
    ["a length that is too long", 's:4294967296:"ab";'],
    ["more after it", "N;N;"],
    ["a thousand million items that are not there", "a:999999999:{i:0;N;"],
    ["lists in lists in lists", "a:1:{i:0;".repeat(100_000)],
    ["a session", 'user|s:1:"a";'],
  ])("refuses %s", (_, raw) => expect(codeOf(() => readPhp(raw))).toBe("CODEC.PHP"))

  test("reads what it wrote, or refused to write it", () => {
    const codec = php(json(z.unknown()))
    let written = 0
    fc.assert(
      fc.property(documents, (value) => {
        let raw: string
        try {
          raw = codec.encode(value)
        } catch (error) {
          if (isKeywrightError(error)) return
          throw error
        }
        written++
        expect(codec.decode(raw)).toEqual(value)
      }),
      { numRuns },
    )
    expect(written).toBeGreaterThan(numRuns / 2)
  })

  test("makes objects of arrays where the schema wants them, and lists everywhere else", () => {
    const codec = php(json(z.object({ byId: z.record(z.string(), z.string()), list: z.array(z.string()) })))
    const value = { byId: { 0: "a", 1: "b" }, list: ["a"] }
    expect(codec.encode(value)).toBe('a:2:{s:4:"byId";a:2:{i:0;s:1:"a";i:1;s:1:"b";}s:4:"list";a:1:{i:0;s:1:"a";}}')
    expect(codec.decode(codec.encode(value))).toEqual(value)
    expect(codec.decode(codec.encode({ byId: {}, list: [] }))).toEqual({ byId: {}, list: [] })
    expect(codeOf(() => php(json(z.unknown())).encode({ 0: "a" }))).toBe("CODEC.PHP")
  })

  test("answers any text with a value or a documented error", () => {
    const changed = fc.tuple(documents, fc.nat(), fc.string({ maxLength: 3 })).map(([value, at, other]) => {
      const raw = writePhp(value)
      const from = at % raw.length
      return raw.slice(0, from) + other + raw.slice(from + 1)
    })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), changed), (raw) => {
        codeOf(() => readPhp(raw))
      }),
      { numRuns },
    )
  })
})

describe("compressed text", () => {
  const packers = { deflate: deflateRawSync, gzip: gzipSync, zlib: deflateSync }
  const codecs = {
    deflate: compressed(text),
    gzip: compressed(text, { format: "gzip" }),
    zlib: compressed(text, { format: "zlib" }),
  }

  test.each(Object.entries(packers))("of %s is read, and no other", (name, pack) => {
    for (const [format, codec] of Object.entries(codecs))
      if (format === name) expect(codec.decodeBytes!(pack("é".repeat(1000)))).toBe("é".repeat(1000))
      else expect(codeOf(() => codec.decodeBytes!(pack("é".repeat(1000))))).toBe("CODEC.COMPRESSED")
  })

  test.each(Object.entries(packers))("of %s that would fill the memory is refused", (name, pack) => {
    const bomb = pack(Buffer.alloc(65 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(100_000)
    const codec = codecs[name as keyof typeof codecs]
    expect(() => codec.decodeBytes!(bomb)).toThrow(/expected at most 64 MB of text, found "more"/)
  })

  test("is refused when it is written, if it could not be read", () =>
    expect(codeOf(() => codecs.gzip.encode("a".repeat(64 * 1024 * 1024 + 1)))).toBe("CODEC.COMPRESSED"))
})

test("only JSON documents are packed", () => {
  for (const pack of [messagePack, php]) expect(codeOf(() => pack(text))).toBe("CODEC.NEEDS_JSON")
})
