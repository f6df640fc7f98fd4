/* An audit whose findings become a plan: only those that can be planned are kept, so
 * that many others do not crowd them out. */

import type { Driver } from "../../driver/driver.ts"
import { audit, type AuditOptions, type AuditResult } from "../../inspect/audit/audit.ts"
import type { Finding } from "../../inspect/audit/finding.ts"
import type { Keyspace } from "../../schema/keyspace.ts"

/** The most actions of one plan: it is held in memory. */
const MOST = 200_000

/** Only those findings that can be planned; `summary` counts the others, too. */
export interface FoundForPlan extends Pick<AuditResult, "findings" | "summary" | "unreadable"> {
  /** How many more could have been planned: for the next plan. */
  readonly more: number
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
