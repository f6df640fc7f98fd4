/* Values that do not fit into memory are passed over in a small one. */

import { describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import * as w from "./rdb-writer.cases.ts"
import { readRdb } from "./read-rdb.ts"

const size = (isFull ? 500 : 50) * 1024 * 1024

/* A key, a value that is generated as it is read, and another key. */
async function* around(code: number, head: Buffer, portion: (left: number) => Buffer, bytes: number) {
  yield w.joined(Buffer.from("REDIS0011"), w.entry(0, "before", w.int8(1)), w.u8(code), w.string("large"), head)
  for (let left = bytes; left > 0;) {
    const part = portion(left)
    left -= part.length
    yield part
  }
  yield w.joined(w.entry(0, "after", w.int8(1)), w.u8(255), Buffer.alloc(8))
}

async function peakWhile(source: AsyncIterable<Uint8Array>, values: "skip" | "shallow") {
  const records = []
  const start = process.memoryUsage.rss()
  let peak = 0
  async function* watched() {
    let count = 0
    for await (const chunk of source) {
      if (count++ % 16 === 0) peak = Math.max(peak, process.memoryUsage.rss() - start)
      yield chunk
    }
  }
  for await (const batch of readRdb(watched(), { values })) records.push(...batch)
  return { records, peak }
}

describe.each(["skip", "shallow"] as const)("in %s mode", (values) => {
  const chunk = Buffer.alloc(256 * 1024, 1)

  it("a huge string is passed over without being held", async () => {
    const source = around(0, w.length(size), (left) => chunk.subarray(0, left), size)
    const { records, peak } = await peakWhile(source, values)
    expect(records.map(({ key, length }) => [key.toString(), length])).toEqual([
      ["before", 1],
      ["large", size],
      ["after", 1],
    ])
    expect(peak).toBeLessThan(40 * 1024 * 1024)
  })

  it("a list of a great many elements is, too", async () => {
    const part = Buffer.alloc(256 * 1024, w.string("an element here"))
    const source = around(1, w.length(size / 16), (left) => part.subarray(0, left), size)
    const { records, peak } = await peakWhile(source, values)
    expect(records.map(({ length }) => length)).toEqual([1, size / 16, 1])
    expect(peak).toBeLessThan(60 * 1024 * 1024)
  })
})
