/* Keys that have the form of their pattern, with a segment that its codec does not read:
 * no client builds or understands such a key, so somebody wrote it by other rules. What
 * is derived from records is looked up from both sides anyway. */

import { checkedParams, readsSegment } from "../../model/segments.ts"
import type { CheckKind } from "./check.ts"

export const paramsCheck: CheckKind = ({ declared }) => {
  const checked = checkedParams(declared)
  if (checked.length === 0 || (declared.entity !== undefined && declared.entity.role !== "record")) return undefined
  return ({ row, key, params, first }, inquiry) => {
    if (!first) return
    for (const [name, codec] of checked) {
      const text = params[name]!
      if (readsSegment(codec, text)) continue
      inquiry.suspect({
        code: "KEY.SEGMENT",
        row,
        key,
        raw: name,
        expected: `${name}: ${codec.name}`,
        found: codec.secret ? "something else" : JSON.stringify(text),
        reads: [{ db: row.db, command: ["EXISTS", key] }],
        isStillWrong: ([now]) => now === 1,
        fix: { db: row.db, commands: [["UNLINK", key]], destroys: true },
      })
    }
  }
}
