/* A page of keys with large values was read at once: a thousand hashes of five megabytes took 2.6 GB. */

import { describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { countingDriver } from "../../driver/counting-driver.cases.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { text } from "../../schema/codec/text.ts"
import { int } from "../../schema/codec/number.ts"
import { map } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"

const KEYS = 300
const VALUE = "x".repeat(200_000)
const schema = keyspace({ large: map("large:{id}", text, text, { params: { id: int } }) }, { ttl: "never" })

describe.runIf(needs("redis-server"))("values that are large, and many", () => {
  const server = redisForSuite()

  it("are audited a few at a time, and each of them", async () => {
    for (let i = 0; i < KEYS; i++) await server.driver.send(["HSET", `large:${i}`, "f", VALUE])
    await server.driver.send(["PEXPIRE", "large:299", "100000"])
    let longest = 0
    const source = countingDriver(server.driver, (characters) => (longest = Math.max(longest, characters)))
    const { keys, findings } = await audit(schema, source)
    expect(keys).toBe(KEYS)
    expect(findings.map(({ code, key }) => [code, key])).toEqual([["TTL.UNEXPECTED", "large:299"]])
    expect(longest).toBeLessThan(10_000_000)
  })
})
