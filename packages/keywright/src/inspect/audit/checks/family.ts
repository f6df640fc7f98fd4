/* Keys of a family have one deadline. Most of the time what a walk remembers of a
 * family's other keys shows that theirs is the same; the server is asked when it differs,
 * or when the memory, which is fixed, holds another family. */

import { getOrMake } from "../../walk/get-or-make.ts"
import { hashInto } from "../../walk/keyed-hash.ts"
import type { Inquiry } from "../inquiry.ts"
import type { Model, KeyModel } from "../../model/model.ts"
import type { ParamTexts } from "../../model/entity-model.ts"
import { spell } from "../../model/spell.ts"
import type { CheckKind } from "./check.ts"
import type { Subject } from "../../model/subject.ts"

const SLOTS = 1 << 18
const hash = new Uint32Array(2)

export const familyCheck: CheckKind = ({ declared }, model) => {
  if (declared.family === undefined) return undefined
  const remembered = memoryOf(model)
  return (subject, inquiry) => {
    if (!subject.first || subject.ttl < 0) return
    const name = `${subject.row.db} ${declared.family} ${subject.row.params.map((param) => subject.params[param]).join(" ")}`
    hashInto(hash, 0, name)
    const slot = hash[0]! & (SLOTS - 1)
    const mark = hash[1]!
    const known = remembered.marks[slot]
    if (known === mark && remembered.deadlines[slot] === subject.ttl) return
    remembered.marks[slot] = mark
    remembered.deadlines[slot] = subject.ttl
    if (known !== 0) compareAll(subject, inquiry)
  }
}

/** Compares the deadlines of a family, whatever is remembered of it. */
export const deadlinesCheck: CheckKind = ({ declared }) => (declared.family === undefined ? undefined : compareAll)

interface Memory {
  readonly marks: Uint32Array
  readonly deadlines: Float64Array
}

const memories = new WeakMap<Model, Memory>()

/** What all families of an audit share. */
const memoryOf = (model: Model): Memory =>
  getOrMake(memories, model, () => ({ marks: new Uint32Array(SLOTS), deadlines: new Float64Array(SLOTS) }))

interface Member {
  readonly member: KeyModel
  readonly key: string
  readonly deadline: number
}

/** The keys of a family that these parameters decide, in the order in which their deadlines count: the marker, then as declared. */
export const membersOf = ({ db, declared: { family } }: KeyModel, params: ParamTexts, { keys }: Model): KeyModel[] =>
  family === undefined
    ? []
    : [...keys.values()]
        .filter(
          (other) =>
            other.db === db && other.declared.family === family && other.params.every((param) => param in params),
        )
        .sort((a, b) => Number(b.declared.marker === true) - Number(a.declared.marker === true))

/** The key of a family whose deadline counts for all, and those that would count before it and have none. */
interface Leader {
  readonly first: Member
  readonly before: readonly string[]
}

/** Asks for the deadlines of all keys of a family; the first of those that have one counts for all. */
export function askDeadlines(
  { row, params }: Subject,
  inquiry: Inquiry,
  then: (leader: Leader | undefined, all: readonly Member[]) => void,
): void {
  const { db } = row
  const members = membersOf(row, params, inquiry.model)
  const found: Member[] = []
  let answers = 0
  members.forEach((member, i) => {
    const key = spell(member, params)
    inquiry.ask(db, ["PEXPIRETIME", key], (deadline) => {
      found[i] = { member, key, deadline: Number(deadline) }
      if (++answers < members.length) return
      const at = found.findIndex((one) => one.deadline > 0)
      const leader = at < 0 ? undefined : { first: found[at]!, before: found.slice(0, at).map((one) => one.key) }
      then(leader, found)
    })
  })
}

function compareAll(subject: Subject, inquiry: Inquiry): void {
  const { db } = subject.row
  askDeadlines(subject, inquiry, (leader, all) => {
    if (leader === undefined) return
    const { first, before } = leader
    for (const { member, key, deadline } of all) {
      if (!(deadline > 0) || deadline === first.deadline) continue
      inquiry.suspect({
        code: "TTL.FAMILY",
        row: member,
        key,
        expected: `the deadline of ${first.member.declared.pattern}`,
        found: `a deadline ${Math.abs(deadline - first.deadline)} ms ${deadline < first.deadline ? "before" : "after"} it`,
        reads: [first.key, key, ...before].map((one) => ({ db, command: ["PEXPIRETIME", one] })),
        isStillWrong: ([one, other, ...none]) =>
          Number(one) > 0 && Number(other) > 0 && one !== other && none.every((each) => Number(each) < 0),
        fix: { db, commands: [["PEXPIREAT", key, String(first.deadline)]] },
      })
    }
  })
}
