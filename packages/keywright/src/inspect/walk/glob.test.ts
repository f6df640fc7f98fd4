import { beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { chance } from "../../../../../test/random.ts"
import { globMatcher } from "./glob.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

const matching = (glob: string, keys: readonly string[]): string[] => {
  const matches = globMatcher(glob)
  return keys.filter((key) => matches(Buffer.from(key)))
}

it("a key that was made to keep it busy is looked at once", () => {
  const key = Buffer.from(`${"a:".repeat(20_000)}x`)
  expect(globMatcher(`${"*a:".repeat(12)}*y`)(key)).toBe(false)
  expect(globMatcher(`${"*a:".repeat(12)}*x`)(key)).toBe(true)
})

describe.runIf(needs("redis-server"))("globs take what the server's MATCH takes", () => {
  const server = redisForSuite()
  const letters = ["a", "b", "c", "-", "]", "[", "^", "\\", "*", "?", ":", "é"]
  const made = new Set<string>()
  for (let seed = 1; made.size < 300; seed++) made.add(textOf(seed, letters))
  const keys = [...made]

  beforeAll(async () => {
    await server.driver.send(["MSET", ...keys.flatMap((key) => [key, ""])])
  })

  it.each([
    "*",
    "a*",
    "*a",
    "?",
    "a?c",
    "[a-c]*",
    "[^a]*",
    "[c-a]",
    "[a",
    "a\\",
    "\\*",
    "[\\]]*",
    "[a-]",
    "[]",
    "[^]",
    "",
  ])("%j", async (glob) => expect(matching(glob, keys).sort()).toEqual(await onServer(glob)))

  it("by chance", async () => {
    for (let seed = 1; seed <= 400; seed++) {
      const glob = textOf(seed * 7919, [...letters, "*", "*", "?", "["])
      expect(matching(glob, keys).sort(), glob).toEqual(await onServer(glob))
    }
  })

  const onServer = async (glob: string): Promise<string[]> =>
    ((await server.driver.send(["KEYS", glob])) as unknown[]).map(String).sort()
})

/** A short text that depends on the seed alone. */
function textOf(seed: number, of: readonly string[]): string {
  const next = chance(Math.imul(seed, 2654435761) >>> 0)
  return Array.from({ length: 1 + next(6) }, () => of[next(of.length)]).join("")
}
