/* An audit whose findings become a plan: only those that can be planned are kept, so
 * that many others do not crowd them out. */

import type { Driver } from "../../driver/driver.ts"
import { audit, type AuditOptions } from "../../inspect/audit/audit.ts"
import type { Finding } from "../../inspect/audit/finding.ts"
import type { UnreadableKeys } from "../../inspect/model/unreadable.ts"
import type { Keyspace } from "../../schema/keyspace.ts"

/** The most actions of one plan: it is held in memory. */
const MOST = 200_000

export interface FoundForPlan {
  readonly findings: readonly Finding[]
  /** How many there are of each code, planned or not. */
  readonly summary: Readonly<Record<string, number>>
  /** How many more could have been planned: for the next plan. */
  readonly more: number
  /** What could not be read, so that nothing is planned for it. */
  readonly unreadable: readonly UnreadableKeys[]
}

export async function auditForPlan(
  keyspace: Keyspace,
  driver: Driver,
  canBePlanned: (finding: Finding) => boolean,
  options: AuditOptions = {},
): Promise<FoundForPlan> {
  let all = 0
  const { findings, summary, unreadable } = await audit(keyspace, driver, {
    ...options,
    limit: MOST,
    keep: canBePlanned,
    onFinding: (finding) => void (all += Number(canBePlanned(finding))),
  })
  return { findings, summary, more: all - findings.length, unreadable }
}
