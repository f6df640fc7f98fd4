/* Collections that are handed out in pieces, so that no more than one is in memory. */

import { expect, it } from "vitest"
import type { RdbRecord } from "./batch.ts"
import * as w from "./rdb-writer.cases.ts"
import { readRdb } from "./read-rdb.ts"

const range = Array.from({ length: 1000 }, (_, at) => at)
const nodes = range.map((at) => [w.length(2), w.string(w.listpack([at, `a${at}`]))])

const file = w.rdb("REDIS0011", [
  w.entry(0, "before", w.string("b")),
  Buffer.concat([w.expireMs(5_000_000_000_000), w.entry(18, "list", w.counted(...nodes))]),
  w.entry(2, "set", w.counted(...range.map((at) => [w.int16(at)]))),
  w.entry(4, "hash", w.counted(...range.map((at) => [w.string(`f${at}`), w.int16(at)]))),
  w.entry(5, "zset", w.counted(...range.map((at) => [w.string(`m${at}`), w.double(at / 3)]))),
  w.entry(20, "packed", w.string(w.listpack(range))),
  w.entry(0, "after", w.string("b")),
])

async function recordsOf(options: { readonly pieces?: number }) {
  const reader = readRdb(w.portions(file, 997), { values: "full", ...options })
  const records: RdbRecord[] = []
  for await (const batch of reader) records.push(...batch)
  return { records, facts: reader.facts }
}

it("pieces of collections are together what the collections are", async () => {
  const whole = await recordsOf({})
  const { records, facts } = await recordsOf({ pieces: 100 })
  expect(facts.keys).toBe(whole.facts.keys)
  const joined = new Map<string, unknown[]>()
  for (const [at, { key, value, more, expireAtMs }] of records.entries()) {
    const name = key.toString()
    joined.set(name, [...(joined.get(name) ?? []), ...(value as Buffer[])])
    expect(expireAtMs).toBe(name === "list" ? 5_000_000_000_000 : undefined)
    expect(more === true).toBe(records[at + 1]?.key.toString() === name)
    if (name !== "packed" && name.length > 3) expect((value as unknown[]).length).toBeLessThanOrEqual(101)
  }
  expect(records.filter(({ key }) => key.toString() === "zset")).toHaveLength(10)
  for (const { key, value, cut } of whole.records) {
    expect(cut).toBeUndefined()
    expect(joined.get(key.toString())).toEqual([...(value as Buffer[])])
  }
})
