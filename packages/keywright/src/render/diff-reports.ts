/* A difference of two schemas as findings, for SARIF and for annotations at the lines of the schema. */

import type { Change } from "../change/diff/change.ts"
import type { Level } from "../change/diff/verdict.ts"
import { orderText, whoText, type ShownDifference } from "./diff-text.ts"
import type { SarifFinding } from "./sarif.ts"

const severities: Readonly<Record<Level, SarifFinding["severity"]>> = {
  harmless: "note",
  data: "warning",
  "breaks-readers": "error",
  "breaks-writers": "error",
  silent: "error",
}

/** `lineOf` finds where a change is declared. */
export const diffReports = (
  { changes, advice }: ShownDifference,
  lineOf: (change: Change) => SarifFinding["at"],
): SarifFinding[] =>
  changes.map((change, i) => {
    const { code, path, level, title, what, why, order } = change
    const at = lineOf(change)
    const hurt = level === "harmless" ? "" : `; ${whoText(change)}; deploy ${orderText(order)}`
    const todo = (advice[i] ?? []).map(({ when, command, text }) => `${when}: ${command ?? text}`).join("; ")
    return {
      code,
      severity: severities[level],
      message: `${path}: ${title} (${what})${hurt}`,
      why,
      ...(todo !== "" && { fix: todo }),
      ...(at && { at }),
    }
  })
