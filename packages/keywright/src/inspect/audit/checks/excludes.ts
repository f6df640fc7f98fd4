/* Two collections that exclude each other: what is in the truth must not be in the other. */

import type { AnyCodec } from "../../../schema/codec/codec.ts"
import { hasSameMembers } from "../../../schema/excludes.ts"
import { graceOf } from "../grace.ts"
import { askGrouped, readMember } from "./holder.ts"
import { paramOf } from "./inverse.ts"
import { idTextOf } from "../../model/id-text.ts"
import type { KeyModel } from "../../model/model.ts"
import { spell } from "../../model/spell.ts"
import type { CheckKind, CheckKey } from "./check.ts"

/** Checked from the side that is not the truth: an id that is in both is found there once. */
export const excludesCheck: CheckKind = (row, model) =>
  model.keyspace.invariants.flatMap((rule): CheckKey[] => {
    if (rule.kind !== "exclusive" || rule.truth === row.declared.name || !rule.keys.includes(row.declared.name))
      return []
    const truth = model.keys.get(rule.truth)
    return truth === undefined ? [] : [checkFrom(row, truth, graceOf(rule))]
  })

function checkFrom(own: KeyModel, truth: KeyModel, grace: ReturnType<typeof graceOf>): CheckKey {
  const codec = own.declared.shape["member"] as AnyCodec
  const isCrossed = !hasSameMembers(own.declared, truth.declared)
  const ownParam = isCrossed ? paramOf(own, truth.declared.shape["member"] as AnyCodec) : ""
  const truthParam = isCrossed ? paramOf(truth, codec) : ""
  const [ownText, truthText] = [idTextOf(codec), idTextOf(truth.declared.shape["member"] as AnyCodec)]
  const width = own.type === "zset" ? 2 : 1
  return (subject, inquiry) => {
    for (let i = 0; i < subject.elements.length; i += width) {
      if (subject.bad?.has(i)) continue
      const member = String(subject.elements[i])
      const id = ownText.of(member)
      const texts = isCrossed ? { ...subject.params, [truthParam]: id } : subject.params
      const there = readMember(truth, spell(truth, texts), truthText.held(isCrossed ? subject.params[ownParam]! : id))
      askGrouped(inquiry, there.db, there.command, (reply) => {
        if (!isThere(reply)) return
        inquiry.suspect({
          code: "EXCLUDES.BOTH",
          row: own,
          key: subject.key,
          place: { member: codec.secret === true ? "…" : member.slice(0, 80) },
          raw: member,
          expected: `nothing that ${truth.declared.pattern} has`,
          found: "one that it has",
          reads: [readMember(own, subject.key, member), there],
          isStillWrong: ([here, ruledOut]) => isThere(here) && isThere(ruledOut),
          fix: { db: own.db, commands: [[own.type === "zset" ? "ZREM" : "SREM", subject.key, member]] },
          ...grace,
        })
      })
    }
  }
}

/** A set answers 1, a sorted set the score; errors are neither. */
const isThere = (reply: unknown): boolean => reply === 1 || typeof reply === "string"
