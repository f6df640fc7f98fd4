/* A schema that keyspace() refuses, as a finding: the check that it failed is one of ours. */

import type { CheckFinding } from "./check-finding.ts"
import { quotedIn, type SourceFile } from "./source-lines.ts"

export interface RefusedSchema {
  readonly code: string
  readonly message: string
  readonly why?: string
  readonly fix?: string
  readonly key?: string
}

/** Undefined for what is wrong with the call, not with the schema. */
export function brokenSchema(failure: RefusedSchema, sources: readonly SourceFile[]): CheckFinding | undefined {
  const { code, message, why, fix, key } = failure
  if (/^(CLI|FILE|DRIVER|SERVER)\./.test(code)) return undefined
  // Messages quote the patterns that they are about; inside a group, a pattern is written as a suffix.
  const quoted = [...message.matchAll(/"([^"]+)"/g)].map(([, text]) => text as string)
  const spellings = quoted.flatMap((text) => [text, ...suffixes(text)])
  const at = spellings.flatMap((text) => sources.flatMap((source) => quotedIn(source, text))).at(0)
  return {
    code: code as CheckFinding["code"],
    severity: "error",
    message,
    ...(key !== undefined && {
      why: `${why === undefined ? "" : `${why} `}Both patterns can spell ${JSON.stringify(key)}.`,
    }),
    ...(key === undefined && why !== undefined && { why }),
    ...(fix !== undefined && { fix }),
    ...(at && { at }),
  }
}

const suffixes = (pattern: string): string[] => {
  const parts = pattern.split(":")
  return parts.slice(1).map((_, i) => parts.slice(i + 1).join(":"))
}
