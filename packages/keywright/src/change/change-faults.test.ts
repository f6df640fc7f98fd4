/* Trouble while data is copied and changed: a server that stops or goes away, values of
 * every size and sort, keys that vanish. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { runCli } from "../cli/run-cli.cases.ts"
import { onAnyServer } from "../client/servers.cases.ts"
import type { Command, Driver } from "../driver/driver.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { audit } from "../inspect/audit/audit.ts"
import { inspectKey } from "../inspect/model/inspect-key.ts"
import { stats } from "../inspect/stats/stats.ts"
import { patient } from "../inspect/walk/patient.ts"
import { bytes } from "../schema/codec/bytes.ts"
import { json } from "../schema/codec/json.ts"
import { text } from "../schema/codec/text.ts"
import { list, set, string } from "../schema/define.ts"
import { entity } from "../schema/entity.ts"
import { toJson } from "../schema/json/to-json.ts"
import { keyspace, type Keyspace } from "../schema/keyspace.ts"
import * as z from "zod"
import { applyRepair, undoRepair } from "./carry-out/carry-out.ts"
import { exportKeys } from "./copy/export-keys.ts"
import { importKeys } from "./copy/import-keys.ts"
import { readValueParts } from "./copy/key-value.ts"
import { planPurge } from "./make-plan/plan-purge.ts"
import { planRepair } from "./make-plan/plan-repair.ts"

const space = keyspace(
  {
    dish: entity("dish:{id}", json(z.object({ id: z.string(), kind: z.string() })), {
      counter: "dish:counter",
      all: "dish:list",
      index: { kind: "dish:kind:{kind}" },
    }),
    blob: string("blob:{n}", bytes),
    log: list("log:{n}", text),
    tags: set("tags:{n}", text),
  },
  { name: "faults", ttl: "never" },
) as unknown as Keyspace

const folder = mkdtempSync(join(tmpdir(), "keywright-faults-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = (name: string) => join(folder, `${files++}-${name}`)

const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i))
const codeOf = (error: unknown) => (error as { code?: string }).code

async function fill(driver: Driver, dishes: number): Promise<void> {
  const ids = numbers(dishes).map((n) => String(Number(n) + 1))
  await driver.batch([
    ["SET", "dish:counter", String(dishes)],
    ["SADD", "dish:list", ...ids],
    ["SADD", "dish:kind:k", ...ids],
    ...ids.map((id): Command => ["SET", `dish:${id}`, `{"id":"${id}","kind":"k"}`]),
  ])
}

describe.runIf(needs("redis-server"))("a server that stops answering", { timeout: 60_000 }, () => {
  let redis: RealRedis
  let driver: Driver
  beforeEach(async () => {
    redis = await startRedis()
    driver = openResp(redis.url)
    await fill(driver, 5000)
  })
  afterEach(async () => {
    redis.resume()
    await driver.close()
    await redis.stop()
  })
  const digest = async () => (await exportKeys(space, driver, () => undefined)).patterns
  /** Stops the server the first time it is called. */
  const pausing = () => {
    let isPaused = false
    return () => {
      if (!isPaused) redis.pause()
      isPaused = true
    }
  }

  it("interrupts an export, which continues when it is back", async () => {
    const expected = await digest()
    const file = newFile("export.ndjson")
    const onProgress = pausing()
    const options = { page: 50, rate: 20_000 }
    const stopped = exportKeys(space, driver, { file }, { ...options, timeoutMs: 400, onProgress })
    expect(await stopped.catch(codeOf)).toBe("EXPORT.INTERRUPTED")
    expect(existsSync(`${file}.progress`)).toBe(true)
    redis.resume()
    const result = await exportKeys(space, driver, { file }, options)
    expect(result).toMatchObject({ resumed: true, patterns: expected })
  })

  it("interrupts an export, which begins again when it was restarted, since its place is that of another process", async () => {
    const expected = await digest()
    const file = newFile("restarted.ndjson")
    const options = { page: 50, rate: 20_000 }
    await driver.send(["SAVE"])
    const stopped = exportKeys(space, driver, { file }, { ...options, timeoutMs: 400, onProgress: pausing() })
    expect(await stopped.catch(codeOf)).toBe("EXPORT.INTERRUPTED")
    await redis.restart()
    const result = await exportKeys(space, driver, { file }, options)
    expect(result).toMatchObject({ resumed: false, patterns: expected })
  })

  it("is restarted while a very large set is read, which is read again", async () => {
    for (let from = 0; from < 120_000; from += 10_000)
      await driver.send(["SADD", "tags:1", ...numbers(10_000).map((n) => `m${from + Number(n)}`)])
    await driver.send(["SAVE"])
    const members = new Set<unknown>()
    let parts = 0
    for await (const { elements } of readValueParts(patient(driver, 10_000), "tags:1", "set")) {
      if (++parts === 5) await redis.restart()
      for (const member of elements) members.add(member)
    }
    expect(members.size).toBe(120_000)
  })

  it("has members of a very large set that differ in their encoding alone, and both are read", async () => {
    for (let from = 0; from < 110_000; from += 10_000)
      await driver.send(["SADD", "tags:1", ...numbers(10_000).map((n) => `m${from + Number(n)}`)])
    await driver.send(["SADD", "tags:1", "José", Buffer.from("José", "latin1")])
    let count = 0
    for await (const { elements } of readValueParts(driver, "tags:1", "set")) count += elements.length
    expect(count).toBe(110_002)
  })

  it.each<[string, (from: number) => Command, Command]>([
    ["list", (from) => ["RPUSH", "big", ...numbers(500).map((n) => `m${from + Number(n)}`)], ["LPOP", "big", "100"]],
    ["zset", (from) => zadd(from), ["ZPOPMIN", "big", "100"]],
  ])("loses nothing of a %s that others take from while it is read", async (type, write, take) => {
    const size = type === "zset" ? 110_000 : 30_000
    for (let from = 0; from < size; from += 500) await driver.send(write(from))
    const members = new Set<unknown>()
    let taken = 0
    for await (const { elements } of readValueParts(driver, "big", type as "list" | "zset")) {
      for (const member of elements) members.add(member)
      await driver.send(take)
      taken += 100
    }
    for (let i = taken; i < size; i++) if (!members.has(`m${i}`)) throw new Error(`m${i} is missing`)
  })

  const zadd = (from: number): Command => [
    "ZADD",
    "big",
    ...numbers(500).flatMap((n) => [String(from + Number(n)), `m${from + Number(n)}`]),
  ]

  it("says so where a list that does not fit into memory is changed while it is read", async () => {
    for (let from = 0; from < 11_000; from += 500)
      await driver.send(["RPUSH", "big", ...numbers(500).map((n) => `${from + Number(n)}`.padEnd(4000))])
    const readAll = async (meanwhile: Command) => {
      let count = 0
      for await (const { elements } of readValueParts(driver, "big", "list")) {
        if (count === 0) await driver.send(meanwhile)
        count += elements.length
      }
      return count
    }
    expect(await readAll(["RPUSH", "big", "one more"])).toBe(11_001)
    expect(await readAll(["LPOP", "big"]).catch(codeOf)).toBe("INSPECT.LIST_CHANGING")
  })

  it("interrupts an import, which continues when it is back", async () => {
    const expected = await digest()
    const file = newFile("import.ndjson")
    await exportKeys(space, driver, { file })
    await driver.send(["FLUSHALL"])
    const stopped = importKeys(space, driver, { file }, { timeoutMs: 400, onProgress: pausing() })
    expect(await stopped.catch(codeOf)).toBe("IMPORT.INTERRUPTED")
    redis.resume()
    expect(await importKeys(space, driver, { file })).toMatchObject({ resumed: true, different: 0, skipped: 0 })
    expect(await digest()).toEqual(expected)
  })

  it("interrupts a repair, which continues when it is back, and can be taken back", async () => {
    const ghosts = numbers(40_000).map((n) => `ghost${n}`)
    const expected = await digest()
    for (let at = 0; at < ghosts.length; at += 10_000)
      await driver.send(["SADD", "dish:kind:k", ...ghosts.slice(at, at + 10_000)])
    const damaged = await digest()
    const { findings } = await audit(space, driver)
    const plan = await planRepair(findings, space, driver)
    const journal = newFile("journal")
    const impatient = openResp(redis.url, { timeoutMs: 400 })
    const stopped = applyRepair(plan, impatient, { journal, onProgress: pausing() })
    expect(await stopped.catch(codeOf)).toBe("CHANGE.INTERRUPTED")
    redis.resume()
    const report = await applyRepair(plan, driver, { journal })
    expect(report).toMatchObject({ done: ghosts.length, skipped: 0, refused: 0 })
    expect(await digest()).toEqual(expected)
    await undoRepair(plan, driver, { done: report.outcomes.map((outcome) => outcome === "done") })
    expect(await digest()).toEqual(damaged)
    await impatient.close()
  })

  it("makes the command line exit with 4, or with 3 when it never answered", async () => {
    redis.pause()
    const schema = newFile("schema.json")
    writeFileSync(schema, JSON.stringify(toJson(space)))
    const args = ["export", "--schema", schema, "--url", redis.url, "--out", newFile("cli.ndjson"), "--json"]
    const never = await runCli(args)
    expect(never.code).toBe(3)
    redis.resume()
    const walking = runCli([...args, "--rate", "2000", "--timeout", "1"])
    while (!/cmdstat_scan:calls=([2-9]|\d\d)/.test(String(await driver.send(["INFO", "commandstats"])))) continue
    redis.pause()
    const { code, stdout } = await walking
    expect({ code, error: (JSON.parse(stdout) as { error: { code: string } }).error.code }).toEqual({
      code: 4,
      error: "EXPORT.INTERRUPTED",
    })
  })

  it("that goes away ends each of them with a typed error", async () => {
    const file = newFile("gone.ndjson")
    await exportKeys(space, driver, { file })
    const { findings } = await audit(space, driver)
    await driver.send(["SADD", "dish:kind:k", "ghost"])
    const plan = await planRepair([...findings, ...(await audit(space, driver)).findings], space, driver)
    await redis.kill9()
    const gone = openResp(redis.url, { timeoutMs: 300, connectTimeoutMs: 300 })
    expect(await exportKeys(space, gone, { file: newFile("no") }, { timeoutMs: 300 }).catch(codeOf)).toBe(
      "EXPORT.INTERRUPTED",
    )
    expect(await importKeys(space, gone, { file }, { timeoutMs: 300 }).catch(codeOf)).toBe("IMPORT.INTERRUPTED")
    expect(await applyRepair(plan, gone).catch(codeOf)).toBe("CHANGE.INTERRUPTED")
    await gone.close()
  })
})

onAnyServer("data of every size and sort", (server) => {
  it("is copied: a value of very many bytes, a set of very many members, keys that are not text", async () => {
    const { driver } = server()
    const binary = Buffer.from([0xff, 0, 10, 0xc3, 0x28])
    const size = isFull ? 50_000_000 : 5_000_000
    const members = isFull ? 1_000_000 : 30_000
    await driver.batch([
      ["SETRANGE", "blob:1", String(size), "x"],
      ["SET", binary, "by bytes"],
      ["SADD", Buffer.concat([binary, Buffer.from(":set")]), binary, "a"],
    ])
    for (let at = 0; at < members; at += 10_000)
      await driver.send(["SADD", "tags:1", ...numbers(10_000).map((n) => `m${at + Number(n)}`)])
    const found = await stats(space, driver)
    expect(found.keys).toBe(4)
    expect((await audit(space, driver, { valueBytes: 1_000_000 })).summary).toEqual({
      "VALUE.TOO_LARGE": 1,
      "KEY.UNKNOWN": 2,
    })
    expect(await inspectKey(space, driver, "blob:1")).toMatchObject({ type: "string", length: size + 1, cut: true })
    expect(await inspectKey(space, driver, "tags:1")).toMatchObject({ type: "set", length: members, cut: true })
    const file = newFile("sizes.ndjson")
    const exported = await exportKeys(space, driver, { file })
    expect(exported.keys).toBe(4)
    await driver.send(["FLUSHALL"])
    const imported = await importKeys(space, driver, { file }, { foreign: "import" })
    expect(imported).toMatchObject({ written: 4, different: 0 })
    expect((await exportKeys(space, driver, () => undefined)).patterns).toEqual(exported.patterns)
    const purge = await planPurge(space, driver, { unknown: true })
    expect(await applyRepair(purge, driver)).toMatchObject({ done: 2, refused: 0 })
    expect((await server().keys()).sort()).toEqual(["blob:1", "tags:1"])
  }, 300_000)

  it("is exported as it is, where the schema says another type", async () => {
    const { driver } = server()
    await driver.batch([
      ["SET", "log:1", "a string"],
      ["HSET", "tags:1", "f", "v"],
      ["RPUSH", "blob:1", "a"],
      ["ZADD", "dish:1", "1", "a"],
    ])
    let lines = ""
    await exportKeys(space, driver, (more) => void (lines += more))
    const types = lines
      .trim()
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line) as { key: string; type: string })
    expect(Object.fromEntries(types.map(({ key, type }) => [key, type]))).toEqual({
      "log:1": "string",
      "tags:1": "hash",
      "blob:1": "list",
      "dish:1": "zset",
    })
  })

  it("may vanish or change its type while it is exported, purged and repaired", async () => {
    const { driver } = server()
    await fill(driver, 2000)
    for (let n = 0; n < 5; n++) await driver.send(["SADD", `tags:${n}`, ...numbers(20_000)])
    await driver.send(["SADD", "dish:kind:k", ...numbers(50).map((n) => `ghost${n}`)])
    const { findings } = await audit(space, driver)
    const plan = await planRepair(findings, space, driver)
    const purge = await planPurge(space, driver, { only: ["dish", "tags"] })
    let at = 0
    const { keys } = await exportKeys(
      space,
      driver,
      async () => {
        const ids = numbers(100).map((n) => `dish:${at + Number(n)}`)
        at += 100
        await driver.batch([
          ["UNLINK", ...ids, `tags:${at % 5}`],
          ["SET", `tags:${(at + 1) % 5}`, "a string now"],
        ])
      },
      { page: 100 },
    )
    expect(keys).toBeGreaterThan(0)
    await driver.send(["DEL", "dish:kind:k"])
    await driver.send(["SET", "dish:kind:k", "a string now"])
    expect(await applyRepair(plan, driver)).toMatchObject({ done: 0, skipped: 50, refused: 0 })
    const purged = await applyRepair(purge, driver)
    expect(purged.done + purged.skipped + purged.already + purged.refused).toBe(purge.actions.length)
    expect(purged.skipped).toBeGreaterThan(0)
  })
})
