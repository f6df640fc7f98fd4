/* What an inferred schema says is a guess until somebody confirms it. A finding that rests
 * on such a rule is reported, marked, and repair leaves it alone: otherwise a wrong guess
 * would delete data that is right. */

import type { Keyspace } from "../../schema/keyspace.ts"
import type { AuditResult } from "./audit.ts"
import { findingCodes } from "./finding-codes.ts"
import { finding as made, type Finding } from "./finding.ts"

/** Codes of rules between keys, and of keys without an entry: no mark of a single entry decides about them. */
const BETWEEN = /^(?:KEY\.UNKNOWN|SAME|REFERS|REFERENCE|INVERSE|EXCLUDES|COMPARE|THROUGH|KEYOF)\b/

/** Marks findings by what the schema says about their rule. */
export function unconfirmed(keyspace: Keyspace): (finding: Finding) => Finding {
  const inferred = new Set(keyspace.keys.filter((key) => key.inferred === true).map(({ name }) => name))
  if (inferred.size === 0 && keyspace.inferred !== true) return (finding) => finding
  return (finding) => {
    const { code, target } = finding
    // A rule of the application's own is nobody's guess.
    if (!Object.hasOwn(findingCodes, code)) return finding
    const isGuess =
      (target.name !== undefined && inferred.has(target.name)) || (keyspace.inferred === true && BETWEEN.test(code))
    return isGuess ? made({ ...finding, fixable: false, inferred: true }, target) : finding
  }
}

/** Reported, because a reader wants to know; but the data does not contradict itself. */
const UNDECIDED: ReadonlySet<string> = new Set(["KEY.UNKNOWN", "VALUE.FIELD_UNKNOWN", "VALUE.TOO_LARGE"])

/** By a schema that was inferred from the same server: whether something on it contradicts the rest. */
export const hasContradictions = ({ summary }: Pick<AuditResult, "summary">): boolean =>
  Object.keys(summary).some((code) => !UNDECIDED.has(code))
