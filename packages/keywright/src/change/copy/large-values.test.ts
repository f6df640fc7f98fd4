/* A page of keys with large values was read at once: a thousand values of a few megabytes each were more than the
 * process may hold, and it died. */

import { describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import type { Command, Driver, Reply } from "../../driver/driver.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { wrapDriver } from "../../driver/wrap-driver.ts"
import { exportKeys } from "./export-keys.ts"

const KEYS = 300
const MOST = 45_000_000
const lengthOf = (reply: Reply): number =>
  typeof reply === "string"
    ? reply.length
    : Array.isArray(reply)
      ? reply.reduce((sum, one) => sum + lengthOf(one), 0)
      : 0

/** Counts the characters of what is read of several keys at once: all of that is held until it is written. */
function counting(driver: Driver, count: (characters: number) => void): Driver {
  const again = (other: Driver): Driver => counting(other, count)
  return wrapDriver(driver, again, {
    send: (command, options) => driver.send(command, options),
    multi: (commands, options) => driver.multi(commands, options),
    batch: async (commands, options) => {
      const replies = await driver.batch(commands, options)
      if (commands.length > 2) count(lengthOf(replies))
      return replies
    },
  })
}

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
    const source = counting(server.driver, (characters) => (held += characters))
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
