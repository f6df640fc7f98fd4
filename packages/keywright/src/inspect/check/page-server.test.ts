import { expect, it } from "vitest"
import { matcherOf } from "./page-server.ts"

it.each([
  ["log-2026-01-01", "log-2025-12-31", true],
  ["log-2026-01-01", "log-2025-12", false],
  ["a/b-1", "a/b-77", true],
  ["a/b-1", "a/b-", false],
  ["cart:1:items", "cart:77:items", true],
  ["cart:1:items", "cart:7:7:items", false],
  ["cart:1:items", "cart::items", false],
  ["x:1-2-3:y", "x:a-b-c-d:y", true],
  ["x:1-2-3:y", "x:a-b:y", false],
  ["v1.5", "v1-5", false],
])("of %s, %s is a spelling: %s", (word, key, expected) => {
  expect(matcherOf(word).test(key)).toBe(expected)
})

it("a key of very many hyphens is looked at once", () => {
  const matcher = matcherOf("log:2026-01-01-10-20-30!")
  expect(matcher.test(`log:${"1-".repeat(50_000)}x`)).toBe(false)
  expect(matcher.test(`log:${"1-".repeat(50_000)}1!`)).toBe(true)
})
