import { expect, test } from "vitest"
import { diffReports } from "./diff-reports.ts"
import { differences, shownDifference } from "./diff.cases.ts"

test("each change is a finding at its line: who breaks, in which order, and what to do", () => {
  const [one, other] = diffReports(shownDifference(differences.release), ({ path }) =>
    path === "page" ? { file: "schema.ts", line: 7 } : undefined,
  )
  expect(one).toMatchObject({ code: "ENUM.REMOVED", severity: "error" })
  expect(one).not.toHaveProperty("at")
  expect(other).toEqual({
    code: "TTL.SHORTENED",
    severity: "error",
    message:
      "page: keys expire sooner (30d → 7d); old readers and old writers are silently wrong; new readers and new writers work; deploy readers first: replace everything that reads, then what writes",
    why: "What old readers count on vanishes sooner; what old writers write stays longer.",
    fix: "after the last old writer: keywright repair --url … --out plan.json && keywright repair --url … --apply plan.json",
    at: { file: "schema.ts", line: 7 },
  })
})

test("what is harmless is a note without more words", () => {
  expect(diffReports(shownDifference(differences.harmless), () => undefined)).toEqual([
    {
      code: "PATTERN.ADDED",
      severity: "note",
      message: "more: a new pattern (more)",
      why: "Nobody used these keys before; audit now looks at them.",
    },
  ])
})
