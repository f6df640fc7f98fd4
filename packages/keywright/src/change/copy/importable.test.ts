/* What an export does not call unreadable can be imported, whatever somebody has stored: a backup is of no use otherwise. */

import { describe, expect, it } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { json, keyspace, type Keyspace, layout } from "../../index.ts"
import { ownersOf } from "./owners.ts"
import { onSavingServers } from "../../inspect/snapshot/saving-servers.cases.ts"
import { exportKeys, type ExportSource } from "./export-keys.ts"
import { importKeys } from "./import-keys.ts"
import { writeKey, writeParts } from "./key-lines.ts"
import { LineWriter } from "./line-writer.ts"

const record = layout({ key: "{entity}:{id}", counter: "{entity}:counter", all: "{entity}:list" })
const shop = keyspace({ dish: record("dish", json(z.object({ id: z.string() }))) }) as Keyspace

async function exported(source: ExportSource, schema?: Keyspace) {
  const chunks: Buffer[] = []
  const result = await exportKeys(schema, source, (more) => void chunks.push(Buffer.from(more)), { databases: [0] })
  return { result, bytes: chunks as unknown as AsyncIterable<Uint8Array> }
}

/** Sends commands, none of which may fail. */
async function all(driver: Driver, commands: readonly Command[]): Promise<void> {
  for (const reply of await driver.batch(commands)) if (reply instanceof Error) throw reply
}

onSavingServers("the export of what somebody has stored to be in the way", (server) => {
  it("is imported with deadlines of any number of years, and says which it cannot have", async () => {
    const { driver, save } = server()
    const deadlines = { far: "9000000000000000", farther: "9007199254740991", none: "9223372036854000000" }
    await all(
      driver,
      Object.entries(deadlines).flatMap(([key, at]) => [
        ["SET", key, "1"],
        ["PEXPIREAT", key, at],
      ]),
    )
    const file = await save()
    for (const source of [driver, { rdb: file }]) {
      const { result, bytes } = await exported(source)
      expect(result).toMatchObject({
        keys: 3,
        unreadable: 1,
        unreadableReason: expect.stringContaining("2^53 or more"),
      })
      await driver.send(["FLUSHALL"])
      expect(await importKeys(undefined, driver, bytes, { leftOut: "skip" })).toMatchObject({
        written: 2,
        different: 0,
      })
      expect(await driver.send(["PEXPIRETIME", "far"])).toBe(9e15)
      await all(driver, [
        ["SET", "none", "1"],
        ["PEXPIREAT", "none", deadlines.none],
      ])
    }
  })

  it("leaves a stream out that has an entry delivered too often to be counted, and says so", async () => {
    const { driver, save } = server()
    const fill = () =>
      all(driver, [
        ["SET", "small", "1"],
        ["XADD", "log", "1-1", "f", "v"],
        ["XGROUP", "CREATE", "log", "g", "0"],
        ["XCLAIM", "log", "g", "c", "0", "1-1", "RETRYCOUNT", "9223372036854775807", "FORCE", "JUSTID"],
      ])
    await fill()
    const file = await save()
    for (const source of [driver, { rdb: file }]) {
      const { result, bytes } = await exported(source)
      expect(result).toMatchObject({ keys: 2, unreadable: 1, unreadableReason: expect.stringContaining("2^53") })
      await driver.send(["FLUSHALL"])
      expect(await importKeys(undefined, driver, bytes, { leftOut: "skip" })).toMatchObject({ written: 1 })
      await driver.send(["FLUSHALL"])
      await fill()
    }
  })

  it("leaves out a text that is short on the server and longer as a line than an import reads, and continues", async () => {
    const { driver } = server()
    await all(driver, [
      ["SETRANGE", "large", "90000000", "x"],
      ["SET", "small", "1"],
    ])
    const { result, bytes } = await exported(driver)
    expect(result).toMatchObject({ keys: 2, unreadable: 1, unreadableReason: expect.stringContaining("longer line") })
    await driver.send(["FLUSHALL"])
    expect(await importKeys(undefined, driver, bytes, { leftOut: "skip" })).toMatchObject({ written: 1 })
    expect(await driver.send(["GET", "small"])).toBe("1")
  })

  it.each([
    ["many digits", "9007199254740991"],
    ["very many digits", "9".repeat(70_000)],
  ])("leaves a counter of %s out, which the import raises to the highest id", async (_, digits) => {
    const { driver, save } = server()
    const lost = ["SET", "dish:counter", digits]
    await all(driver, [lost, ["SET", "dish:7", '{"id":"7"}'], ["SADD", "dish:list", "7"]])
    const file = await save()
    for (const source of [driver, { rdb: file }]) {
      const { result, bytes } = await exported(source, shop)
      expect(result).toMatchObject({
        keys: 3,
        unreadable: 1,
        unreadableReason: expect.stringContaining("few ids left"),
      })
      await driver.send(["FLUSHALL"])
      expect(await importKeys(shop, driver, bytes, { leftOut: "skip" })).toMatchObject({ written: 2 })
      expect(await driver.send(["GET", "dish:counter"])).toBe("7")
      await driver.send(lost)
    }
  })
})

describe.runIf(needs("redis-server"))("the export of what a reply has no room for", () => {
  const server = redisForSuite()
  const few = "1-1 1-2 1-3".split(" ")

  async function isImportedWithout(key: string, source: Driver) {
    const { result, bytes } = await exported(source)
    expect(result).toMatchObject({ keys: 3, unreadable: 1 })
    await server.driver.send(["FLUSHALL"])
    expect(await importKeys(undefined, server.driver, bytes, { leftOut: "skip" })).toMatchObject({ written: 2 })
    expect(await server.driver.send(["EXISTS", "a", "z"])).toBe(2)
    expect(await server.driver.send(["EXISTS", key])).toBe(0)
    return result.unreadableReason
  }

  it.each<[string, readonly Command[]]>([
    ["a string", [["SETRANGE", "large", "2000000", "x"]]],
    ["the field of a hash", [["HSET", "large", "f", "x".repeat(2_000_000)]]],
    ["many elements of a list", few.map(() => ["RPUSH", "large", "x".repeat(500_000)])],
    ["many entries of a stream", few.map((id) => ["XADD", "large", id, "f", "x".repeat(500_000)])],
  ])("is imported without it: %s", async (_, commands) => {
    await server.driver.send(["FLUSHALL"])
    await server.driver.batch([["SET", "a", "1"], ...commands, ["SET", "z", "1"]])
    const source = openResp(`${server.redis.url}?replyBytes=1000000`)
    expect(await isImportedWithout("large", source)).toContain("replyBytes")
    await source.close()
  })

  it.each([6000, 12_000])(
    "is imported without the %d entries of a stream whose end a user may not read",
    async (entries) => {
      await server.driver.send(["FLUSHALL"])
      await server.driver.send(["ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@all", "-xinfo"])
      const adds = Array.from({ length: entries }, (_, i): Command => ["XADD", "log", `1-${i + 1}`, "f", "v"])
      await server.driver.batch([["SET", "a", "1"], ...adds, ["SET", "z", "1"]])
      const source = openResp(server.redis.url.replace("//", "//reader:pw@"))
      expect(await isImportedWithout("log", source)).toContain("NOPERM")
      await source.close()
    },
  )
})

it("a key whose name is longer than a line has room for is named by its beginning", () => {
  const lines = new LineWriter(1000)
  const one = { key: "\u0001".repeat(300), owner: ownersOf(undefined, [], true)("some") }
  writeKey(lines, 0, { ...one, key: "before" }, undefined, { type: "string", elements: ["1"] })
  const before = lines.size
  const written = writeKey(lines, 0, one, undefined, { type: "string", elements: ["1"] })
  expect(written).toMatchObject({ unreadable: expect.stringContaining("longer line") })
  const line = JSON.parse(lines.take().subarray(before).toString()) as unknown
  expect(line).toEqual({ db: 0, key: `${one.key.slice(0, 100)}…`, type: "other", unreadable: written.unreadable })
})

it("a key of several lines ends with one that says that the next would be too long", async () => {
  const lines = new LineWriter(1000)
  const one = { key: "some", owner: ownersOf(undefined, [], true)("some") }
  const parts = [["a"], ["b".repeat(1100)], ["c"]].map((elements) => ({ type: "set" as const, elements }))
  let text = ""
  const written = await writeParts(lines, 0, one, "set", undefined, parts, async () => void (text += lines.take()))
  text += lines.take()
  expect(written).toMatchObject({ leftOut: false, unreadable: expect.stringContaining("longer line") })
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { db: 0, key: "some", type: "set", value: ["a"], more: true },
    { db: 0, key: "some", type: "set", unreadable: written!.unreadable },
  ])
})
