/* A source that is not what it says: it must not be able to do more to the target than to give it wrong data. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as z from "zod"
import { type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { KeywrightError } from "../../errors/error.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { map, zset } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { badHash, goodString, moduleValue } from "../copy/dumps.cases.ts"
import { exportKeys } from "../copy/export-keys.ts"
import type { ValuePart } from "../copy/key-value.ts"
import { LargeKey } from "../copy/large-key.ts"
import { streamEnd } from "../copy/stream-end.ts"
import { writeKeys } from "../copy/write-keys.ts"
import { copyKeys, type CopyOptions } from "./copy-keys.ts"

const shop = keyspace({ cart: map("cart:{token}", text, int) }, { ttl: "never" }) as Keyspace

const bulk = (word: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`$${Buffer.byteLength(word)}\r\n`), Buffer.from(word), Buffer.from("\r\n")])
const list = (...words: readonly string[]): string => `*${words.length}\r\n${words.map(bulk).join("")}`

/** It has one key, of a type that it made up. */
const startUnknownType = (key: string, dump: Buffer): Promise<HostileServer> =>
  startHostile(([name = ""]) => {
    switch (name) {
      case "DBSIZE":
      case "EXISTS":
        return ":1\r\n"
      case "INFO":
        return bulk("# Memory\r\nused_memory:1048576\r\n")
      case "SCAN":
        return `*2\r\n${bulk("0")}${list(key)}`
      case "TYPE":
        return "+evil\r\n"
      case "PEXPIRETIME":
        return ":-1\r\n"
      case "DUMP":
        return bulk(dump)
      default:
        return "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"
    }
  })

describe.runIf(needs("redis-server"))("a source that makes up a type", () => {
  let target: RealRedis
  let to: Driver
  beforeAll(async () => {
    target = await startRedis()
    to = openResp(target.url)
  })
  beforeEach(() => to.send(["CONFIG", "RESETSTAT"]))
  afterAll(async () => {
    await to?.close()
    await target?.stop()
  })

  async function copy(key: string, dump: Buffer, options: CopyOptions = {}): Promise<unknown> {
    await to.send(["FLUSHALL"])
    const server = await startUnknownType(key, dump)
    const from = openResp(server.url)
    const outcome = await copyKeys(shop, from, to, options).then(
      () => "copied",
      (error: { code: string }) => error.code,
    )
    await from.close()
    await server.close()
    return outcome
  }
  const restored = async () => String(await to.send(["INFO", "commandstats"])).includes("cmdstat_restore:")

  for (const [what, dump] of Object.entries({ "a broken hash": badHash(), "a string": goodString() }))
    it(`does not have ${what} restored on the target`, async () => {
      for (const options of [{}, { foreign: true }, { foreign: true, modules: true }])
        expect([options, await copy("cart:t1", dump, options)]).toEqual([options, "COPY.UNKNOWN_TYPE"])
      expect(await copy("other:1", dump)).toBe("copied")
      expect(await copy("other:1", dump, { foreign: true })).toBe("COPY.UNKNOWN_TYPE")
      expect(await copy("other:1", dump, { foreign: true, modules: true })).toBe("COPY.UNRESTORABLE")
      expect(await restored()).toBe(false)
      expect(await to.send(["KEYS", "*:*1"])).toEqual([])
    })

  it("has a value of a module restored where that is asked for, of a key that no pattern owns", async () => {
    expect(await copy("other:1", moduleValue(), { foreign: true })).toBe("COPY.UNKNOWN_TYPE")
    expect(await copy("cart:t1", moduleValue(), { foreign: true, modules: true })).toBe("COPY.UNKNOWN_TYPE")
    expect(await restored()).toBe(false)
    // This server does not have the module, and says so.
    expect(await copy("other:1", moduleValue(), { foreign: true, modules: true })).toBe("COPY.FAILED")
    expect(await restored()).toBe(true)
  })

  it("is refused at both places that send RESTORE, whatever calls them", async () => {
    const part = { type: "other" as const, elements: [badHash()] }
    const whole = writeKeys(to, [{ key: "k", part, pexpireat: undefined, mode: "overwrite" }])
    await expect(whole).rejects.toMatchObject({ code: "COPY.UNRESTORABLE" })
    await expect(new LargeKey(to, "k", "other").add(part)).rejects.toMatchObject({ code: "COPY.UNRESTORABLE" })
    expect(await restored()).toBe(false)
  })

  it.each<[string, ValuePart]>([
    ["a word of ZADD as a score", { type: "zset", elements: ["a", "CH"] }],
    ["a score beyond all", { type: "zset", elements: ["a", "1e400"] }],
    ["nothing as a score", { type: "zset", elements: ["a", ""] }],
    ["a word of XADD as an id", { type: "stream", elements: [["NOMKSTREAM", ["f", "v"]]] }],
    ["an id that the target chooses", { type: "stream", elements: [["*", ["f", "v"]]] }],
    ["a field without a value", { type: "stream", elements: [["1-1", ["f"]]] }],
    ["ids that do not ascend", { type: "stream", elements: ["2-1", "1-1"].map((id) => [id, ["f", "v"]]) }],
    [
      "a last id before its entries",
      { type: "stream", elements: [["2-1", ["f", "v"]]], end: { lastId: "1-1", groups: [] } },
    ],
    ["a last id in another form", { type: "stream", elements: [], end: { lastId: "$", groups: [] } }],
  ])("cannot have %s written", async (_, part) => {
    const malformed = { code: "COPY.MALFORMED" }
    const whole = writeKeys(to, [{ key: "k", part, pexpireat: undefined, mode: "overwrite" }])
    await expect(whole).rejects.toMatchObject(malformed)
    await expect(new LargeKey(to, "k", part.type).add(part)).rejects.toMatchObject(malformed)
    expect(await to.send(["EXISTS", "k"])).toBe(0)
  })

  it("does not get its bytes into an export: the line says that it cannot be read", async () => {
    const server = await startUnknownType("cart:t1", badHash())
    const from = openResp(server.url)
    let written = ""
    const result = await exportKeys(shop, from, (some) => void (written += some))
    expect(result).toMatchObject({ keys: 1, unreadable: 1 })
    expect(JSON.parse(written.split("\n")[1]!)).toEqual({
      db: 0,
      key: "cart:t1",
      type: "other",
      unreadable: expect.stringContaining("unknown type") as string,
    })
    await from.close()
    await server.close()
  })
})

it("a source that makes up a score adds no line to an export, and no control character", async () => {
  const score = '1"]],"digest":"0"}\n{"db":0,"key":"forged","type":"string","value":"\u001b[2J"}\n'
  const server = await startHostile(([name = ""]) => {
    if (name === "DBSIZE") return ":1\r\n"
    if (name === "INFO") return bulk("# Memory\r\nused_memory:1048576\r\n")
    if (name === "SCAN") return `*2\r\n${bulk("0")}${list("top")}`
    if (name === "PEXPIRETIME") return ":-1\r\n"
    return name === "ZRANGE" ? list("member", score) : "-ERR no\r\n"
  })
  const from = openResp(server.url)
  let written = ""
  const board = keyspace({ top: zset("top", text) }, { ttl: "never" }) as Keyspace
  await exportKeys(board, from, (some) => void (written += some))
  const lines = written.trimEnd().split("\n")
  expect(lines).toHaveLength(3)
  expect(JSON.parse(lines[1]!)).toMatchObject({ key: "top", value: [["member", score]] })
  expect(written).not.toContain("\u001b")
  await from.close()
  await server.close()
})

describe.runIf(needs("redis-server"))("a source whose notes on expiry never end", () => {
  const sessions = keyspace({
    session: entity("session:{id}", json(z.object({ id: z.string(), user: z.string() })), {
      ttl: "1h",
      index: { user: "session:user:{user}" },
    }),
  }) as Keyspace
  const KEY = "keywright:expiry:session:{id}"
  let target: RealRedis
  let to: Driver
  beforeAll(async () => {
    target = await startRedis()
    to = openResp(target.url)
  })
  afterAll(async () => {
    await to?.close()
    await target?.stop()
  })

  /** Every page is full, with notes that were not there before. */
  async function copy(count: number, options: CopyOptions, onPage: () => void = () => undefined): Promise<unknown> {
    await to.send(["FLUSHALL"])
    const server = await startHostile(([name = "", , from]) => {
      switch (name) {
        case "DBSIZE":
          return ":1\r\n"
        case "INFO":
          return bulk("# Memory\r\nused_memory:1048576\r\n")
        case "SCAN":
          return `*2\r\n${bulk("0")}${list(KEY)}`
        case "ZCARD":
          return `:${count}\r\n`
        case "ZRANGE":
          onPage()
          return list(
            ...Array.from({ length: 2000 }, (_, i) =>
              i % 2 === 0 ? `${Number(from) + i / 2}\tuser=ann` : "9994899000000",
            ),
          )
        default:
          return ":0\r\n"
      }
    })
    const from = openResp(server.url)
    const outcome = await copyKeys(sessions, from, to, { rounds: 1, ...options }).then(
      () => "copied",
      (error: KeywrightError) => [error.code, reasonOf(error)],
    )
    await from.close()
    await server.close()
    return outcome
  }
  const reasonOf = (error: unknown): unknown =>
    error instanceof KeywrightError ? (error.cause instanceof Error ? reasonOf(error.cause) : error.code) : error

  it("has no more of them copied than it says that there are", async () => {
    expect(await copy(1500, {})).toBe("copied")
    expect(await to.send(["ZCARD", KEY])).toBe(2000)
  })

  it("is given up before the first when it says that there are more than it can hold", async () => {
    expect(await copy(2 ** 50, {})).toEqual(["COPY.INTERRUPTED", "DRIVER.CURSOR"])
    expect(await to.send(["EXISTS", KEY])).toBe(0)
  })

  it("is left when the copy is stopped, and asked no more often than the rate allows", async () => {
    const stopping = new AbortController()
    const stopped = new Error("stopped")
    let pages = 0
    const stop = () => void (++pages === 3 && stopping.abort(stopped))
    expect(await copy(2 ** 22, { signal: stopping.signal }, stop)).toEqual(["COPY.INTERRUPTED", expect.anything()])
    expect(pages).toBe(3)
    // A thousand notes at one a second take longer than any test: it waits, and is stopped while it does.
    const waiting = new AbortController()
    let asked = 0
    const first = () => void (asked++, setTimeout(() => waiting.abort(stopped), 200))
    expect(await copy(2 ** 22, { rate: 1, signal: waiting.signal }, first)).toEqual([
      "COPY.INTERRUPTED",
      expect.anything(),
    ])
    expect(asked).toBe(1)
  })
})

describe("a source whose stream has pending entries without end", () => {
  it("is given up", async () => {
    const entry = (_: unknown, i: number) => `*4\r\n${bulk(`1-${i}`)}${bulk("c")}:1\r\n:1\r\n`
    const page = `*1000\r\n${Array.from({ length: 1000 }, entry).join("")}`
    const server = await startHostile(([name = ""]) => {
      if (name === "INFO") return bulk("# Memory\r\nused_memory:1048576\r\n")
      if (name === "XINFO")
        return `*4\r\n${bulk("last-generated-id")}${bulk("9-9")}${bulk("groups")}*1\r\n*6\r\n${bulk("name")}${bulk("g")}${bulk("last-delivered-id")}${bulk("9-9")}${bulk("consumers")}*0\r\n`
      return name === "XPENDING" ? page : "*0\r\n"
    })
    const driver = openResp(server.url)
    await expect(streamEnd(driver, "log")).rejects.toMatchObject({ code: "DRIVER.CURSOR" })
    await driver.close()
    await server.close()
  })
})
