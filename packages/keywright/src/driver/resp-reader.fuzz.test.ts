/* Bytes that no server of ours would send: the reader says the same of them however they
 * are cut into chunks, keeps no more than it may, and never does anything but reply or refuse. */

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fuzzing, mutated } from "../../../../test/fuzz.ts"
import { KeywrightError } from "../errors/error.ts"
import type { Reply } from "./driver.ts"
import { NotResp, type ReaderLimits, RespReader } from "./resp-reader.ts"
import { serverError } from "./server-errors.ts"

const LIMITS: ReaderLimits = { depth: 6, bulkBytes: 400, textBytes: 8, lineBytes: 48, replyBytes: 100_000 }
const PIECES = [
  ..."+-:$*%~>|_#,(=!\r\n0129",
  ...[
    "\r\n",
    "$-1\r\n",
    "*-1\r\n",
    "*2\r\n",
    "*999999999999\r\n",
    "$400\r\n",
    "$401\r\n",
    "|1\r\n",
    ">1\r\n",
    "%1\r\n",
  ],
  ...[
    "-0",
    "é",
    "x".repeat(50),
    "\u{1f388}",
    "\u0000",
    "=5\r\ntxt:",
    "!3\r\nERR",
    "(12345678901234567890\r\n",
    ":9223372036854775807\r\n",
  ],
]
const VALID =
  "+OK\r\n:-42\r\n$5\r\nhello\r\n$-1\r\n*3\r\n:1\r\n-ERR no\r\n*2\r\n$3\r\na\r\n\r\n*0\r\n%1\r\n+a\r\n_\r\n~1\r\n#t\r\n" +
  "|1\r\n+ttl\r\n:36\r\n,1.5\r\n=7\r\ntxt:é!\r\n>2\r\n$1\r\nm\r\n$1\r\nn\r\n!8\r\nERR oops\r\n(34928903284092385\r\n"

interface Heard {
  readonly said: unknown[]
  /** It is not RESP. */
  readonly refused: boolean
  /** A reply is unfinished. */
  readonly inside: boolean
}

const plain = (reply: Reply): unknown =>
  reply instanceof KeywrightError ? { code: reply.code } : Array.isArray(reply) ? reply.map(plain) : reply

function reading(bytes: boolean, said: unknown[], limits: ReaderLimits): RespReader {
  return new RespReader(
    {
      wantsBytes: () => bytes,
      onReply: (reply) => void said.push(plain(reply)),
      onPush: (items) => void said.push({ push: items.map(plain) }),
      toError: serverError,
      tooLong: ({ message }) => new KeywrightError("TEST.LONG", message),
    },
    limits,
  )
}

function read(chunks: readonly Uint8Array[], bytes: boolean): Heard {
  const said: unknown[] = []
  const reader = reading(bytes, said, LIMITS)
  try {
    for (const chunk of chunks) reader.push(chunk)
  } catch (error) {
    if (!(error instanceof NotResp)) throw error
    return { said, refused: true, inside: false }
  }
  return { said, refused: false, inside: reader.isInside }
}

const cutAt = (all: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [...new Set(places.map((place) => place % (all.length + 1)))].sort((a, b) => a - b)
  return [0, ...ends].map((from, i) => all.subarray(from, ends[i] ?? all.length))
}

const anyBytes = fc.oneof(
  { weight: 4, arbitrary: mutated(VALID, PIECES).map((text) => Buffer.from(text)) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((all) => Buffer.from(all.join(""))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all)) },
)

describe("the reader of RESP, on any bytes", () => {
  it.each([
    ["a line that is too long, in one chunk", `+${"x".repeat(60)}\r\n:1\r\n`],
    ["a line that is just not too long", `+${"x".repeat(45)}\r\n:1\r\n`],
    ["a line whose end makes it too long", `+${"x".repeat(46)}\r\n:1\r\n`],
  ])("says the same of %s, wherever it is cut", (_, text) => {
    const all = Buffer.from(text)
    for (let i = 0; i <= all.length; i++) expect(read(cutAt(all, [i]), false)).toEqual(read([all], false))
  })

  it("says the same however they are cut", () => {
    fc.assert(
      fc.property(anyBytes, fc.boolean(), fc.array(fc.nat(), { maxLength: 6 }), (all, bytes, places) => {
        const whole = read([all], bytes)
        expect(read(cutAt(all, places), bytes)).toEqual(whole)
        expect(
          read(
            Array.from(all, (byte) => Buffer.of(byte)),
            bytes,
          ),
        ).toEqual(whole)
        if (all.length <= 24) for (let i = 1; i < all.length; i++) expect(read(cutAt(all, [i]), bytes)).toEqual(whole)
      }),
      fuzzing(3000),
    )
  })

  it("refuses what does not end before it has taken more than it may", () => {
    const limits = { ...LIMITS, replyBytes: 2000 }
    fc.assert(
      fc.property(anyBytes, anyBytes, (head, part) => {
        fc.pre(part.length > 0)
        const said: unknown[] = []
        const reader = reading(false, said, limits)
        let open = 0
        const feed = (byte: number) => {
          const before = said.length
          reader.push(Buffer.of(byte))
          open = said.length > before || !reader.isInside ? 0 : open + 1
          expect(open).toBeLessThanOrEqual(limits.replyBytes)
        }
        try {
          for (const byte of head) feed(byte)
          for (let i = 0; i < 5000; i++) feed(part[i % part.length]!)
        } catch (error) {
          if (!(error instanceof NotResp)) throw error
        }
      }),
      fuzzing(400),
    )
  })
})
