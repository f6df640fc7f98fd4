/* An audit for people: findings by code, a few of each, and the sum. */

import type { AuditResult } from "../inspect/audit/audit.ts"
import type { FindingCode } from "../inspect/audit/finding-codes.ts"
import type { Finding } from "../inspect/audit/finding.ts"
import { groupBy } from "../schema/group-by.ts"
import type { Paint } from "./paint.ts"
import { countText, counted } from "./quantity.ts"
import type { SarifFinding } from "./sarif.ts"

export type Codes = Readonly<Record<string, FindingCode>>

interface AuditTextOptions {
  /** How many patterns are shown for each code. */
  readonly most: number
  /** The rules were inferred from the same keys. */
  readonly inferred?: boolean
  /** The walk was stopped before it had met all keys. */
  readonly isPartial?: boolean
}

export function auditText(
  result: AuditResult,
  codes: Codes,
  { most, inferred = false, isPartial = false }: AuditTextOptions,
  paint: Paint,
): string {
  const { findings, summary, keys, server, unreadable } = result
  const total = Object.values(summary).reduce((sum, count) => sum + count, 0)
  const looked = `${counted(keys, "key")} of ${server.label.replace(/ \(own connection\)$/, "")}`
  // What was not read may be wrong as well as right.
  if (total === 0 && (isPartial || unreadable.length > 0)) return `${looked}: no finding in what could be read`
  if (total === 0)
    return paint.green(inferred ? `${looked}: nothing contradicts the rest` : `${looked}: all as the schema says`)
  const byCode = groupBy(findings, ({ code }) => code)
  const parts = Object.entries(summary)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => codeText(code, count, byCode.get(code) ?? [], codes[code], most, paint))
  const fixable = findings.filter((finding) => finding.fixable).length
  const doubtful = findings.filter((finding) => finding.inferred === true).length
  const sum = [
    `${counted(total, "finding")} in ${looked}`,
    ...(fixable > 0 && !inferred ? [`repair can fix ${countText(fixable)}`] : []),
    ...(doubtful > 0 && !inferred ? [`${countText(doubtful)} rest on rules that were inferred and not confirmed`] : []),
    ...(inferred
      ? ["the rules are inferred, so repair needs a schema that somebody has confirmed: keywright init"]
      : []),
  ]
  return `${parts.join("\n\n")}\n\n${sum.join("; ")}`
}

function codeText(
  code: string,
  count: number,
  own: readonly Finding[],
  meaning: FindingCode | undefined,
  most: number,
  paint: Paint,
): string {
  const head = `${paint.bold(paint.yellow(code))}  ${countText(count)} × ${meaning?.title ?? "a rule of the application"}`
  const groups = byPattern(own)
  const lines = groups.slice(0, most).map(([pattern, [first, ...others]]) => {
    const example = `${placeText(first!)}: expected ${first!.expected}, found ${first!.found}`
    return others.length === 0
      ? `  ${example}`
      : `  ${countText(others.length + 1)} × ${pattern}, for example ${example}`
  })
  const left = groups.length - lines.length
  const more = left > 0 ? [paint.dim(`  … and of ${countText(left)} more patterns`)] : []
  const hints = meaning ? [`  ${paint.dim("why")} ${meaning.why}`, `  ${paint.dim("fix")} ${meaning.fix}`] : []
  return [head, ...lines, ...more, ...hints].join("\n")
}

/** Most findings first. */
const byPattern = (findings: readonly Finding[]): [pattern: string, findings: Finding[]][] =>
  [...groupBy(findings, ({ pattern }) => pattern)].sort(([, a], [, b]) => b.length - a.length)

const placeText = ({ db, key, place }: Finding): string =>
  `${db === 0 ? "" : `[${db}] `}${key}${place === undefined ? "" : ` (${Object.entries(place).flat().join(" ")})`}`

/** One annotation for all findings of a code and pattern: code hosts show only a few. */
export const groupedReports = (reports: readonly SarifFinding[], findings: readonly Finding[]): SarifFinding[] => {
  const groups = groupBy(findings.keys(), (i) => `${findings[i]!.code} ${findings[i]!.pattern}`)
  return [...groups.values()].map(([first, ...others]) => {
    const report = reports[first!]!
    return others.length === 0 ? report : { ...report, message: `${countText(others.length + 1)} × ${report.message}` }
  })
}

/** Findings as annotations have them; `lineOf` says where a pattern is declared. */
export const auditReports = (
  { findings }: AuditResult,
  codes: Codes,
  lineOf: (finding: Finding) => { readonly file: string; readonly line: number } | undefined,
): SarifFinding[] =>
  findings.map((finding) => {
    const at = lineOf(finding)
    const meaning = codes[finding.code]
    return {
      code: finding.code,
      severity: "error",
      message: `${placeText(finding)}: expected ${finding.expected}, found ${finding.found}`,
      ...(meaning && { why: meaning.why, fix: meaning.fix }),
      ...(at && { at }),
    }
  })
