import { expect, it } from "vitest"
import { shortName } from "../rdb/long-key.ts"
import { likelyPattern, showUnknown, UnknownPatterns } from "./unknown-patterns.ts"

it.each([
  ["lock:17", "lock:{number}"],
  ["session:9f86d081884c7d659a2feaa0c55ad015", "session:{token}"],
  ["session:0a4d55a8-d778-4502-8fab-701977c5d840:cart", "session:{uuid}:cart"],
  ["log-2026-01-05", "log-{date}"],
  ["mail:ada@example.com", "mail:{email}"],
  ["mail:ada@example.com:bob@example.com", "mail:{email}:{email}"],
  ["viewed: EB93A1", "viewed: EB93A1"],
  ["123_clg_preference", "{number}_clg_preference"],
  ["config:main", "config:main"],
  ["u17:likes", "u{number}:likes"],
])("takes %s for %s", (key, pattern) => {
  expect(likelyPattern(key)).toBe(pattern)
})

it("takes a name that a file has shortened for what the whole name is taken for", () => {
  const whole = `long:${"x".repeat(5000)}`
  const shortened = shortName(Buffer.from(whole)).toString()
  expect(likelyPattern(shortened)).toBe(likelyPattern(whole))
  expect(showUnknown(shortened)).toBe(showUnknown(whole))
})

it("takes bytes for bytes", () => {
  expect(likelyPattern(Buffer.from([255, 1]))).toBe("{bytes}")
  expect(showUnknown(Buffer.from([255, 65]))).toBe("\\xffA")
})

it("does not print what may be a secret", () => {
  expect(showUnknown("session:9f86d081884c7d659a2feaa0c55ad015:cart")).toBe("session:…:cart")
  expect(showUnknown("tok:Zk3xQ9vLm2Rt8Wp1Yb6N:x")).toBe("tok:…:x")
  const serialised = Buffer.from("\xac\xed\0\x05t\0,session:0a4d55a8-d778-4502-8fab-701977c5d840", "latin1")
  expect(showUnknown(serialised)).toBe(String.raw`\xac\xed\x00\x05t\x00,session:…`)
  const digest = Buffer.from("11f6ad8ec52a2984abaafd7c3b516503785c2072", "hex")
  expect(showUnknown(Buffer.concat([Buffer.from("session:"), digest]))).toBe("session:…")
  expect(showUnknown("lock:17:1234567890123456789")).toBe("lock:17:1234567890123456789")
})

it("has a bounded number of groups", () => {
  const patterns = new UnknownPatterns(() => ({ count: 0 }))
  const name = (i: number) => [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("")
  for (let i = 0; i < 20_000; i++) patterns.of(`${name(i)}:x`).count++
  expect(patterns.groups.size).toBeLessThan(5000)
  expect([...patterns.groups.values()].reduce((sum, { count }) => sum + count, 0)).toBe(20_000)
})

it("does not read a long key over and over", { timeout: 30_000 }, () => {
  const letters = "x".repeat(1990)
  for (let i = 0; i < 10_000; i++) expect(likelyPattern(`${letters}.${i}`)).toBe("{token}.{number}")
})

it("looks at the beginning of keys of any length", () => {
  for (const long of ["x".repeat(1_000_000), "a.".repeat(500_000), "x@".repeat(500_000)]) {
    expect(likelyPattern(long).length).toBeLessThanOrEqual(200)
    expect(showUnknown(long).length).toBeLessThanOrEqual(201)
  }
})
