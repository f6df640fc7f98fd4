/* A difference, compared with the existing data: how many keys each change concerns, and
 * whether they already fit. An enum value that nobody stores is harmless to remove. */

import { audit, type AuditOptions, type AuditResult } from "../../inspect/audit/audit.ts"
import { stats, type StatsResult, type StatsSource } from "../../inspect/stats/stats.ts"
import type { KeyspaceForm } from "../../schema/json/form.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import type { Change } from "./change.ts"
import { works } from "./codes/row.ts"
import { differenceOf, type Difference } from "./diff.ts"
import { levelOf, orderOf } from "./verdict.ts"

/** Counts by the old schema, and audits by the new one: SCAN, twice. Writes nothing. */
export async function withData(
  difference: Difference,
  before: KeyspaceForm,
  after: KeyspaceForm,
  source: StatsSource,
  options: Pick<AuditOptions, "signal" | "onProgress" | "rate"> = {},
): Promise<Difference> {
  const [old, now] = [fromJson(before), fromJson(after)]
  const counts = countsOf(await stats(old, source, { ...options, top: 0 }))
  const come = countsOf(await stats(now, source, { ...options, top: 0 }))
  const audited = await audit(now, source, options)
  const misfits = misfitsOf(audited)
  // What could not be read may not fit.
  const unread = new Set(audited.unreadable.map(({ name }) => name))
  const changes = difference.changes.map((change): Change => {
    const keys = change.oldKey === undefined ? come.get(change.newKey ?? "") : counts.get(change.oldKey)
    const counted: Change = { ...change, ...(keys !== undefined && { keys }) }
    const isNarrower = change.newReader === "fails" && change.oldReader !== "fails" && change.oldReader !== "silent"
    if (isNarrower && change.newKey !== undefined && !unread.has(change.newKey)) {
      const found = misfits.get(change.newKey) ?? 0
      return found === 0 ? harmless({ ...counted, misfits: 0 }) : { ...counted, misfits: found }
    }
    return change.code === "PATTERN.REMOVED" && keys === 0 ? harmless({ ...counted, misfits: 0 }) : counted
  })
  return differenceOf(changes, difference.questions)
}

/** No stored value would break, so presumably nobody writes one. */
function harmless(change: Change): Change {
  return { ...change, ...works, data: "nothing", level: levelOf(works, "nothing"), order: orderOf(works) }
}

const countsOf = ({ databases }: StatsResult): ReadonlyMap<string, number> =>
  new Map(
    databases.flatMap(({ patterns }) =>
      patterns.flatMap(({ name, keys }) => (name === undefined ? [] : [[name, keys] as const])),
    ),
  )

/** Values and ids that the new schema refuses, by the name of their key. */
function misfitsOf({ findings }: AuditResult): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { code, target } of findings) {
    if (target.name === undefined || !/^(VALUE\.|KEY\.SEGMENT)/.test(code)) continue
    counts.set(target.name, (counts.get(target.name) ?? 0) + 1)
  }
  return counts
}
