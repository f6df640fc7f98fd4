import { expect, it } from "vitest"
import { type SarifFinding, sarif } from "./sarif.ts"

const findings: SarifFinding[] = [
  { code: "A.B", severity: "error", message: "m", why: "w", fix: "f", at: { file: "a\\s.ts", line: 3 } },
  { code: "C.D", severity: "note", message: "n" },
  { code: "A.B", severity: "warning", message: "o", why: "w" },
]
interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly unknown[] } }
  readonly results: readonly unknown[]
}
const [run] = (sarif(findings, "1.0") as { readonly runs: readonly Run[] }).runs

it("has each code once as a rule", () => {
  expect(run!.tool.driver).toEqual({
    name: "keywright",
    version: "1.0",
    rules: [
      { id: "A.B", shortDescription: { text: "w" }, help: { text: "f" } },
      { id: "C.D", shortDescription: { text: "C.D" } },
    ],
  })
})

it.each([
  [
    0,
    {
      ruleId: "A.B",
      ruleIndex: 0,
      level: "error",
      message: { text: "m" },
      locations: [{ physicalLocation: { artifactLocation: { uri: "a/s.ts" }, region: { startLine: 3 } } }],
    },
  ],
  [1, { ruleId: "C.D", ruleIndex: 1, level: "note", message: { text: "n" } }],
  [2, { ruleId: "A.B", ruleIndex: 0, level: "warning", message: { text: "o" } }],
])("has finding %i at its line, under its rule", (i, result) => {
  expect(run!.results[i]).toEqual(result)
})
