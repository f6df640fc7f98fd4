/* Files of a real redis-server 7.0, under the settings that change what it
 * writes. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import type { RdbRecord } from "./batch.ts"
import { compareWithLive } from "./compare-live.cases.ts"
import { fill, startRedis } from "./live-server.cases.ts"
import { readRdb } from "./read-rdb.ts"

let server: Awaited<ReturnType<typeof startRedis>>

beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server?.stop())

const packing = {
  usual: {},
  none: {
    "hash-max-listpack-entries": 0,
    "zset-max-listpack-entries": 0,
    "set-max-intset-entries": 0,
    "list-max-listpack-size": 1,
  },
  most: {
    "hash-max-listpack-entries": 100_000,
    "hash-max-listpack-value": 1_000_000,
    "zset-max-listpack-entries": 100_000,
    "zset-max-listpack-value": 1_000_000,
    "set-max-intset-entries": 100_000,
    "list-max-listpack-size": -5,
    "list-compress-depth": 1,
    "stream-node-max-entries": 10,
  },
}

type Settings = Record<string, string | number>

const usual: Settings = {
  "hash-max-listpack-entries": 128,
  "hash-max-listpack-value": 64,
  "zset-max-listpack-entries": 128,
  "zset-max-listpack-value": 64,
  "set-max-intset-entries": 512,
  "list-max-listpack-size": -2,
  "list-compress-depth": 0,
  "stream-node-max-entries": 100,
  rdbcompression: "yes",
  "maxmemory-policy": "noeviction",
  "lfu-decay-time": 0,
}

async function refill(settings: Settings): Promise<void> {
  await server.send("FLUSHALL")
  for (const [name, value] of Object.entries({ ...usual, ...settings })) await server.send("CONFIG", "SET", name, value)
  await fill(server.send)
  await server.send("SAVE")
}

async function all(): Promise<RdbRecord[]> {
  const records: RdbRecord[] = []
  for await (const batch of readRdb(server.file)) records.push(...batch)
  return records
}

const runs = (["yes", "no"] as const).flatMap((rdbcompression) =>
  Object.keys(packing).map((name) => [rdbcompression, name as keyof typeof packing] as const),
)
const chosen = isFull ? runs : runs.filter(([compression, name]) => (compression === "yes") === (name !== "none"))

describe("a file written by redis-server", () => {
  it.each(chosen)("with rdbcompression %s and packing %s holds what the server holds", async (rdbcompression, name) => {
    await refill({ rdbcompression, ...packing[name] })
    const records = await compareWithLive(server.file, server.send)
    const found = new Set(records.map(({ type, encoding }) => `${type} ${encoding}`))
    const packed = ["hash listpack", "zset listpack", "set intset", "string int", "list quicklist", "stream stream"]
    const loose = ["hash hashtable", "zset skiplist", "set hashtable", "string int", "list quicklist", "stream stream"]
    for (const kind of name === "none" ? loose : packed) expect(found).toContain(kind)
    expect(found.has("string lzf")).toBe(rdbcompression === "yes")
  })

  it("says who wrote it", async () => {
    const reader = readRdb(server.file)
    for await (const batch of reader) expect(batch.length).toBeGreaterThan(0)
    expect(reader.facts).toMatchObject({ magic: "REDIS", version: 10, modules: [] })
    expect(reader.facts.aux["redis-ver"]).toMatch(/^7\.0\./)
    expect(Number(reader.facts.aux["used-mem"])).toBeGreaterThan(100_000)
  })

  it("holds the frequency of each key when the server evicts by LFU", async () => {
    await refill({ "maxmemory-policy": "allkeys-lfu" })
    for (const { db, key, freq, idle } of await all()) {
      await server.send("SELECT", db)
      expect(await server.send("OBJECT", "FREQ", key)).toBe(freq)
      expect(idle).toBeUndefined()
    }
  })

  it("holds the idle time of each key when the server evicts by LRU", async () => {
    await refill({ "maxmemory-policy": "allkeys-lru" })
    for (const { db, key, freq, idle } of await all()) {
      await server.send("SELECT", db)
      expect(await server.send("OBJECT", "IDLETIME", key)).toBeGreaterThanOrEqual(idle ?? Infinity)
      expect(freq).toBeUndefined()
    }
  })

  it("may hold no key at all", async () => {
    await server.send("FLUSHALL")
    await server.send("SAVE")
    const reader = readRdb(server.file)
    for await (const batch of reader) expect(batch.length).toBe(0)
    expect(reader.facts).toMatchObject({ keys: 0, checksum: "verified" })
  })
})
