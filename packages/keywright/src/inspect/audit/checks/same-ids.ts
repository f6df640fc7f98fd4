/* The same ids in several keys: what the truth has, all have, and nothing else. */

import { readFrom } from "../finding.ts"
import { graceOf } from "../grace.ts"
import { askGrouped, type IdHolder, holderOf } from "./holder.ts"
import type { CheckKind, CheckKey } from "./check.ts"
import type { Subject } from "../../model/subject.ts"
import type { Inquiry } from "../inquiry.ts"

export const sameIdsCheck: CheckKind = (row, model) =>
  model.keyspace.invariants.flatMap((rule): CheckKey[] => {
    if (rule.kind !== "same" || !rule.keys.includes(row.declared.name)) return []
    const holders = rule.keys.map((name) => {
      const held = model.keys.get(name)
      return held && holderOf(held, rule.id)
    })
    const own = holders[rule.keys.indexOf(row.declared.name)]
    const truth = holders[rule.keys.indexOf(rule.truth)]
    if (own === undefined || truth === undefined) return []
    const others = own === truth ? holders.filter((one) => one !== undefined && one !== truth) : [truth]
    return others.map((other) => (subject, inquiry) => {
      for (const id of own.ids(subject)) compare(subject, inquiry, own, other!, id, own === truth, graceOf(rule))
    })
  })

/** `own` holds the id: `other` must, too. Where own is the truth, the other lacks it; else own has one too many. */
function compare(
  subject: Subject,
  inquiry: Inquiry,
  own: IdHolder,
  other: IdHolder,
  id: string,
  isTruth: boolean,
  grace: ReturnType<typeof graceOf>,
): void {
  const there = other.asks(id, subject.params)
  if (there === undefined) return
  askGrouped(inquiry, other.row.db, there.command, (reply) => {
    if (other.has(reply, id) || (typeof reply === "object" && reply !== null)) return
    const here = own.asks(id, subject.params)!
    const wrong = isTruth ? other : own
    const wrongKey = isTruth ? there.key : here.key
    const place = wrong.place(id)
    inquiry.suspect({
      code: isTruth ? "SAME.MISSING" : "SAME.EXTRA",
      row: wrong.row,
      key: wrongKey,
      ...(place !== undefined && { place }),
      raw: id,
      expected: isTruth ? `what ${own.row.declared.pattern} has` : `only what ${other.row.declared.pattern} has`,
      found: isTruth ? "it is missing" : "one more",
      reads: [readFrom(own.row, here.command), readFrom(other.row, there.command)],
      isStillWrong: ([mine, theirs]) => own.has(mine!, id) && !other.has(theirs!, id),
      ...fixOf(wrong, id, wrongKey, isTruth),
      ...grace,
    })
  })
}

function fixOf(wrong: IdHolder, id: string, key: string, isTruth: boolean) {
  const command = isTruth ? wrong.add(id, key) : wrong.remove(id, key)
  return command === undefined ? {} : { fix: { db: wrong.row.db, commands: [command] } }
}
