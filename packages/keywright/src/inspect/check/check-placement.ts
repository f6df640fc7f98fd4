/* What `connect` would refuse on a cluster, found without a server. */

import { splitParts } from "../../client/placement.ts"
import { placementSplit } from "../../errors/placement.ts"
import type { Atomicity } from "../../schema/cluster-atomicity.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { CheckFinding } from "./check-finding.ts"
import { sourceLines, type SourceFile } from "./source-lines.ts"

/** One finding for each part that is not in one slot; `accepted` are names as `acceptSplit` of `connect` takes them. */
export function checkPlacement(
  keyspace: Keyspace,
  accepted: readonly string[] = [],
  sources: readonly SourceFile[] = [],
): CheckFinding[] {
  const lines = sourceLines(keyspace, sources)
  return splitParts(keyspace, accepted).map((part) => {
    const { why } = placementSplit([part], "")
    const key = keyspace.keys.find(({ pattern }) => pattern === part.apart![0])
    const at = key && lines(key)
    return {
      code: "PLACEMENT.SPLIT",
      severity: "error",
      message: `the ${part.kind} ${part.name} is not in one slot of a cluster: ${part.apart!.join(" and ")}`,
      ...(why !== undefined && { why }),
      fix: `${proposed(part)}${part.proposal}; or accept it: connect(…, { acceptSplit: [${JSON.stringify(part.name)}] }).`,
      name: part.name,
      patterns: part.apart!,
      ...(at && { at }),
    }
  })
}

const proposed = ({ proposal }: Atomicity): string =>
  proposal!.startsWith("scope") ? "Put them in one group: " : proposal!.startsWith("{") ? "Tag them: " : "Use "
