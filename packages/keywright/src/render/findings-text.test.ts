import { expect, it } from "vitest"
import type { CheckFinding } from "../inspect/check/check-finding.ts"
import { findingsText, severitiesText } from "./findings-text.ts"
import { plain } from "./paint.cases.ts"

const one = (message: string, more: Partial<CheckFinding> = {}): CheckFinding => ({
  code: "S.X",
  severity: "error",
  message,
  ...more,
})

it.each<[string, CheckFinding[], string[]]>([
  [
    "one with its place",
    [one("m", { why: "w", at: { file: "s.ts", line: 3 }, alsoLines: [5] })],
    ["error S.X  w", "  m  s.ts:3, also line 5", "", "1 error"],
  ],
  [
    "several further lines",
    [one("m", { at: { file: "s.ts", line: 3 }, alsoLines: [5, 9] })],
    ["error S.X", "  m  s.ts:3, also lines 5, 9", "", "1 error"],
  ],
  [
    "a common fix once, below the last",
    [one("m", { fix: "f" }), one("n", { fix: "f" })],
    ["error S.X", "  m", "  n", "    fix f", "", "2 errors"],
  ],
  [
    "different fixes each",
    [one("m", { fix: "f" }), one("n", { fix: "g" })],
    ["error S.X", "  m", "    fix f", "  n", "    fix g", "", "2 errors"],
  ],
  [
    "the same sentence twice with one fix",
    [one("m", { fix: "f" }), one("m", { fix: "f" })],
    ["error S.X", "  m", "  m", "    fix f", "", "2 errors"],
  ],
  [
    "each code apart",
    [one("m"), one("n", { code: "S.Y", severity: "note" }), one("o")],
    ["error S.X", "  m", "  o", "", "note S.Y", "  n", "", "2 errors, 1 note"],
  ],
])("lists %s", (_, findings, lines) => {
  expect(findingsText(findings, plain).split("\n")).toEqual(lines)
})

it.each([
  [[], ""],
  [["warning"], "1 warning"],
  [["note", "error", "warning", "error"], "2 errors, 1 warning, 1 note"],
])("%j are %j", (severities, text) => {
  expect(severitiesText(severities.map((severity) => ({ severity })))).toBe(text)
})
