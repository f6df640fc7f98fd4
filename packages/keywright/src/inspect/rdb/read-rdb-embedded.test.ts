/* Files of the embedded engine: a Valkey 9, with its own magic, version and
 * hashes whose fields expire. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RdbRecord } from "./batch.ts"
import { compareWithLive } from "./compare-live.cases.ts"
import { connect, fill } from "./live-server.cases.ts"
import { readRdb } from "./read-rdb.ts"

let directory: string
let engine: Engine
let client: Awaited<ReturnType<typeof connect>>
const file = () => join(directory, "dump.rdb")

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "keywright-rdb-"))
  engine = await start({ directory, port: 0 })
  client = await connect({ url: String(engine.url) })
})
afterAll(async () => {
  client?.close()
  await engine?.stop()
  await rm(directory, { recursive: true })
})

describe("a file written by the embedded engine", () => {
  it("holds what the engine holds", async () => {
    await fill(client.send)
    await client.send("SAVE")
    const records = await compareWithLive(file(), client.send)
    const found = new Set(records.map(({ type, encoding }) => `${type} ${encoding}`))
    for (const kind of ["set listpack", "hash listpack", "zset skiplist", "stream stream"])
      expect(found).toContain(kind)
  })

  it("says who wrote it", async () => {
    const reader = readRdb(file())
    for await (const batch of reader) expect(batch.length).toBeGreaterThan(0)
    expect(reader.facts).toMatchObject({ magic: "VALKEY", version: 80 })
    expect(reader.facts.aux["valkey-ver"]).toMatch(/^9\./)
  })

  it("holds the expiries of hash fields", async () => {
    await client.send("SELECT", 0)
    await client.send("FLUSHALL")
    await client.send("HSET", "hash", "a", 1, "b", "two", "c", "3")
    await client.send("HPEXPIREAT", "hash", 4_000_000_000_123, "FIELDS", 1, "b")
    await client.send("SAVE")
    const records: RdbRecord[] = []
    for await (const batch of readRdb(file(), { values: "full" })) records.push(...batch)
    expect(records).toHaveLength(1)
    const fields = new Map(records[0]?.type === "hash" ? records[0].value?.map((pair) => [String(pair[0]), pair]) : [])
    expect(fields.get("a")).toEqual([Buffer.from("a"), Buffer.from("1")])
    expect(fields.get("b")).toEqual([Buffer.from("b"), Buffer.from("two"), 4_000_000_000_123])
    expect(fields.size).toBe(3)
  })
})
