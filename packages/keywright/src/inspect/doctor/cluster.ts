/* What a cluster's settings mean for those who call it. */

import type { CheckFinding } from "../check/check-finding.ts"
import type { ServerSettings } from "./server-settings.ts"

export function checkCluster({ mode, config, info }: ServerSettings): CheckFinding[] {
  if (mode !== "cluster") return []
  const found: CheckFinding[] = []
  if (config?.["cluster-require-full-coverage"] === "yes")
    found.push({
      code: "DOCTOR.FULL_COVERAGE",
      severity: "note",
      message: "cluster-require-full-coverage is yes: while one slot has no owner, the cluster refuses all calls",
      why: "When a primary fails, all others refuse calls until a replica has taken over; without a replica, for good.",
      fix: "Set cluster-require-full-coverage no, if serving only the other slots is better than serving none.",
    })
  if (Number(info["connected_slaves"] ?? 0) === 0)
    found.push({
      code: "DOCTOR.UNGUARDED_SLOTS",
      severity: "warning",
      message: "this primary has no replica: when it fails, its slots have no owner",
      fix: "Add a replica: redis-cli --cluster add-node … --cluster-slave.",
    })
  return found
}
