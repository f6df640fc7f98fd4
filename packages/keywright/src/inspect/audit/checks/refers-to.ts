/* Ids that refer to a key, a member or a field elsewhere: it exists, in one of the places
 * that are declared for it. */

import { targetsOf, whereOf, type InvariantRule } from "../../../schema/invariant.ts"
import { placesOf } from "../../../schema/place.ts"
import { type Gathering, gatheringName, gatheringsOf } from "../gathered.ts"
import { readFrom } from "../finding.ts"
import { graceOf } from "../grace.ts"
import { askGrouped, type IdHolder, holderOf } from "./holder.ts"
import type { Model, KeyModel } from "../../model/model.ts"
import type { CheckKind, CheckKey } from "./check.ts"
import type { Subject } from "../../model/subject.ts"
import type { Inquiry, Suspicion } from "../inquiry.ts"
import { spellsOut } from "../../model/secret-fields.ts"

type ReferenceRule = Extract<InvariantRule, { kind: "reference" }>

export const refersToCheck: CheckKind = (row, model) =>
  model.keyspace.invariants.flatMap((rule): CheckKey[] => {
    if (rule.kind !== "reference" || whereOf(rule.from).key !== row.declared.name) return []
    const from = holderOf(row, rule.id, whereOf(rule.from).place)
    const targets = targetsIn(rule, model)
    if (from === undefined || targets === undefined) return []
    return [
      (subject, inquiry) => {
        for (const id of from.ids(subject)) follow(rule, from, targets, id, subject, inquiry)
      },
    ]
  })

interface Targets {
  readonly asked: readonly IdHolder[]
  readonly gathered: readonly Gathering[]
}

/** Undefined when one of them is in a database that is not audited: then it cannot be decided. */
function targetsIn(rule: ReferenceRule, model: Model): Targets | undefined {
  const asked: IdHolder[] = []
  const gathered: Gathering[] = []
  for (const where of targetsOf(rule)) {
    const { key, place } = whereOf(where)
    const row = model.keys.get(key)
    if (row === undefined) return undefined
    const gathering = gatheringsOf(model).get(gatheringName(row, place ?? placesOf(row.declared, rule.id)[0]!))
    const holder = holderOf(row, rule.id, place)
    if (gathering !== undefined) gathered.push(gathering)
    else if (holder === undefined) return undefined
    else asked.push(holder)
  }
  return { asked, gathered }
}

function follow(
  rule: ReferenceRule,
  from: IdHolder,
  { asked, gathered }: Targets,
  id: string,
  subject: Subject,
  inquiry: Inquiry,
): void {
  if (gathered.some((ids) => ids.has(id))) return
  const here = from.asks(id, subject.params)
  const there = asked.map((to) => to.asks(id, subject.params))
  if (here === undefined || there.some((one) => one === undefined)) return
  const isWhole = from.removesKey
  // Made only when something is missing: there is one for each id.
  const suspicion = (place = from.place(id)): Suspicion => ({
    code: isWhole ? "REFERS.ORPHAN" : "REFERS.DANGLING",
    row: from.row,
    key: subject.key,
    ...(place !== undefined && { place }),
    raw: isWhole && place !== undefined ? `${Object.values(place).join()} ${id}` : id,
    expected: expectedOf(rule, from, asked, there as readonly { key: string }[], inquiry.model),
    found: "no such thing",
    reads: [readFrom(from.row, here.command), ...asked.map((to, i) => readFrom(to.row, there[i]!.command))],
    isStillWrong: ([mine, ...theirs]) =>
      from.has(mine!, id) && !asked.some((to, i) => to.has(theirs[i]!, id)) && !gathered.some((ids) => ids.has(id)),
    fix: { db: from.row.db, commands: [from.remove(id, subject.key)], ...(isWhole && { destroys: true }) },
    ...graceOf(rule),
  })
  let left = asked.length
  const missing = () => void (gathered.length > 0 ? inquiry.suspectLater(suspicion()) : inquiry.suspect(suspicion()))
  if (left === 0) return missing()
  asked.forEach((to, i) =>
    askGrouped(inquiry, to.row.db, there[i]!.command, (reply) => {
      if (to.has(reply, id) || (typeof reply === "object" && reply !== null)) return
      if (--left === 0) missing()
    }),
  )
}

function expectedOf(
  rule: ReferenceRule,
  from: IdHolder,
  asked: readonly IdHolder[],
  there: readonly { readonly key: string }[],
  model: Model,
): string {
  const isOpen = (to: IdHolder) => (to.isSecret || !from.isSecret) && !spellsOut(from.row, to.row, to.row.params)
  const keys = asked.map((to, i) => (isOpen(to) ? to.row.show(there[i]!.key) : to.row.declared.pattern))
  const hashes = targetsOf(rule)
    .map((where) => model.keys.get(whereOf(where).key)!)
    .filter((row) => !asked.some((to) => to.row === row))
  return [...keys, ...hashes.map((row: KeyModel) => `one of ${row.declared.pattern}`)].join(" or ")
}
