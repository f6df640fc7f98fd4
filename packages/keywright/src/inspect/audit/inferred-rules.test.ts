import { expect, it } from "vitest"
import type { AuditResult } from "./audit.ts"
import { finding } from "./finding.ts"
import { byInferredRules, hasContradictions } from "./inferred-rules.ts"

const found = (code: string) =>
  finding(
    { code, db: 0, pattern: "a:{id}", key: "a:1", expected: "one", found: "another", fixable: true },
    { db: 0, key: "a:1", name: "a", reads: [], replies: [], fix: { db: 0, commands: [["DEL", "a:1"]] } },
  )
const result = (...codes: string[]): AuditResult => ({
  schemaVersion: 1,
  server: { label: "redis://x" } as AuditResult["server"],
  schema: { fingerprint: "" },
  keys: 1,
  findings: codes.map(found),
  summary: Object.fromEntries(codes.map((code) => [code, 1])),
})

it("leaves nothing to repair by: neither the mark nor the commands", () => {
  const [one] = byInferredRules(result("INDEX.DANGLING")).findings
  expect([one?.fixable, one?.target.fix, one?.target.key]).toEqual([false, undefined, "a:1"])
  expect(Object.keys(one!)).not.toContain("target")
})

it("does not mention TTLs that nobody decided", () => {
  const { findings, summary } = byInferredRules(result("TTL.UNDECIDED", "KEY.TYPE"))
  expect([findings.map(({ code }) => code), summary]).toEqual([["KEY.TYPE"], { "KEY.TYPE": 1 }])
})

it.each([
  [[], false],
  [["KEY.UNKNOWN"], false],
  [["VALUE.FIELD_UNKNOWN", "VALUE.TOO_LARGE"], false],
  [["KEY.UNKNOWN", "KEY.TYPE"], true],
  [["INDEX.DANGLING"], true],
])("%j: contradictions %s", (codes, expected) => {
  expect(hasContradictions(byInferredRules(result(...codes)))).toBe(expected)
})
