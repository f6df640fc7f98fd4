/* Servers whose cursors never end: nothing that walks over them runs for ever. And honest ones that give very many empty
 * pages: nothing that they hold is missed. */

import { describe, expect, it, test } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { startHostile } from "../../../../test/hostile-server.ts"
import { startRedis } from "../../../../test/real-redis.ts"
import { exportKeys } from "../change/copy/export-keys.ts"
import { connect } from "../client/connect.ts"
import { KeywrightError } from "../errors/error.ts"
import { audit } from "../inspect/audit/audit.ts"
import { infer } from "../inspect/infer/infer.ts"
import { stats } from "../inspect/stats/stats.ts"
import { walk } from "../inspect/walk/walk.ts"
import { text } from "../schema/codec/text.ts"
import { list, set, string } from "../schema/define.ts"
import { keyspace } from "../schema/keyspace.ts"
import type { Driver } from "./driver.ts"
import { openResp } from "./resp/open-resp.ts"
import { ScanCursor } from "./scan-cursor.ts"

const schema = keyspace(
  {
    name: string("name:{id}", text),
    tags: set("tags:{id}", text),
    log: list("log:{id}", text),
  },
  { ttl: "never" },
)

const bulk = (word: string): string => `$${Buffer.byteLength(word)}\r\n${word}\r\n`
const memory = bulk("# Memory\r\nused_memory:1048576\r\n")

/** Ever new cursors, each with what `page` says. */
function startEndless(page: (number: number) => readonly string[], others: (command: readonly string[]) => string) {
  let number = 0
  return startHostile((command) => {
    const [name = ""] = command
    if (name === "INFO") return memory
    if (name !== "SCAN" && name !== "SSCAN") return others(command)
    const elements = page(++number)
    return `*2\r\n${bulk(String(number * 2 ** 20))}*${elements.length}\r\n${elements.map(bulk).join("")}`
  })
}

/** A walk says how far it came, and what stopped it is the cause. */
const reasonOf = (error: unknown): unknown =>
  error instanceof KeywrightError && error.cause instanceof KeywrightError ? reasonOf(error.cause) : error

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no error",
    (error: unknown) => (reasonOf(error) as KeywrightError).code,
  )

describe("a server whose cursors are always new", () => {
  const WALKS: Readonly<Record<string, (driver: Driver) => Promise<unknown>>> = {
    audit: (driver) => audit(schema, driver),
    stats: (driver) => stats(schema, driver),
    "stats with a pattern": (driver) => stats(schema, driver, { match: "name:*" }),
    ...(isFull && {
      infer: (driver: Driver) => infer(driver),
      export: (driver: Driver) => exportKeys(schema, driver, () => undefined),
    }),
  }
  for (const [name, look] of Object.entries(WALKS))
    test.concurrent(`with empty pages does not keep ${name} busy for ever`, async () => {
      const server = await startEndless(
        () => [],
        () => ":0\r\n",
      )
      const driver = openResp(server.url)
      expect(await codeOf(look(driver))).toBe("DRIVER.CURSOR")
      await driver.close()
      await server.close()
    })

  test.concurrent("does not keep the scans of an application busy for ever, of keys and of a key", async () => {
    const server = await startEndless(
      () => [],
      () => ":0\r\n",
    )
    const db = await connect(schema, server.url)
    const all = async (found: AsyncIterable<unknown>) => {
      for await (const _ of found);
    }
    expect(await codeOf(all(db.name.scan()))).toBe("DRIVER.CURSOR")
    const members = db.tags({ id: "1" }).scan({ pageSize: 5000 })
    const error = await all(members).catch((error: unknown) => error as KeywrightError)
    expect(error).toMatchObject({
      code: "DRIVER.CURSOR",
      why: expect.stringContaining(server.url.slice("redis://".length)) as string,
      fix: expect.stringContaining("Check what listens at this address") as string,
    })
    await db.$close()
    await server.close()
  })

  test.concurrent("with keys on every page is not walked for ever either", async () => {
    const server = await startEndless(
      (page) => Array.from({ length: 1000 }, (_, i) => `name:${page}-${i}`),
      () => ":0\r\n",
    )
    const driver = openResp(server.url)
    const look = walk([{ db: 0, driver, keys: [] }], { page: 10_000 }, async () => undefined)
    expect(await codeOf(look)).toBe("DRIVER.CURSOR")
    await driver.close()
    await server.close()
  })
})

describe("what a server may be asked for", () => {
  /** As many pages of 1000 as are needed to get to this number of elements. */
  async function asked(elements: number, info: string | Error): Promise<void> {
    const driver = {
      label: "a server",
      primaries: () => Promise.resolve([driver]),
      send: () => (typeof info === "string" ? Promise.resolve(info) : Promise.reject(info)),
    } as unknown as Driver
    const cursor = new ScanCursor("SCAN")
    for (let at = 1; at <= 1000; at++) cursor.advance(at, elements / 1000)
    if (cursor.isLong) await cursor.requireRoom(driver)
  }
  const uses = (bytes: number) => `used_memory:${bytes}\r\nused_memory_rss:1\r\n`

  it("is as many elements as it has bytes of memory, from a few millions on", async () => {
    await asked(8e6, uses(1000))
    await expect(asked(9e6, uses(1000))).rejects.toMatchObject({
      code: "DRIVER.CURSOR",
    })
    await asked(9e8, uses(1e9))
    await expect(asked(1.1e9, uses(1e9))).rejects.toMatchObject({
      code: "DRIVER.CURSOR",
    })
  })

  it("has an end, whatever it says of its memory, and when it says nothing", async () => {
    await asked(4e9, uses(1e15))
    await expect(asked(5e9, uses(1e15))).rejects.toMatchObject({
      code: "DRIVER.CURSOR",
    })
    await asked(1e9, new Error("NOPERM"))
    for (const nothing of [new Error("NOPERM"), "", "used_memory:a lot"])
      await expect(asked(1.1e9, nothing)).rejects.toMatchObject({
        code: "DRIVER.CURSOR",
      })
  })
})

describe.runIf(needs("redis-server"))("a server whose tables are nearly empty", () => {
  it("is walked to its end: keys, and the members of a set", async () => {
    // Redis does not shrink tables while a child process saves: 400,000 places are left for three keys.
    const redis = await startRedis({
      args: ["--rdb-key-save-delay", "10000000"],
    })
    const driver = openResp(redis.url)
    const numbers = (from: number) => Array.from({ length: 10_000 }, (_, i) => String(from + i))
    for (let from = 0; from < 300_000; from += 10_000) {
      await driver.send(["MSET", ...numbers(from).flatMap((id) => [`name:${id}`, "x"])])
      await driver.send(["SADD", "tags:1", ...numbers(from).map((id) => `m${id}`)])
    }
    await driver.send(["BGSAVE"])
    for (let from = 0; from < 300_000; from += 10_000) {
      await driver.send(["DEL", ...numbers(from).flatMap((id) => (id === "7" ? [] : [`name:${id}`]))])
      await driver.send(["SREM", "tags:1", ...numbers(from).flatMap((id) => (id === "8" ? [] : [`m${id}`]))])
    }
    const found: unknown[] = []
    let pages = 0
    await walk([{ db: 0, driver, keys: [] }], { page: 10 }, async ({ keys }) => {
      pages++
      found.push(...keys)
    })
    expect(found.sort()).toEqual(["name:7", "tags:1"])
    // It really was a table with many more places than keys.
    expect(pages).toBeGreaterThan(1000)
    const db = await connect(schema, redis.url)
    const members: string[] = []
    for await (const member of db.tags({ id: "1" }).scan({ pageSize: 10 })) members.push(member)
    expect(members).toEqual(["m8"])
    await db.$close()
    await driver.close()
    await redis.stop()
  })
})
