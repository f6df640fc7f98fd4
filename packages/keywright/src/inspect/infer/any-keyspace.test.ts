/* Whatever is on a server: infer gives a schema that fits together, and audit by it finds
 * nothing but what was reported as not explained. Keyspaces at random, by a seed. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { schemaSource } from "../../render/schema-source.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit.ts"
import { infer } from "./infer.ts"

const KEYSPACES = process.env["KEYWRIGHT_FULL"] ? 100 : 20

/** The same numbers for the same seed. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2654435761
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const WORDS =
  "user order cart item session cache list counter index name alpha beta v1 oauth2 constructor __proto__ Ünï".split(" ")
const SIGNS = [":", ":", ":", "_", "-", ".", "/", "|", "::", "#"]

function atom(below: (n: number) => number): string {
  const n = below(60)
  const hex = (below(2 ** 30) * 4 + 1).toString(16).padStart(8, "0")
  return [
    () => String(n),
    () => String(n * 7919),
    () => `${hex}-${hex.slice(4)}-4${hex.slice(5)}-8${hex.slice(5)}-${hex}${hex.slice(4)}`,
    () => hex + hex + hex,
    () => Buffer.from(hex + hex + hex).toString("base64"),
    () => `2026-01-${String((n % 28) + 1).padStart(2, "0")}`,
    () => `2026-${String((n % 12) + 1).padStart(2, "0")}`,
    () => `202601${String((n % 28) + 1).padStart(2, "0")}`,
    () => `u${n}@example.com`,
    () => `10.0.0.${n}`,
    () => WORDS[n % WORDS.length]!,
    () => `${WORDS[n % 10]}-${WORDS[(n * 7) % 10]}-${n}`,
    () => `{${n}}`,
    () => `a b ${n}`,
    () => `x*${n}?`,
    () => `00${n}`,
    () => "",
  ][below(17)]!()
}

function value(below: (n: number) => number): string | Buffer {
  const n = below(1000)
  return [
    () => String(n),
    () => String(n / 8),
    () => String(1_760_000_000 + n),
    () => JSON.stringify({ id: n, tags: ["a"], deep: { x: n % 2 ? null : n } }),
    () => JSON.stringify([n, "x", null]),
    () => `"quoted ${n}"`,
    () => `{broken ${n}`,
    () => `${n},${n},${n}`,
    () => `${n}|2026-01-01|x`,
    () => Buffer.from([0xac, 0xed, 0x00, 0x05, n % 256, 0xff]),
    () => Buffer.from([0x1f, 0x8b, n % 256]),
    () => "",
    () => `text with spaces ${n}`,
    () => "2026-01-05T10:00:00.000Z",
    () => "inf",
    () => "x".repeat(n * 30),
  ][below(16)]!()
}

function keyspaceOf(seed: number): Command[] {
  const below = chance(seed)
  const commands: Command[] = []
  for (let pattern = 0; pattern < 2 + below(8); pattern++) {
    const parts = Array.from({ length: 1 + below(4) }, () => (below(2) ? WORDS[below(WORDS.length)]! : undefined))
    const sign = SIGNS[below(SIGNS.length)]!
    const own = 1 + below(3)
    const kind = below(6)
    const shape = below(1000)
    for (let n = 0; n < 1 + below(40); n++) {
      // Atoms of one pattern are mostly of one kind.
      const same = chance(shape * 31 + own)
      const key = parts
        .map((part) => part ?? (below(20) ? atom((limit) => (limit === 17 ? same(17) : below(limit))) : atom(below)))
        .join(sign)
      const one = () => (below(15) ? value((limit) => (limit === 16 ? same(16) : below(limit))) : value(below))
      if (key === "") continue
      const ttl: Command[] = shape % 3 === 0 && below(10) ? [["PEXPIRE", key, String(3_500_000 - below(1000))]] : []
      commands.push(
        (
          [
            ["SET", key, one()],
            ["HSET", key, "name", one(), "at", one(), ...(below(3) ? [] : [`f${below(50)}`, one()])],
            ["SADD", key, one(), one()],
            ["ZADD", key, String(below(100)), one(), below(20) ? "1.5" : "inf", one()],
            ["RPUSH", key, one(), one()],
            ["XADD", key, "*", "level", one(), "text", one()],
          ] as Command[]
        )[below(30) ? kind : below(6)]!,
        ...ttl,
      )
    }
  }
  return commands
}

describe.runIf(needs("redis-server"))("any keyspace", { timeout: 300_000 }, () => {
  let redis: RealRedis
  let driver: Driver
  beforeAll(async () => {
    redis = await startRedis()
    driver = openResp(redis.url)
  })
  afterAll(async () => {
    await driver?.close()
    await redis?.stop()
  })

  it("gets a schema by which audit finds only what was reported", async () => {
    for (let seed = 1; seed <= KEYSPACES; seed++) {
      await driver.send(["FLUSHALL"])
      await driver.batch(keyspaceOf(seed))
      const { form, unexplained, keys, explained } = await infer(driver)
      expect(schemaSource(form)).toContain("keyspace(")
      const { findings } = await audit(fromJson(form), driver)
      // What was given up because two patterns could be the same key may be found under the other's name.
      const found = new Set(findings.map(({ target }) => String(target.key)))
      const told = unexplained.reduce((sum, one) => sum + one.keys, 0)
      expect(found.size, `seed ${seed}: ${JSON.stringify(findings.slice(0, 3))}`).toBeLessThanOrEqual(told)
      expect(keys - explained).toBe(told)
      expect(explained).toBeGreaterThanOrEqual(0.5 * keys)
    }
  })
})
