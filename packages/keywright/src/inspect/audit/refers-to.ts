/* Ids that refer to a key, a member or a field elsewhere: it exists. */

import { askGrouped, holderOf } from "./holder.ts"
import type { Check, Look } from "./subject.ts"

export const refersToCheck: Check = (row, model) => {
  const looks = model.keyspace.invariants.flatMap((rule): Look[] => {
    if (rule.kind !== "reference" || rule.from !== row.row.name) return []
    const from = holderOf(row, rule.id)
    const to = holderOf(model.rows.get(rule.to)!, rule.id)
    if (from === undefined || to === undefined) return []
    return [
      (subject, desk) => {
        for (const id of from.ids(subject)) {
          const there = to.asks(id, subject.params)
          const here = from.asks(id, subject.params)
          if (there === undefined || here === undefined) continue
          const place = from.place(id)
          askGrouped(desk, to.model.db, there.command, (reply) => {
            if (to.has(reply, id) || (typeof reply === "object" && reply !== null)) return
            desk.suspect({
              code: "REFERS.DANGLING",
              model: row,
              key: subject.key,
              ...(place !== undefined && { place }),
              raw: id,
              expected: to.model.show(there.key),
              found: "no such thing",
              reads: [
                { db: row.db, command: here.command },
                { db: to.model.db, command: there.command },
              ],
              holds: ([mine, theirs]) => from.has(mine!, id) && !to.has(theirs!, id),
              fix: { db: row.db, commands: [from.remove(id, subject.key)] },
            })
          })
        }
      },
    ]
  })
  return looks.length === 0 ? undefined : (subject, desk) => looks.forEach((look) => look(subject, desk))
}
