/* A schema that keyspace() refuses, as a finding: the check that it failed is one of ours. */

import type { ErrorReport } from "../../errors/error-report.ts"
import type { CheckFinding } from "./check-finding.ts"
import { quotedIn, type SourceFile } from "./source-lines.ts"

/** Undefined for what is wrong with the call, not with the schema. */
export function brokenSchema(
  { code, message, why, fix, key }: ErrorReport,
  sources: readonly SourceFile[],
): CheckFinding | undefined {
  if (/^(CLI|FILE|DRIVER|SERVER)\./.test(code)) return undefined
  // Messages quote the patterns that they are about; inside a group, a pattern is written as a suffix.
  const quoted = [...message.matchAll(/"([^"]+)"/g)].map(([, text]) => text as string)
  const spellings = quoted.flatMap((text) => [text, ...suffixes(text)])
  const at = spellings.flatMap((text) => sources.flatMap((source) => quotedIn(source, text))).at(0)
  const both = key === undefined ? undefined : `Both patterns can spell ${JSON.stringify(key)}.`
  const reasons = [why, both].filter((reason) => reason !== undefined)
  return {
    code: code as CheckFinding["code"],
    severity: "error",
    message,
    ...(reasons.length > 0 && { why: reasons.join(" ") }),
    ...(fix !== undefined && { fix }),
    ...(at && { at }),
  }
}

const suffixes = (pattern: string): string[] => {
  const parts = pattern.split(":")
  return parts.slice(1).map((_, i) => parts.slice(i + 1).join(":"))
}
