/* A source that is not what it says: it must not be able to do more to the target than to give it wrong data. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { map } from "../../schema/define.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { badHash, goodString, moduleValue } from "../copy/dumps.cases.ts"
import { exportKeys } from "../copy/export-keys.ts"
import { LargeKey } from "../copy/large-key.ts"
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
    expect(await copy("other:1", moduleValue(), { foreign: true, modules: true })).toBe("COPY.INTERRUPTED")
    expect(await restored()).toBe(true)
  })

  it("is refused at both places that send RESTORE, whoever calls them", async () => {
    const part = { type: "other" as const, elements: [badHash()] }
    const whole = writeKeys(to, [{ key: "k", part, pexpireat: undefined, mode: "overwrite" }])
    await expect(whole).rejects.toMatchObject({ code: "COPY.UNRESTORABLE" })
    await expect(new LargeKey(to, "k", "other").add(part)).rejects.toMatchObject({ code: "COPY.UNRESTORABLE" })
    expect(await restored()).toBe(false)
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
