/* A file answers every command as the server that wrote it does. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { chance } from "../../../../../test/random.ts"
import type { Command, Driver, Reply } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit } from "../audit/audit.ts"
import { plaza } from "../audit/plaza.cases.ts"
import { everyKind } from "../rdb/every-kind.cases.ts"
import { fill } from "../rdb/live-server.cases.ts"
import * as w from "../rdb/rdb-writer.cases.ts"
import { openSnapshot } from "./open-snapshot.ts"
import { onSavingServers } from "./saving-servers.cases.ts"

const scans: Readonly<Record<string, string>> = { hash: "HSCAN", set: "SSCAN", zset: "ZSCAN" }

/** Commands that read a key, those of other types too. */
function commandsFor(key: Buffer): Command[] {
  const range = [
    ["0", "3"],
    ["-3", "-1"],
    ["5", "2"],
    ["0", "-1"],
    ["1", "100000"],
  ] as const
  return [
    ...["TYPE", "PEXPIRETIME", "EXISTS", "GET", "STRLEN", "HLEN", "SCARD", "ZCARD", "LLEN", "XLEN"].map((name) => [
      name,
      key,
    ]),
    ["MGET", key, "none", "expires"],
    ...["a", "17", "m3", "f4", "none", "", Buffer.from([255])].flatMap((one) => [
      ["SISMEMBER", key, one],
      ["HGET", key, one],
      ["HEXISTS", key, one],
      ["LPOS", key, one],
      ["SMISMEMBER", key, one, "b", "none"],
    ]),
    ...range.flatMap(([from, to]) => [
      ["GETRANGE", key, from, to],
      ["LRANGE", key, from, to],
      ["ZRANGE", key, from, to],
    ]),
    ["ZRANGE", key, "-inf", "4", "BYSCORE", "LIMIT", "1", "5"],
    ["ZRANGE", key, "(1", "inf", "BYSCORE"],
    ["XRANGE", key, "-", "+", "COUNT", "7"],
    ["XRANGE", key, "(20", "30-5"],
    ["XRANGE", key, "298", "+"],
    ["XPENDING", key, "g1", "(4-0", "+", "10"],
  ]
}

/** What may differ: errors by their words, scores by their digits, how long something has been pending. */
function comparable(reply: Reply, [name]: Command): unknown {
  if (reply instanceof KeywrightError) return reply.code
  if (name === "XPENDING" && Array.isArray(reply))
    return (reply as Reply[][]).map(([id, consumer, , times]) => [id, consumer, times])
  return reply
}

async function allOf(driver: Driver, name: string, key: Buffer): Promise<string[]> {
  const found: string[] = []
  let cursor = "0"
  do {
    const [next, elements] = (await driver.send([name, key, cursor, "COUNT", "100"])) as [string, string[]]
    cursor = next
    const isZset = name === "ZSCAN"
    found.push(
      ...elements.map((one, i) => (isZset && i % 2 === 1 ? String(Number(one.replace("inf", "Infinity"))) : one)),
    )
  } while (cursor !== "0")
  return found.sort()
}

onSavingServers("a file", (server) => {
  it("answers what reads as the server does, for every type, as text and as bytes", async () => {
    const { driver, save } = server()
    // `fill` changes databases, which a shared connection must not: what it sends to others is left out.
    let db = 0
    await fill(async (...words) => {
      if (words[0] === "SELECT") db = Number(words[1])
      else if (db === 0) await driver.send(words.map((word) => (typeof word === "number" ? String(word) : word)))
      return null
    })
    const rdb = await save()
    const saved = (await openSnapshot({ rdb })).driver
    const keys = (await driver.send(["KEYS", "*"], { bytes: true })) as Buffer[]
    for (const key of [...keys, Buffer.from("none")]) {
      const commands = commandsFor(key)
      for (const bytes of [false, true]) {
        const [live, found] = [await driver.batch(commands, { bytes }), await saved.batch(commands, { bytes })]
        for (const [i, command] of commands.entries())
          expect(comparable(found[i]!, command), command.join(" ").slice(0, 80)).toEqual(comparable(live[i]!, command))
      }
      const type = String(await driver.send(["TYPE", key]))
      const scan = scans[type]
      if (scan !== undefined) expect(await allOf(saved, scan, key)).toEqual(await allOf(driver, scan, key))
    }
    expect(await saved.send(["DBSIZE"])).toBe(keys.length)
    await saved.close()
  })
})

describe("a file as a server", () => {
  const directory = mkdtempSync(join(tmpdir(), "keywright-snapshot-"))
  afterAll(() => rmSync(directory, { recursive: true }))
  const path = join(directory, "dump.rdb")
  const at = 1_600_000_000
  const write = (...parts: Buffer[]) => writeFileSync(path, w.rdb("REDIS0011", parts))

  it("keeps the time when it was written", async () => {
    const string = (key: string) => w.entry(0, key, w.string("v"))
    write(
      w.aux("ctime", String(at)),
      w.joined(w.expireMs(at * 1000), string("over")),
      w.joined(w.expireMs(at * 1000 + 500), string("ends")),
      w.joined(w.expireMs(at * 1000 + 60_999), string("minute")),
      string("always"),
    )
    const { driver, savedAtMs } = await openSnapshot({ rdb: path })
    expect(savedAtMs).toBe(at * 1000 + 999)
    expect(await driver.batch(["over", "ends", "minute", "always"].map((key) => ["PTTL", key]))).toEqual([
      -2, 1, 60_000, -1,
    ])
    expect(await driver.send(["EXISTS", "over", "ends", "minute", "always"])).toBe(3)
    expect(await driver.send(["SCAN", "0"])).toEqual(["0", ["ends", "minute", "always"]])
    await driver.close()
  })

  it("leaves out the fields of a hash that had expired", async () => {
    const pack = w.listpack(["f", 1, 0, "g", 2, BigInt(at * 1000), "h", 3, BigInt(at * 1000 + 500_000)])
    write(w.aux("ctime", String(at)), w.entry(23, "hash", w.string(pack)))
    const { driver } = await openSnapshot({ rdb: path })
    expect(await driver.send(["HGETALL", "hash"])).toEqual(["f", "1", "h", "3"])
    await driver.close()
  })

  it("gives many keys page by page, each once, and those that match", async () => {
    const names = Array.from({ length: 5000 }, (_, i) => `k:${i}`)
    write(...names.map((name) => w.entry(0, name, w.int8(1))), w.selectDb(3), w.entry(0, "k:1", w.int8(3)))
    const { driver } = await openSnapshot({ rdb: path })
    const walked = async (...options: string[]) => {
      const found: string[] = []
      let cursor = "0"
      do {
        const [next, keys] = (await driver.send(["SCAN", cursor, ...options, "COUNT", "300"])) as [string, string[]]
        found.push(...keys)
        cursor = next
      } while (cursor !== "0")
      return found
    }
    expect(await walked()).toEqual(names)
    expect(await walked("MATCH", "k:49?7")).toEqual(names.filter((name) => /^k:49.7$/.test(name)))
    const third = await driver.database(3)
    expect(await third.batch([["GET", "k:1"], ["GET", "k:2"], ["DBSIZE"]])).toEqual(["3", null, 1])
    expect(await (await driver.database(7)).batch([["GET", "k:1"], ["DBSIZE"], ["SCAN", "0"]])).toEqual([
      null,
      0,
      ["0", []],
    ])
    await driver.close()
  })

  it("has the whole of long strings where they are asked for", async () => {
    const [short, long, random] = ["x".repeat(1000), `${"a".repeat(3_000_000)}end`, "é".repeat(700_000)]
    const path = join(directory, "long.rdb")
    writeFileSync(
      path,
      w.rdb("REDIS0011", [
        w.entry(0, "short", w.string(short)),
        w.entry(0, "long", w.lzf(long)),
        w.entry(0, "raw", w.string(random)),
      ]),
    )
    const { driver } = await openSnapshot({ rdb: path })
    expect(await driver.send(["STRLEN", "long"])).toBe(3_000_003)
    expect(await driver.send(["GETRANGE", "long", "0", "5"])).toBe("aaaaaa")
    expect(await driver.send(["GETRANGE", "long", "-4", "-1"])).toBe("aend")
    expect(await driver.send(["GETRANGE", "long", "2999999", "3000001"])).toBe("aen")
    expect(await driver.send(["GET", "long"])).toBe(long)
    expect(await driver.send(["MGET", "short", "none", "long", "raw"])).toEqual([short, null, long, random])
    expect(await driver.send(["STRLEN", "raw"])).toBe(1_400_000)
    expect(await driver.send(["TYPE", "long"])).toBe("string")
    await driver.close()
  })

  it("is the file that was opened, also when another one takes its place", async () => {
    write(w.entry(0, "k", w.string("old")))
    const { driver } = await openSnapshot({ rdb: path })
    rmSync(path)
    write(w.entry(0, "longer key", w.string("new")))
    expect(
      await driver.batch([
        ["GET", "k"],
        ["SCAN", "0"],
      ]),
    ).toEqual(["old", ["0", ["k"]]])
    await driver.close()
  })

  it("refuses what writes, and what it does not know", async () => {
    write(w.entry(0, "k", w.string("v")))
    const { driver } = await openSnapshot({ rdb: path })
    const [set, get] = await driver.batch([
      ["SET", "k", "w"],
      ["GET", "k"],
    ])
    expect(set).toMatchObject({ code: "RDB.READ_ONLY" })
    expect(get).toBe("v")
    await expect(driver.send(["SUBSCRIBE", "c"])).rejects.toMatchObject({ code: "RDB.READ_ONLY" })
    const script = { name: "apply", source: "", sha1: "" }
    await expect(driver.run(script, [], [])).rejects.toMatchObject({ code: "RDB.READ_ONLY" })
    await driver.close()
  })

  it("says where a value is damaged that nobody had looked into before", async () => {
    const broken = w.listpack(["a", "b", "c"])
    const content = w.rdb("REDIS0011", [w.entry(0, "a", w.string("b")), w.entry(16, "hash", w.string(broken))])
    writeFileSync(path, content)
    const { driver } = await openSnapshot({ rdb: path })
    await expect(driver.send(["HGETALL", "hash"])).rejects.toMatchObject({
      code: "RDB.CORRUPT",
      details: { offset: expect.any(Number) },
    })
    await driver.close()
    writeFileSync(path, content.subarray(0, 20))
    await expect(openSnapshot({ rdb: path })).rejects.toMatchObject({ code: "RDB.TRUNCATED" })
  })

  it("with changed bytes is read or refused, by the audit too, but never crashes", async () => {
    const { content } = everyKind("REDIS0012")
    const pick = chance(7 * 7919 + 17)
    for (let round = 0; round < (isFull ? 300 : 30); round++) {
      const damaged = Buffer.from(content)
      for (let change = 0; change <= pick(4); change++) damaged[9 + pick(damaged.length - 17)] = pick(256)
      damaged.fill(0, damaged.length - 8) // No checksum: a server may be configured not to write one.
      writeFileSync(path, damaged)
      await audit(plaza as unknown as Keyspace, { rdb: path }, { databases: [3] }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(KeywrightError)
        expect((error as KeywrightError).code).toMatch(/^RDB\./)
        expect((error as KeywrightError).details?.["offset"]).toBeLessThanOrEqual(damaged.length)
      })
    }
  })
})
