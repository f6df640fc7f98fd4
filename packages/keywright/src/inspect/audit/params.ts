/* Keys that have the form of their pattern, with a segment that its codec does not read:
 * no client builds or understands such a key, so somebody wrote it by other rules. What
 * is derived from records is looked up from both sides anyway. */

import { checkedParams, readsSegment } from "../model/segments.ts"
import type { KeyCheck } from "../model/subject.ts"

export const paramsCheck: KeyCheck = ({ declared: row }) => {
  const checked = checkedParams(row)
  if (checked.length === 0 || (row.entity !== undefined && row.entity.role !== "record")) return undefined
  return ({ model, key, params, first }, inquiry) => {
    if (!first) return
    for (const [name, codec] of checked) {
      const text = params[name]!
      if (readsSegment(codec, text)) continue
      inquiry.suspect({
        code: "KEY.SEGMENT",
        model,
        key,
        raw: name,
        expected: `${name}: ${codec.name}`,
        found: codec.secret ? "something else" : JSON.stringify(text),
        reads: [{ db: model.db, command: ["EXISTS", key] }],
        holds: ([now]) => now === 1,
        fix: { db: model.db, commands: [["UNLINK", key]], destroys: true },
      })
    }
  }
}
