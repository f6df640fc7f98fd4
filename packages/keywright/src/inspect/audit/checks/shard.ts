/* Keys under the tag of another shard than that of the parameters which decide: no client
 * finds them. Written with another number of shards, or by hand. */

import { isDecided } from "../../../schema/shard.ts"
import type { CheckKind } from "./check.ts"

export const shardCheck: CheckKind = ({ declared }) => {
  const rule = declared.params["shard"]?.shard
  if (rule === undefined || !isDecided(rule, declared.params)) return undefined
  return ({ row, key, params, first }, inquiry) => {
    if (!first) return
    const expected = rule.tagOfTexts(params)
    if (expected === undefined || params["shard"] === expected) return
    inquiry.suspect({
      code: "SHARD.WRONG",
      row,
      key,
      raw: "shard",
      expected: `shard: ${expected}`,
      found: JSON.stringify(params["shard"]),
      reads: [{ db: row.db, command: ["EXISTS", key] }],
      isStillWrong: ([now]) => now === 1,
    })
  }
}
