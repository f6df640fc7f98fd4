/* Files that no server wrote: each is read or refused with a code, the same however it is
 * cut into chunks, and one with a checksum never passes for whole. What was found is a row
 * of a table in damage.test.ts. */

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fuzzing, mutated } from "../../../../../test/fuzz.ts"
import { KeywrightError } from "../../errors/error.ts"
import { content, expectClear, outcome, readings } from "./damage.cases.ts"
import * as w from "./rdb-writer.cases.ts"

const latin1 = (bytes: Buffer): string => bytes.toString("latin1")

/** Lengths of every form, packed values, back references, numbers at their limits, opcodes. */
const PIECES = [
  ...[0, 1, 63, 64, 127, 128, 192, 193, 194, 195, 244, 250, 253, 254, 255].map((byte) => latin1(w.u8(byte))),
  ...[w.length(2n ** 32n - 1n, 32), w.length(2n ** 60n, 64), w.length(16_383, 14)].map(latin1),
  ...[w.listpack(["a", "b"]), w.listpack(["a"], 4), w.ziplist(["a", "b"]), w.lzf("x".repeat(300))].map(latin1),
  ...[w.u32le(0xffffffff), w.double(Number.NaN), w.i64le(-1), w.int32(-1)].map(latin1),
]
const files = mutated(latin1(content), PIECES).map((text) => Buffer.from(text, "latin1"))
const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PIECES),
      fc.integer({ min: 0, max: 255 }).map((byte) => latin1(w.u8(byte))),
    ),
  )
  .map((pieces) => Buffer.from(`REDIS0011${pieces.join("")}`, "latin1"))
const modesOfReading = fc.constantFrom(...readings)
const portions = fc.integer({ min: 1, max: 5000 })

describe("a file that no server wrote", () => {
  it("never passes for whole when bytes have changed", async () => {
    await fc.assert(
      fc.asyncProperty(files, modesOfReading, portions, async (file, reading, portion) => {
        if (file.equals(content)) return
        expectClear((await outcome(file, reading, portion)).error, file.length)
      }),
      fuzzing(500),
    )
  })

  it("is read or refused without a checksum, the same however it is cut, and never crashes the reader", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(files, noise), modesOfReading, portions, async (file, reading, portion) => {
        const lenient = { ...reading, checksum: false, anyVersion: true }
        const whole = await outcome(file, lenient)
        const cut = await outcome(file, lenient, portion)
        if (whole.error !== undefined) expectClear(whole.error, file.length)
        expect(cut.names).toEqual(whole.names)
        expect((cut.error as KeywrightError | undefined)?.code).toBe((whole.error as KeywrightError | undefined)?.code)
      }),
      fuzzing(500),
    )
  })
})
