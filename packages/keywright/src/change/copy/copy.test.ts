import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "@keywright/embedded"
import { afterAll, beforeEach, expect, it } from "vitest"
import { onBothServers } from "../../client/servers.cases.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { bistroClients } from "../../inspect/audit/bistro-clients.cases.ts"
import { bistro as typed, CANARY, fillBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { CANARY as LISTED, wallet, walletWrites } from "../../schema/listed-secrets.cases.ts"
import { exportKeys } from "./export-keys.ts"
import { importKeys } from "./import-keys.ts"
import type { ValuePart } from "./key-value.ts"
import { LargeKey } from "./large-key.ts"

const bistro = typed as unknown as Keyspace
const folder = mkdtempSync(join(tmpdir(), "keywright-copy-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const far = Date.now() + 86_400_000
const binary = Buffer.from([0, 255, 254, 10, 13, 34, 128])
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i))

/** Every type, small and large, with and without a deadline, text and bytes. */
async function fillAll(driver: Driver): Promise<void> {
  const commands: Command[] = [
    ["SET", "text", 'grüße\n"quoted" \u2028'],
    ["SET", "bytes", binary],
    ["SET", binary, "by bytes"],
    ["SET", "replacement", "a \ufffd b"],
    ["SET", "empty", ""],
    ["SET", "deadline", "1", "PXAT", String(far)],
    ["SET", "big", "x".repeat(3_000_000)],
    ["RPUSH", "list", "b", "a", "", binary],
    ["RPUSH", "list:large", ...numbers(12_345)],
    ["SADD", "set", "b", "a", binary],
    ["SADD", "set:ints", "3", "1", "2"],
    ["SADD", "set:large", ...numbers(12_345)],
    ["ZADD", "zset", "1.5", "a", "inf", "b", "-inf", "c", "3.0000000000000004", "d", "1e300", binary],
    ["ZADD", "zset:large", ...numbers(6000).flatMap((n) => [String(Number(n) / 3), `m${n}`])],
    ["HSET", "hash", "f", "v", "__proto__", "p", "b", binary],
    ["HSET", "hash:large", ...numbers(7000).flatMap((n) => [`f${n}`, n])],
    ["PEXPIREAT", "hash:large", String(far + 1)],
    ["PFADD", "loglog", ...numbers(500)],
    ["SETBIT", "bits", "777", "1"],
    ["GEOADD", "geo", "13.361389", "38.115556", "Palermo"],
    ...numbers(5100).map((n): Command => ["XADD", "stream", `${Number(n) + 1}-0`, "field", n]),
    ["XADD", "stream:bytes", "1-1", "f", binary],
    ["XADD", "stream:wide", "1-1", ...numbers(9000)],
    ["XGROUP", "CREATE", "stream", "g1", "0"],
    ["XGROUP", "CREATE", "stream", "g2", "$"],
    ["XREADGROUP", "GROUP", "g1", "c1", "COUNT", "20", "STREAMS", "stream", ">"],
    ["XREADGROUP", "GROUP", "g1", "c2", "COUNT", "5", "STREAMS", "stream", ">"],
    ["XACK", "stream", "g1", "1-0", "2-0"],
    ["XDEL", "stream", "3-0", "250-0"],
    ["XADD", "stream:empty", "9-0", "f", "v"],
    ["XTRIM", "stream:empty", "MAXLEN", "0"],
  ]
  for (const reply of await driver.batch(commands)) if (reply instanceof Error) throw reply
}

onBothServers("export and import", (server) => {
  const open = bistroClients(server)
  let file = ""
  let count = 0
  beforeEach(() => {
    file = join(folder, `${process.pid}-${count++}.ndjson`)
  })

  it("makes a round trip of every type, over another engine and back", async () => {
    const { driver } = server()
    await fillAll(driver)
    const first = await exportKeys(undefined, driver, { file })
    expect(first.keys).toBe(Number(await driver.send(["DBSIZE"])))
    const engine = await start()
    try {
      const other = embeddedDriver(engine)
      const imported = await importKeys(undefined, other, { file })
      expect(imported).toMatchObject({ keys: first.keys, written: first.keys, different: 0, skipped: 0 })
      const second = await exportKeys(undefined, other, { file: `${file}.2` })
      expect(second.patterns).toEqual(first.patterns)
      await other.close()
    } finally {
      await engine.stop()
    }
    await driver.send(["FLUSHALL"])
    await importKeys(undefined, driver, { file: `${file}.2` })
    const third = await exportKeys(undefined, driver, () => undefined)
    expect(third.patterns).toEqual(first.patterns)
    expect(await driver.send(["PEXPIRETIME", "deadline"])).toBe(far)
    expect(await driver.send(["GET", binary])).toBe("by bytes")
    expect(await driver.send(["GET", "bytes"], { bytes: true })).toEqual(binary)
    expect(await driver.send(["XPENDING", "stream", "g1"])).toEqual([
      22,
      "4-0",
      "25-0",
      [
        ["c1", "17"],
        ["c2", "5"],
      ],
    ])
  })

  it("leaves secrets out unless asked for, and does not import what lacks them", async () => {
    const { driver } = server()
    await fillBistro(await open(), 12)
    const result = await exportKeys(bistro, driver, { file })
    expect(result.leftOut).toBe(12)
    expect(readFileSync(file, "utf8")).not.toContain(CANARY)
    await driver.send(["FLUSHALL"])
    await expect(importKeys(bistro, driver, { file })).rejects.toMatchObject({ code: "IMPORT.LEFT_OUT" })
    expect(await server().keys()).toEqual([])
    const imported = await importKeys(bistro, driver, { file }, { leftOut: "skip" })
    expect(imported.leftOut).toBe(12)
    expect(await driver.send(["EXISTS", "user:1"])).toBe(0)
  })

  it("leaves out keys that no pattern owns where the schema has secrets: they may hold one", async () => {
    const { driver } = server()
    await driver.send(["SET", "cart:9f86d081884c7d659a2feaa0c55ad015:items", "9f86d081884c7d659a2feaa0c55ad015"])
    await exportKeys(wallet as unknown as Keyspace, driver, { file })
    expect(readFileSync(file, "utf8")).not.toContain("9f86d081")
    await exportKeys(wallet as unknown as Keyspace, driver, { file }, { secrets: true })
    expect(readFileSync(file, "utf8")).toContain("9f86d081")
  })

  it("leaves out fields that nobody has declared, in a hash with secrets: they may hold one", async () => {
    const { driver } = server()
    await driver.send(["HSET", "fields:9", "name", "a", "oldPin", LISTED])
    await exportKeys(wallet as unknown as Keyspace, driver, { file })
    const exported = readFileSync(file, "utf8")
    expect(exported).not.toContain(LISTED)
    expect(exported).toContain('"leftOut":["oldPin"]')
    await exportKeys(wallet as unknown as Keyspace, driver, { file }, { secrets: true })
    expect(readFileSync(file, "utf8")).toContain(LISTED)
  })

  it("leaves fields out that are listed as secret, in every kind and at every depth", async () => {
    const { driver } = server()
    for (const command of walletWrites) await driver.send(command)
    await exportKeys(wallet as unknown as Keyspace, driver, { file })
    const exported = readFileSync(file, "utf8")
    expect(exported).not.toContain(LISTED)
    expect(exported).toContain("holder:1")
    const packed = exported.split("\n").filter((line) => line.includes('"packed:'))
    expect(packed.map((line) => (JSON.parse(line) as { leftOut?: string[] }).leftOut)).toEqual(
      expect.arrayContaining([expect.arrayContaining(["packed", "small"]), expect.arrayContaining(["json", "made"])]),
    )
    await exportKeys(wallet as unknown as Keyspace, driver, { file }, { secrets: true })
    expect(readFileSync(file, "utf8")).toContain(LISTED)
  })

  it("restores everything with secrets, clean and identical", async () => {
    const { driver } = server()
    await fillBistro(await open(), 30)
    const first = await exportKeys(bistro, driver, { file }, { secrets: true })
    await driver.send(["FLUSHALL"])
    const imported = await importKeys(bistro, driver, { file })
    expect(imported).toMatchObject({ written: first.keys, different: 0, leftOut: 0 })
    expect(imported.rebuilt).toEqual({ fixed: {}, findings: {}, unreadable: [] })
    const second = await exportKeys(bistro, driver, () => undefined, { secrets: true })
    expect(second.patterns).toEqual(first.patterns)
  })

  it("rebuilds indexes and raises counters after importing the records of one entity", async () => {
    const { driver } = server()
    await fillBistro(await open(), 30)
    await exportKeys(bistro, driver, { file }, { match: "dish:[0-9]*" })
    await driver.send(["FLUSHALL"])
    await driver.send(["SET", "dish:counter", "7"])
    const { rebuilt } = await importKeys(bistro, driver, { file })
    expect(rebuilt!.fixed["LIST.MISSING"]).toBe(30)
    expect(await driver.send(["GET", "dish:counter"])).toBe("30")
    const { findings } = await audit(bistro, driver)
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(["REFERENCE.MISSING"]))
  })

  it("fails, skips or writes over what is there", async () => {
    const { driver } = server()
    await driver.batch([
      ["SET", "a", "1"],
      ["SET", "b", "1"],
    ])
    await exportKeys(undefined, driver, { file })
    await driver.send(["SET", "a", "2"])
    await driver.send(["DEL", "b"])
    await expect(importKeys(undefined, driver, { file })).rejects.toMatchObject({ code: "IMPORT.EXISTS" })
    expect(await driver.send(["EXISTS", "b"])).toBe(0)
    expect(await importKeys(undefined, driver, { file }, { mode: "skip" })).toMatchObject({ written: 1, skipped: 1 })
    expect(await driver.send(["GET", "a"])).toBe("2")
    expect(await importKeys(undefined, driver, { file }, { mode: "overwrite" })).toMatchObject({ written: 2 })
    expect(await driver.send(["GET", "a"])).toBe("1")
    expect(await importKeys(undefined, driver, { file })).toMatchObject({ same: 2, written: 0 })
  })

  it("goes into the database that is spoken to, unless the schema says which", async () => {
    const { driver } = server()
    await fillBistro(await open(), 12)
    await driver.send(["SADD", "tags", ...numbers(6000)])
    const { keys } = await exportKeys(bistro, driver, { file }, { secrets: true })
    const other = await driver.database(3)
    const foreign = "import"
    expect(await importKeys(bistro, other, { file }, { foreign })).toMatchObject({ written: keys, different: 0 })
    expect(await other.send(["DBSIZE"])).toBe(keys)
    expect(await importKeys(bistro, other, { file }, { foreign })).toMatchObject({ written: 0, same: keys })
    expect((await audit(bistro, other)).summary).toEqual({ "KEY.UNKNOWN": 1 })
  })

  it("never lowers a counter of an entity", async () => {
    const { driver } = server()
    await fillBistro(await open(), 12)
    await exportKeys(bistro, driver, { file }, { secrets: true })
    await driver.send(["SET", "dish:counter", "500"])
    await importKeys(bistro, driver, { file }, { mode: "overwrite" })
    expect(await driver.send(["GET", "dish:counter"])).toBe("500")
    await driver.send(["SET", "dish:counter", "5"])
    await importKeys(bistro, driver, { file }, { mode: "skip" })
    expect(await driver.send(["GET", "dish:counter"])).toBe("12")
  })

  it("refuses an export that is damaged, cut off or something else, before anything is written", async () => {
    const { driver } = server()
    await driver.batch(numbers(20).map((n): Command => ["SET", `key:${n}`, `value ${n}`]))
    await exportKeys(undefined, driver, { file })
    await driver.send(["FLUSHALL"])
    const text = readFileSync(file, "utf8")
    const lines = text.split("\n")
    const refusal = (changed: string) => {
      writeFileSync(file, changed)
      return importKeys(undefined, driver, { file }).then(
        () => "imported",
        (error: { code: string }) => error.code,
      )
    }
    expect(await refusal(text.replace("value 7", "value 8"))).toBe("IMPORT.DAMAGED")
    expect(await refusal(text.slice(0, -20))).toBe("IMPORT.CUT")
    expect(await refusal([...lines.slice(0, 4), ...lines.slice(5)].join("\n"))).toBe("IMPORT.MISMATCH")
    expect(await refusal(`${lines.slice(0, 3).join("\n")}\n{"db":\n`)).toBe("IMPORT.REFUSED")
    expect(await refusal("hello\n")).toBe("IMPORT.REFUSED")
    expect(await refusal("")).toBe("IMPORT.REFUSED")
    expect(await server().keys()).toEqual([])
  })

  it("leaves what an import that was killed had begun under names that audit knows, with a deadline", async () => {
    const { driver } = server()
    const parts: ValuePart[] = [
      { type: "list", elements: ["a", "b"] },
      { type: "set", elements: ["a", binary] },
      { type: "zset", elements: ["a", "1", "b", "2"] },
      { type: "hash", elements: ["f", "v"] },
      { type: "stream", elements: [["1-1", ["f", "v"]]] },
    ]
    for (const part of parts) await new LargeKey(driver, `large:${part.type}`, part.type).add(part)
    const left = await server().keys()
    expect(left).toHaveLength(parts.length)
    for (const key of left) expect(await driver.send(["PTTL", key])).toBeGreaterThan(3_000_000)
    expect((await audit(bistro, driver)).findings).toEqual([])
  })

  it("takes an export as it comes, and Spring's form", async () => {
    const { driver } = server()
    await driver.batch([
      [
        "SET",
        "dish:1",
        '{"@class":"com.example.Dish","id":"1","tags":["java.util.ArrayList",["a","b"]],"price":["java.lang.Long",5]}',
      ],
      ["SET", "cart:index:user:1", '"123"'],
      ["SADD", "dish:list", '"1"', '"2"'],
      ["SET", "dish:counter", "7"],
    ])
    let text = ""
    await exportKeys(undefined, driver, (more) => void (text += more))
    await driver.send(["FLUSHALL"])
    const chunks = async function* () {
      yield Buffer.from(text.slice(0, 100))
      yield text.slice(100)
    }
    expect(await importKeys(undefined, driver, chunks(), { jackson: true })).toMatchObject({ written: 4, different: 0 })
    expect(await driver.send(["GET", "dish:1"])).toBe('{"id":"1","tags":["a","b"],"price":5}')
    expect(await driver.send(["GET", "cart:index:user:1"])).toBe("123")
    expect(await driver.send(["SMISMEMBER", "dish:list", "1", "2"])).toEqual([1, 1])
    expect(await driver.send(["GET", "dish:counter"])).toBe("7")
  })
})
