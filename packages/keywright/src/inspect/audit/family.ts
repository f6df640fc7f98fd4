/* Keys of a family have one deadline. Most of the time what a walk remembers of a
 * family's other keys shows that theirs is the same; the server is asked when it differs,
 * or when the memory, which is fixed, holds another family. */

import { hashText, OTHER_SEED } from "../walk/hash-text.ts"
import type { Inquiry } from "./inquiry.ts"
import type { Model, KeyModel } from "../model/model.ts"
import { spell } from "../model/spell.ts"
import type { KeyCheck, Subject } from "../model/subject.ts"

const SLOTS = 1 << 18

export const familyCheck: KeyCheck = ({ declared: row }, model) => {
  if (row.family === undefined) return undefined
  const remembered = memoryOf(model)
  return (subject, inquiry) => {
    if (!subject.first || subject.ttl < 0) return
    const name = `${subject.model.db} ${row.family} ${subject.model.params.map((param) => subject.params[param]).join(" ")}`
    const slot = hashText(name) & (SLOTS - 1)
    const mark = hashText(name, OTHER_SEED)
    const known = remembered.marks[slot]
    if (known === mark && remembered.deadlines[slot] === subject.ttl) return
    remembered.marks[slot] = mark
    remembered.deadlines[slot] = subject.ttl
    if (known !== 0) compareAll(subject, inquiry)
  }
}

interface Memory {
  readonly marks: Uint32Array
  readonly deadlines: Float64Array
}

const memories = new WeakMap<Model, Memory>()

/** What all families of an audit share. */
function memoryOf(model: Model): Memory {
  let memory = memories.get(model)
  if (memory === undefined) {
    memory = { marks: new Uint32Array(SLOTS), deadlines: new Float64Array(SLOTS) }
    memories.set(model, memory)
  }
  return memory
}

interface Member {
  readonly member: KeyModel
  readonly key: string
  readonly deadline: number
}

/** Asks for the deadlines of all keys of a family; the first of those that have one counts for all. */
function askAll({ model, params }: Subject, inquiry: Inquiry, then: (living: readonly Member[]) => void): void {
  const { db } = model
  const members = [...inquiry.model.keys.values()].filter(
    (other) =>
      other.db === db &&
      other.declared.family === model.declared.family &&
      other.params.every((param) => param in params),
  )
  const found: Member[] = []
  for (const member of members) {
    const key = spell(member, params)
    inquiry.ask(db, ["PEXPIRETIME", key], (deadline) => {
      found.push({ member, key, deadline: Number(deadline) })
      if (found.length < members.length) return
      const living = found.filter((one) => one.deadline > 0)
      then(
        living.toSorted(
          (a, b) => Number(b.member.declared.marker === true) - Number(a.member.declared.marker === true),
        ),
      )
    })
  }
}

/** The key of a family whose deadline another one should have; undefined when none of them has one. */
export const askDeadline = (
  subject: Subject,
  inquiry: Inquiry,
  then: (first: { readonly key: string; readonly deadline: number } | undefined) => void,
): void => askAll(subject, inquiry, ([first]) => then(first))

function compareAll(subject: Subject, inquiry: Inquiry): void {
  const { db } = subject.model
  askAll(subject, inquiry, (living) => {
    const [first] = living
    for (const { member, key, deadline } of living) {
      if (first === undefined || deadline === first.deadline) continue
      inquiry.suspect({
        code: "TTL.FAMILY",
        model: member,
        key,
        expected: `the deadline of ${first.member.declared.pattern}`,
        found: `a deadline ${Math.abs(deadline - first.deadline)} ms ${deadline < first.deadline ? "before" : "after"} it`,
        reads: [
          { db, command: ["PEXPIRETIME", first.key] },
          { db, command: ["PEXPIRETIME", key] },
        ],
        holds: ([one, other]) => Number(one) > 0 && Number(other) > 0 && one !== other,
        fix: { db, commands: [["PEXPIREAT", key, String(first.deadline)]] },
      })
    }
  })
}
