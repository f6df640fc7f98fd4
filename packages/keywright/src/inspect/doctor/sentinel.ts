/* What the state of the sentinels means for those who rely on them. */

import type { SentinelView } from "../../driver/driver.ts"
import { failedWith } from "../../errors/failed-at.ts"
import type { CheckFinding } from "../check/check-finding.ts"

/** With fewer, the loss of one leaves no majority. */
const FEWEST = 3

export function checkSentinels(views: readonly SentinelView[]): CheckFinding[] {
  const answered = views.filter(({ primary }) => primary !== undefined)
  const silent = views.filter(({ primary }) => primary === undefined)
  const named = [...new Set(answered.map(({ primary }) => primary!))]
  const majority = Math.floor(views.length / 2) + 1
  const quorum = Math.max(...answered.map((view) => view.quorum), 0)
  const found: CheckFinding[] = []
  if (answered.length < Math.max(majority, quorum))
    found.push({
      code: "DOCTOR.NO_FAILOVER",
      severity: "error",
      message: `${answered.length} of ${views.length} sentinels answer: too few to replace a primary that fails`,
      why: `A majority has to agree who replaces it (${majority}), and the quorum that it has failed (${quorum}).`,
      fix: `Bring back ${silent.map(({ address }) => address).join(", ")}; SENTINEL RESET makes the others forget it.`,
    })
  else if (silent.length > 0)
    found.push({
      code: "DOCTOR.SENTINEL_AWAY",
      severity: "warning",
      message: `${silent.map(({ address }) => address).join(", ")} of ${views.length} sentinels does not answer`,
      why: silent[0]!.failure === undefined ? "It gave no answer." : failedWith(silent[0]!.failure),
      fix: "Bring it back, or have the others forget it with SENTINEL RESET.",
    })
  if (views.length < FEWEST)
    found.push({
      code: "DOCTOR.FEW_SENTINELS",
      severity: "warning",
      message: `${views.length === 1 ? "one sentinel watches" : `${views.length} sentinels watch`} the primary: when one is lost, no majority is left`,
      fix: "Run at least three sentinels, on machines that fail independently.",
    })
  if (named.length > 1)
    found.push({
      code: "DOCTOR.SENTINELS_DISAGREE",
      severity: "warning",
      message: `the sentinels name different primaries: ${answered.map(({ address, primary }) => `${address} says ${primary}`).join(", ")}`,
      why: "A failover is in progress, or a sentinel was cut off and still names the previous primary. Keywright takes the newest answer; other clients may take the first.",
      fix: "Run doctor again in a minute; then restart the sentinel that is behind.",
    })
  return found
}
