import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { KeywrightError } from "../errors/error.ts"
import type { Reply } from "./driver.ts"
import { NotResp, RespReader, type ReaderLimits } from "./resp-reader.ts"
import { serverError } from "./server-errors.ts"

interface Heard {
  readonly replies: Reply[]
  readonly pushes: (readonly Reply[])[]
}

function read(chunks: readonly Uint8Array[], bytes = false, limits?: Partial<ReaderLimits>): Heard {
  const heard: Heard = { replies: [], pushes: [] }
  const sink = {
    wantsBytes: () => bytes,
    onReply: (reply: Reply) => void heard.replies.push(reply),
    onPush: (items: readonly Reply[]) => void heard.pushes.push(items),
    toError: serverError,
  }
  const reader = new RespReader(sink, limits)
  for (const chunk of chunks) reader.push(chunk)
  return heard
}

const from = (text: string, bytes = false) => read([Buffer.from(text)], bytes).replies

/** Every reply form, one after another. */
const ALL =
  "+OK\r\n:1\r\n:-42\r\n:9223372036854775807\r\n$5\r\nhello\r\n$0\r\n\r\n$-1\r\n*-1\r\n_\r\n*0\r\n#t\r\n#f\r\n,1.50\r\n,inf\r\n" +
  "(3492890328409238509324850943850943825024385\r\n=7\r\ntxt:é!\r\n~2\r\n+a\r\n:2\r\n%2\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n*1\r\n_\r\n" +
  "*3\r\n:1\r\n-ERR no\r\n*2\r\n$3\r\na\r\n\r\n*1\r\n*0\r\n|1\r\n+ttl\r\n:3600\r\n*2\r\n|1\r\n+x\r\n%1\r\n+y\r\n+z\r\n:7\r\n:8\r\n" +
  ">2\r\n$7\r\nmessage\r\n$1\r\nm\r\n$4\r\n\r\n\r\n\r\n!8\r\nERR oops\r\n-WRONGTYPE x\r\n$4\r\n🎈\r\n"

const plain = (reply: Reply): unknown => {
  if (reply instanceof KeywrightError) return { code: reply.code, message: reply.message }
  return Array.isArray(reply) ? reply.map(plain) : reply
}

describe("the RESP reader", () => {
  test("reads every reply form of RESP2 and RESP3", () => {
    const simple = ["OK", 1, -42, 9223372036854775807n, "hello", "", null, null, null, [], 1, 0, "1.50", "inf"]
    expect(from(ALL).map(plain)).toEqual(
      simple.concat([
        3492890328409238509324850943850943825024385n,
        "é!",
        ["a", 2],
        ["a", 1, "b", [null]],
        [1, { code: "SERVER.ERR", message: "ERR no" }, ["a\r\n", [[]]]],
        [7, 8],
        "\r\n\r\n",
        { code: "SERVER.ERR", message: "ERR oops" },
        { code: "SERVER.WRONGTYPE", message: "WRONGTYPE x" },
        "🎈",
      ] as never),
    )
  })

  test("reads the same when the bytes come in two pieces, cut anywhere", () => {
    const bytes = Buffer.from(ALL)
    const whole = read([bytes])
    for (let at = 0; at <= bytes.length; at++) {
      const cut = read([bytes.subarray(0, at), bytes.subarray(at)])
      expect(cut.replies.map(plain)).toEqual(whole.replies.map(plain))
      expect(cut.pushes).toEqual(whole.pushes)
    }
  })

  test("reads the same byte by byte", () => {
    const bytes = Buffer.from(ALL)
    expect(read([...bytes].map((byte) => Uint8Array.of(byte))).replies.map(plain)).toEqual(from(ALL).map(plain))
  })

  test("reads past a text that is too long, cut anywhere, and makes an error of its reply alone", () => {
    const wire = Buffer.from(
      "+a\r\n$5\r\nhello\r\n+b\r\n*3\r\n$1\r\nc\r\n$6\r\nhello!\r\n=9\r\ntxt:hello\r\n$4\r\nfour\r\n",
    )
    const replies = (cuts: readonly number[], bytes = false): unknown[] => {
      const heard: Reply[] = []
      const sink = {
        wantsBytes: () => bytes,
        onReply: (reply: Reply) => void heard.push(reply),
        onPush: () => expect.unreachable(),
        toError: serverError,
        tooLong: ({ message }: Error) => new KeywrightError("TEST.LONG", message),
      }
      const reader = new RespReader(sink, { textBytes: 4 })
      for (const [i, cut] of [...cuts, wire.length].entries()) reader.push(wire.subarray(cuts[i - 1] ?? 0, cut))
      expect(reader.isInside).toBe(false)
      return heard.map(plain)
    }
    const error = (length: number) => ({ code: "TEST.LONG", message: `a text of ${length} bytes` })
    const want = ["a", error(5), "b", error(6), "four"]
    for (let at = 0; at <= wire.length; at++)
      for (let then = at; then <= wire.length; then++) expect(replies([at, then])).toEqual(want)
    expect(replies([], true)[1]).toEqual(Buffer.from("hello"))
  })

  test("does not take a push message with such a text, nor one without a line end", () => {
    const sink = { wantsBytes: () => false, onReply: () => expect.unreachable(), onPush: () => expect.unreachable() }
    const tooLong = () => new KeywrightError("TEST.LONG", "too long")
    for (const wire of [">2\r\n+message\r\n$5\r\nhello\r\n", "$5\r\nhello!\r\n"]) {
      const reader = new RespReader({ ...sink, tooLong, toError: serverError }, { textBytes: 4 })
      expect(() => reader.push(Buffer.from(wire))).toThrow(NotResp)
    }
  })

  test("does not keep the chunk", () => {
    const chunk = Buffer.from("$3\r\nabc\r\n*2\r\n$3\r\nde")
    const heard: Reply[] = []
    const sink = {
      wantsBytes: () => true,
      onReply: (reply: Reply) => void heard.push(reply),
      onPush: () => undefined,
      toError: serverError,
    }
    const reader = new RespReader(sink)
    reader.push(chunk)
    chunk.fill(0)
    reader.push(Buffer.from("f\r\n$1\r\ng\r\n"))
    expect(heard).toEqual([Buffer.from("abc"), [Buffer.from("def"), Buffer.from("g")]])
  })

  test("gives bulk strings and doubles as bytes when asked, and all else as it is", () => {
    expect(from("$2\r\nhi\r\n,1.5\r\n+OK\r\n:3\r\n=6\r\ntxt:ab\r\n$-1\r\n", true)).toEqual([
      Buffer.from("hi"),
      Buffer.from("1.5"),
      "OK",
      3,
      Buffer.from("ab"),
      null,
    ])
  })

  test("tells push messages from replies", () => {
    const heard = read([Buffer.from(">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n:1\r\n")])
    expect(heard).toEqual({ pushes: [["invalidate", ["k"]]], replies: [1] })
  })

  test("keeps integers exact up to the last digit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const [reply] = from(`:${value}\r\n`)
        const safe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
        expect(BigInt(reply as bigint)).toBe(value)
        expect(typeof reply).toBe(safe ? "number" : "bigint")
      }),
    )
  })

  test("reads any text, cut into any pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.nat(20)), (texts, sizes) => {
        const encoded = texts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`).join("")
        const bytes = Buffer.from(`*${texts.length}\r\n${encoded}`)
        const chunks: Buffer[] = []
        let at = 0
        for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)))
        chunks.push(bytes.subarray(at))
        expect(read(chunks).replies).toEqual([texts])
      }),
    )
  })

  for (const [what, bytes] of Object.entries({
    "an unknown type": "HTTP/1.1 400\r\n",
    "a string without its line end": "$3\r\nabcde\r\n",
    "a length that is not a number": "$x\r\n\r\n",
    "an integer that is not one": ":12a\r\n",
    "an empty integer": ":\r\n",
    "a big number that is not one": "(12a\r\n",
    "a push message inside a reply": "*2\r\n>1\r\n+x\r\n",
    "a carriage return alone": "+a\rb\r\n",
    "a length of too many digits": `*${"9".repeat(17)}\r\n`,
  })) {
    test(`refuses ${what}`, () => expect(() => read([Buffer.from(bytes)])).toThrow(NotResp))
  }

  for (const [what, unit, bytes] of [
    ["lists in lists", `${"*1\r\n".repeat(100)}:1\r\n`, false],
    ["lists of one", "*1\r\n:1\r\n", false],
    ["empty texts as bytes", "$0\r\n\r\n", true],
    ["short texts as bytes", "$1\r\na\r\n", true],
    ["doubles as bytes", ",1\r\n", true],
  ] as const)
    test(`refuses ${what} before they take more memory than a reply may`, () => {
      setFlagsFromString("--expose-gc")
      const collect = runInNewContext("gc") as () => void
      const replyBytes = 16_000_000
      const chunk = Buffer.from(unit.repeat(Math.ceil(20_000 / unit.length)))
      const unheard = () => expect.unreachable()
      const reader = new RespReader(
        { wantsBytes: () => bytes, onReply: unheard, onPush: unheard, toError: serverError },
        { replyBytes },
      )
      reader.push(Buffer.from("*400000\r\n"))
      collect()
      const before = process.memoryUsage().heapUsed
      expect(() => {
        for (;;) reader.push(chunk)
      }).toThrow(NotResp)
      collect()
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(replyBytes * 1.2)
      expect(reader.isInside).toBe(true) // Until here it is in use.
    })

  test("does not count the replies that come after a list in the same chunk, or before it, as a part of it", () => {
    const replies: Reply[] = []
    const sink = { wantsBytes: () => false, onReply: (reply: Reply) => void replies.push(reply), toError: serverError }
    const reader = new RespReader({ ...sink, mostBytes: () => 65_536, onPush: () => expect.unreachable() })
    const others = "+OK\r\n".repeat(20_000)
    reader.push(Buffer.from(`${others}*2\r\n$2\r\n1`))
    reader.push(Buffer.from(`2\r\n$1\r\n3\r\n${others}`))
    expect(replies.filter(Array.isArray)).toEqual([["12", "3"]])
    expect(replies).toHaveLength(40_001)
  })

  test("refuses what is nested too deep, a string too long, and a line too long", () => {
    expect(() => read([Buffer.from("*1\r\n".repeat(10))], false, { depth: 9 })).toThrow(/nested/)
    expect(() => read([Buffer.from("$101\r\n")], false, { bulkBytes: 100 })).toThrow(/101 bytes/)
    expect(() => read([Buffer.from(`+${"x".repeat(200)}`)], false, { lineBytes: 100 })).toThrow(/line/)
  })
})
