/* Compares what the reader finds in a file with what the server that wrote it
 * says, key by key. */

import { expect } from "vitest"
import type { RdbRecord } from "./batch.ts"
import type { Reply, Send } from "./live-server.cases.ts"
import { readRdb } from "./read-rdb.ts"

const pairs = (flat: Reply) => {
  const list = flat as Buffer[]
  return Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index]!, list[2 * index + 1]!] as const)
}

const scoreOf = (text: Buffer) => Number(text.toString().replace("inf", "Infinity"))
const byFirst = (a: readonly unknown[], b: readonly unknown[]) => Buffer.compare(a[0] as Buffer, b[0] as Buffer)

/* What the server holds, in the reader's form; what has no order is sorted. */
async function liveValue(send: Send, { type, key }: RdbRecord): Promise<unknown> {
  if (type === "string") return send("GET", key)
  if (type === "list") return send("LRANGE", key, 0, -1)
  if (type === "set") return ((await send("SMEMBERS", key)) as Buffer[]).toSorted(Buffer.compare)
  if (type === "hash") return pairs(await send("HGETALL", key)).toSorted(byFirst)
  if (type === "stream") return liveStream(send, key)
  if (type !== "zset") return undefined
  const scored = pairs(await send("ZRANGE", key, 0, -1, "WITHSCORES"))
  return scored.map(([member, score]) => [member, scoreOf(score)] as const).toSorted(byFirst)
}

/* Entries, and what XINFO and XPENDING say of the groups. */
async function liveStream(send: Send, key: Buffer): Promise<unknown> {
  const facts = named(await send("XINFO", "STREAM", key, "FULL", "COUNT", 1))
  const groups = (facts.get("groups") as Reply[]).map(named).map(async (group) => {
    const name = group.get("name") as Buffer
    const pending = (await send("XPENDING", key, name, "-", "+", 1000)) as Reply[][]
    return {
      name,
      lastId: String(group.get("last-delivered-id")),
      read: group.get("entries-read") ?? undefined,
      consumers: (group.get("consumers") as Reply[]).map((one) => named(one).get("name")),
      pending: pending.map(([id, consumer, , times]) => [String(id), consumer, expect.any(Number), times]),
    }
  })
  return {
    entries: ((await send("XRANGE", key, "-", "+")) as Reply[][]).map(([id, fields]) => [String(id), fields]),
    lastId: String(facts.get("last-generated-id")),
    added: facts.get("entries-added"),
    maxDeletedId: String(facts.get("max-deleted-entry-id")),
    groups: await Promise.all(groups),
  }
}

const named = (flat: Reply): Map<string, Reply> => new Map(pairs(flat).map(([name, value]) => [String(name), value]))

function sorted({ type, value }: RdbRecord): unknown {
  if (type === "set") return value?.toSorted(Buffer.compare)
  if (type === "hash" || type === "zset") return value?.toSorted(byFirst)
  return value
}

const lengthCommand = { string: "STRLEN", list: "LLEN", set: "SCARD", zset: "ZCARD", hash: "HLEN", stream: "XLEN" }

async function compareRecord(send: Send, record: RdbRecord): Promise<void> {
  const { key, type, encoding, length, expireAtMs } = record
  const name = `${type} ${key.toString("latin1").slice(0, 40)}`
  expect(String(await send("TYPE", key)), name).toBe(type)
  expect(await send("PEXPIRETIME", key), name).toBe(expireAtMs ?? -1)
  expect(await send(lengthCommand[type as keyof typeof lengthCommand], key), name).toBe(length)
  if (type !== "string" && type !== "list") expect(String(await send("OBJECT", "ENCODING", key)), name).toBe(encoding)
  expect(sorted(record), name).toEqual(await liveValue(send, record))
}

/** Reads the file in all modes and compares each record with the server. Returns the records. */
export async function compareWithLive(file: string, send: Send): Promise<RdbRecord[]> {
  const reader = readRdb(file, { values: "full", streams: true })
  const records: RdbRecord[] = []
  for await (const batch of reader) records.push(...batch)
  const shallow: unknown[] = []
  for await (const batch of readRdb(file, { values: "shallow" })) shallow.push(...batch)
  expect(shallow).toEqual(records.map((record) => ({ ...record, value: undefined })))

  expect([...new Set(records.map(({ db }) => db))]).toEqual([0, 1, 5])
  for (const db of [0, 1, 5]) {
    const group = records.filter((record) => record.db === db)
    await send("SELECT", db)
    expect(await send("DBSIZE")).toBe(group.length)
    expect(new Set(group.map(({ key }) => key.toString("latin1"))).size).toBe(group.length)
    expect(reader.facts.databases.get(db)?.keys).toBe(group.length)
    for (const record of group) await compareRecord(send, record)
  }
  expect(reader.facts).toMatchObject({ checksum: "verified", functions: 1, keys: records.length })
  return records
}
