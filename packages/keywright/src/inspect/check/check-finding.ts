/* What `check` and `doctor` report: plain data with a stable code, ready for the
 * terminal, JSON, SARIF and annotations. */

import type { SourceLine } from "./source-lines.ts"

/** A note is worth knowing and no reason to fail. */
export type Severity = "error" | "warning" | "note"

export interface CheckFinding {
  /** Stable: `"SCHEMA.TTL_UNDECIDED"`. */
  readonly code: `${string}.${string}`
  readonly severity: Severity
  /** What was found and where, in a sentence. */
  readonly message: string
  readonly why?: string
  readonly fix?: string
  /** The name of the key in the schema, and its pattern. */
  readonly name?: string
  readonly pattern?: string
  /** Every pattern that it concerns, where these are several. */
  readonly patterns?: readonly string[]
  /** Where it is declared, or on a page, written. */
  readonly at?: SourceLine
  /** Further lines of the same page that say the same. */
  readonly alsoLines?: readonly number[]
}

/** Severities chosen by the user, by code. */
export type Rules = Readonly<Record<string, Severity | "off">>

/** The findings as `rules` have them, the worst first; else in their order. */
export function withRules(findings: readonly CheckFinding[], rules?: Rules): CheckFinding[] {
  const order: readonly Severity[] = ["error", "warning", "note"]
  return withLevels(findings, rules).sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

/** The findings as `rules` have them, in their order. */
export function withLevels<F extends CheckFinding>(findings: readonly F[], rules: Rules = {}): F[] {
  return findings.flatMap((finding) => {
    const severity = rules[finding.code] ?? finding.severity
    return severity === "off" ? [] : [{ ...finding, severity }]
  })
}

/** Whether there is anything but notes. */
export const failing = (findings: readonly CheckFinding[]): boolean =>
  findings.some(({ severity }) => severity !== "note")

/** How many of each code. */
export function summary(findings: readonly CheckFinding[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
