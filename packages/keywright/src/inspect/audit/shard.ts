/* Keys under the tag of another shard than that of the parameters which decide: no client
 * finds them. Written with another number of shards, or by hand. */

import { isDecided } from "../../schema/shard.ts"
import type { KeyCheck } from "../model/subject.ts"

export const shardCheck: KeyCheck = ({ declared: row }) => {
  const rule = row.params["shard"]?.shard
  if (rule === undefined || !isDecided(rule, row.params)) return undefined
  return ({ model, key, params, first }, inquiry) => {
    if (!first) return
    const expected = rule.tagOfTexts(params)
    if (expected === undefined || params["shard"] === expected) return
    inquiry.suspect({
      code: "SHARD.WRONG",
      model,
      key,
      raw: "shard",
      expected: `shard: ${expected}`,
      found: JSON.stringify(params["shard"]),
      reads: [{ db: model.db, command: ["EXISTS", key] }],
      holds: ([now]) => now === 1,
    })
  }
}
