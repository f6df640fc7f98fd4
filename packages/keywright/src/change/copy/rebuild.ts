/* Rebuilds what is derived from entities: indexes, sets of all ids, mirrors,
 * counters. Entities are the truth; nothing else is touched. */

import type { Driver } from "../../driver/driver.ts"
import type { AuditOptions } from "../../inspect/audit/audit.ts"
import type { Finding } from "../../inspect/audit/finding.ts"
import type { UnreadableKeys } from "../../inspect/model/unreadable.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { auditForPlan } from "../make-plan/audit-for-plan.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import { planRepair } from "../make-plan/plan-repair.ts"

export interface Rebuilt {
  /** By code, how many were set right. */
  readonly fixed: Readonly<Record<string, number>>
  /** By code, what the last look still found. */
  readonly findings: Readonly<Record<string, number>>
  /** What the last look could not read. */
  readonly unreadable: readonly UnreadableKeys[]
}

const DERIVED = /^(INDEX|MIRROR|UNIQUE|LIST|COUNTER)\./
const ROUNDS = 20

/** Audits and repairs what is derived, until nothing of it is left to do but what the application accepts. */
export async function rebuild(
  keyspace: Keyspace,
  driver: Driver,
  { accept, signal, timeoutMs }: Pick<AuditOptions, "accept" | "signal" | "timeoutMs"> = {},
): Promise<Rebuilt> {
  const options = {
    ...(accept && { accept }),
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  const fixed: Record<string, number> = {}
  const derived = new Set(
    keyspace.keys.flatMap(({ name, entity }) => (entity === undefined ? [] : [name as string | undefined])),
  )
  for (let round = 1; ; round++) {
    const isDerived = ({ code, fixable, target }: Finding) =>
      fixable && (DERIVED.test(code) || (code === "VALUE.BARE" && derived.has(target.name)))
    const { findings, summary, unreadable } = await auditForPlan(keyspace, driver, isDerived, options)
    if (findings.length === 0 || round === ROUNDS) return { fixed, findings: summary, unreadable }
    const report = await applyRepair(await planRepair(findings, keyspace, driver), driver)
    for (const [code, count] of Object.entries(report.byCode)) fixed[code] = (fixed[code] ?? 0) + count
    if (report.done === 0) return { fixed, findings: summary, unreadable }
  }
}
