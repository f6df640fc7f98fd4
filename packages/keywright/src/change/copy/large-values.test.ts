/* A page of keys with large values was read at once: a thousand values of a few megabytes each were more than the
 * process may hold, and it died. */

import { describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { countingDriver } from "../../driver/counting-driver.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { exportKeys } from "./export-keys.ts"

const KEYS = 300
/** All of what is read at once is held until it is written. */
const MOST = 45_000_000

describe.runIf(needs("redis-server"))("values that are large, and many", () => {
  const server = redisForSuite()

  it.each<[string, (key: string) => Command]>([
    ["strings", (key) => ["SET", key, "x".repeat(200_000)]],
    ["hashes", (key) => ["HSET", key, ...Array.from({ length: 20 }, (_, i) => [`f${i}`, "x".repeat(10_000)]).flat()]],
    ["streams", (key) => ["XADD", key, "*", "f", "x".repeat(200_000)]],
  ])("are not held all at once: %s", async (_, write) => {
    await server.driver.send(["FLUSHALL"])
    for (let i = 0; i < KEYS; i++) await server.driver.send(write(`k:${i}`))
    let held = 0
    let written = 0
    let longest = 0
    const source = countingDriver(server.driver, (characters) => (held += characters))
    const { keys } = await exportKeys(undefined, source, (text) => {
      written += text.length
      longest = Math.max(longest, text.length)
    })
    expect(keys).toBe(KEYS)
    expect(written).toBeGreaterThan(KEYS * 200_000)
    expect(held).toBeLessThan(MOST)
    expect(longest).toBeLessThan(MOST / 5)
  })
})
