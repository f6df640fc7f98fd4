/* What repair deletes only when asked to: data that is not derived from other data. */

import type { Command } from "../../driver/driver.ts"
import type { FindingTarget } from "../../inspect/audit/finding.ts"

/**
 * What each word of `--delete` means: the codes of findings that it covers.
 * @example
 * console.log(deletions.orphans) // → [ 'THROUGH.ORPHAN', 'REFERS.ORPHAN' ]
 */
export const deletions = Object.freeze({
  unknown: ["KEY.UNKNOWN"],
  broken: ["KEY.TYPE", "KEY.SEGMENT", "VALUE.UNDECODABLE", "VALUE.FIELD_MISSING", "ENTITY.ID", "COMPARE.BROKEN"],
  conflicts: ["UNIQUE.TAKEN", "ENTITY.NOT_INDEXABLE", "REFERENCE.MISSING"],
  fields: ["VALUE.FIELD_UNKNOWN"],
  orphans: ["THROUGH.ORPHAN", "REFERS.ORPHAN"],
  excess: ["VALUE.TOO_MANY"],
} as const satisfies Record<string, readonly string[]>)

/**
 * What repair may be allowed to delete: the words of `--delete`.
 * @example
 * const allowed: Deletion[] = ["unknown", "orphans"]
 */
export type Deletion = keyof typeof deletions

/** How the element that a command reads is removed. */
const removals: Readonly<Record<string, string>> = {
  SISMEMBER: "SREM",
  ZSCORE: "ZREM",
  HGET: "HDEL",
  XRANGE: "XDEL",
}

/** A finding, or what may become one. */
interface Fixable {
  readonly code: string
  readonly target: Pick<FindingTarget, "key" | "reads" | "fix">
}

/** The commands that fix a finding; undefined when only a person can, or when it was not requested. */
export function fixOf(finding: Fixable, wanted: ReadonlySet<string>): readonly Command[] | undefined {
  const { fix } = finding.target
  if (fix !== undefined) return fix.destroys !== true || wanted.has(finding.code) ? fix.commands : undefined
  return wanted.has(finding.code) ? [removal(finding)] : undefined
}

export const codesOf = (wanted: readonly Deletion[]): ReadonlySet<string> =>
  new Set(wanted.flatMap((one) => deletions[one] as readonly string[]))

/** Whatever may be requested. */
export const allDeletions: ReadonlySet<string> = codesOf(Object.keys(deletions) as Deletion[])

/** Without a fix: the element that was read goes, or the whole key. */
function removal({ code, target }: Fixable): Command {
  const [name, key, element] = target.reads[0]!.command as readonly [string, ...Command]
  if (code !== "VALUE.UNDECODABLE" || element === undefined) return ["UNLINK", target.key]
  if (name === "LPOS") return ["LREM", key!, "0", element]
  return name in removals ? [removals[name]!, key!, element] : ["UNLINK", target.key]
}
