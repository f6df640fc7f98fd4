/* Findings for people: grouped by code, each with its place, so that a long list
 * stays readable. */

import type { CheckFinding } from "../inspect/check/check-finding.ts"
import type { Paint } from "./paint.ts"
import { counted } from "./quantity.ts"

export function findingsText(findings: readonly CheckFinding[], paint: Paint): string {
  const codes = [...new Set(findings.map(({ code }) => code))]
  const parts = codes.map((code) => {
    const own = findings.filter((finding) => finding.code === code)
    const { severity, why } = own[0]!
    const shade = { error: paint.red, warning: paint.yellow, note: paint.cyan }[severity]
    const head = `${paint.bold(shade(severity))} ${paint.bold(code)}${why === undefined ? "" : paint.dim(`  ${why}`)}`
    return [head, ...own.map((finding) => line(finding, own, paint))].join("\n")
  })
  return `${parts.join("\n\n")}\n\n${severitiesText(findings)}`
}

function line(finding: CheckFinding, own: readonly CheckFinding[], { dim }: Paint): string {
  const { message, at, alsoLines, fix } = finding
  const more =
    alsoLines && alsoLines.length > 0 ? `, also ${alsoLines.length > 1 ? "lines" : "line"} ${alsoLines.join(", ")}` : ""
  const place = at === undefined ? "" : dim(`  ${at.file}:${at.line}${more}`)
  const same = own.every((other) => other.fix === fix)
  const last = own.at(-1) === finding
  const remedy = fix !== undefined && (!same || last) ? `\n    ${dim("fix")} ${fix}` : ""
  return `  ${message}${place}${remedy}`
}

/** `"2 errors, 1 warning"` */
export function severitiesText(findings: readonly { readonly severity: string }[]): string {
  return (["error", "warning", "note"] as const)
    .map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => counted(count, severity))
    .join(", ")
}
