import { expect, it } from "vitest"
import type { AuditResult } from "../inspect/audit/audit.ts"
import type { Finding } from "../inspect/audit/finding.ts"
import { auditReports, auditText, groupedReports } from "./audit-text.ts"
import { plain } from "./paint.cases.ts"

const finding = (code: string, key: string, more: Partial<Finding> = {}): Finding => ({
  code,
  db: 0,
  pattern: key.replace(/\d+/, "{id}"),
  key,
  expected: "a set",
  found: "a list",
  fixable: false,
  target: { db: 0, key, name: undefined, reads: [], replies: [] },
  ...more,
})
const result = (...findings: Finding[]): AuditResult => ({
  schemaVersion: 1,
  server: { label: "redis://h (own connection)" } as AuditResult["server"],
  schema: { fingerprint: "f" },
  keys: 1200,
  findings,
  summary: Object.fromEntries(findings.map(({ code }) => [code, findings.filter((one) => one.code === code).length])),
  unreadable: [],
})
const codes = { "KEY.TYPE": { title: "a wrong type", why: "W.", fix: "F.", fixable: false as const } }
const placed = finding("KEY.TYPE", "b:1", { db: 3, place: { field: "name" }, fixable: true })

it("does not say that all is well where the walk was stopped", () => {
  const text = auditText(result(), codes, { most: 5, isPartial: true }, plain)
  expect(text).toBe("1,200 keys of redis://h: no finding in what could be read")
})

it.each<[string, Finding[], string[]]>([
  ["that all is well", [], ["1,200 keys of redis://h: all as the schema says"]],
  [
    "what the code means, and where the finding is",
    [placed],
    [
      "KEY.TYPE  1 × a wrong type",
      "  [3] b:1 (field name): expected a set, found a list",
      "  why W.",
      "  fix F.",
      "",
      "1 finding in 1,200 keys of redis://h; repair can fix 1",
    ],
  ],
  [
    "the most frequent code and pattern first, one example of each, and how many patterns are left out",
    [finding("MY.RULE", "z:1"), ...["a:1", "b:1", "b:2"].map((key) => finding("KEY.TYPE", key))],
    [
      "KEY.TYPE  3 × a wrong type",
      "  2 × b:{id}, for example b:1: expected a set, found a list",
      "  … and of 1 more patterns",
      "  why W.",
      "  fix F.",
      "",
      "MY.RULE  1 × a rule of the application",
      "  z:1: expected a set, found a list",
      "",
      "4 findings in 1,200 keys of redis://h",
    ],
  ],
])("says %s", (_, findings, lines) => {
  expect(auditText(result(...findings), codes, { most: 1 }, plain).split("\n")).toEqual(lines)
})

it("annotates the line of the declaration, once per code and pattern", () => {
  const findings = [finding("KEY.TYPE", "b:1"), finding("KEY.TYPE", "b:2"), finding("MY.RULE", "z:1")]
  const reports = auditReports(result(...findings), codes, ({ code }) =>
    code === "KEY.TYPE" ? { file: "s.ts", line: 7 } : undefined,
  )
  expect(groupedReports(reports, findings)).toEqual([
    {
      code: "KEY.TYPE",
      severity: "error",
      message: "2 × b:1: expected a set, found a list",
      why: "W.",
      fix: "F.",
      at: { file: "s.ts", line: 7 },
    },
    { code: "MY.RULE", severity: "error", message: "z:1: expected a set, found a list" },
  ])
})
