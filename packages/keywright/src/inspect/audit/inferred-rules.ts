/* An audit by a schema that was inferred from the same keys: nobody has confirmed its rules, so
 * nothing that it finds may be repaired, and what nobody has decided is not held against the data. */

import type { AuditResult } from "./audit.ts"
import { type Finding, finding } from "./finding.ts"

/** An inferred schema decides nothing: that a TTL is undecided says nothing about the data. */
const NEVER_FOUND = "TTL.UNDECIDED"
/** Reported, because a reader wants to know; but the data does not contradict itself. */
const UNDECIDED: ReadonlySet<string> = new Set(["KEY.UNKNOWN", "VALUE.FIELD_UNKNOWN", "VALUE.TOO_LARGE"])

export const isAboutData = ({ code }: Finding): boolean => code !== NEVER_FOUND

/** The same finding, for a person to judge. */
export function unconfirmed(found: Finding): Finding {
  const { fix: _, ...target } = found.target
  return finding({ ...found, fixable: false }, target)
}

export function byInferredRules(result: AuditResult): AuditResult {
  const { [NEVER_FOUND]: _, ...summary } = result.summary
  return { ...result, summary, findings: result.findings.filter(isAboutData).map(unconfirmed) }
}

/** Whether something on the server contradicts the rest of it. */
export const hasContradictions = ({ summary }: AuditResult): boolean =>
  Object.keys(summary).some((code) => !UNDECIDED.has(code))
