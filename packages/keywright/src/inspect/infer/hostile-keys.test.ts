/* Keys that somebody made to keep infer busy: hundreds of forms that nest, meet and never end. It
 * took minutes for a few hundred of them, and for ever for longer ones. */

import { describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import type { Command } from "../../driver/driver.ts"
import { infer } from "./infer.ts"
import { hex } from "./mine/segments.cases.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

const LENGTHS = isFull ? [30, 60, 300, 3000, 10_000] : [300]
const UNITS = [
  "a-",
  "a.",
  "1:",
  "ab:",
  "A_",
  "a@",
  "{a}",
  "1-",
  "::",
  "a=1&",
  "0x",
  "%41",
  "中",
  "[[",
  "a/",
  "2026-",
  "--",
]
const HEADS = ["", "2abc:a:", "user:", "x-", "{", "http://", "2026-01-01T", "a@b"]
const ENDS = ["", "!", "G", ":", "}", "~", "é", "$"]

/** Every unit over and over, behind every head: by itself, and with each of two others. */
const nasty = (length: number): string[] =>
  UNITS.flatMap((unit, i) =>
    HEADS.flatMap((head, j) =>
      ["", UNITS[(i + j + 1) % UNITS.length]!, UNITS[(i + 3 * j + 2) % UNITS.length]!].map((other, k) => {
        const body = (unit + other).repeat(Math.ceil(length / (unit.length + other.length)))
        return head + body + ENDS[(i + j + k) % ENDS.length]!
      }),
    ),
  )

describe.runIf(needs("redis-server"))("keys that are made to keep infer busy", { timeout: 120_000 }, () => {
  const server = redisForSuite()

  it.each(LENGTHS)("of %i characters come to an end", async (length) => {
    const keys = [...new Set(nasty(length))]
    await server.driver.send(["FLUSHALL"])
    await server.driver.batch(keys.map((key, i): Command => (i % 2 ? ["SET", key, key] : ["HSET", key, key, key])))
    expect((await infer(server.driver)).keys).toBe(keys.length)
  })

  it("of very many segments have few patterns", async () => {
    const letters = (n: number) => hex(n, 400).replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!)
    const keys = Array.from({ length: 1000 }, (_, i) => letters(i).replace(/../g, "$&:"))
    await server.driver.send(["FLUSHALL"])
    await server.driver.batch(keys.map((key): Command => ["SET", key, "1"]))
    expect((await infer(server.driver)).patterns.length).toBeLessThan(10)
  })
})
