/* Sets of ids between two entities: the ids exist, and so does the record that the set belongs to. */

import type { AnyCodec } from "../../../schema/codec/codec.ts"
import { relationRows } from "../../../schema/entity-relations.ts"
import { foreignTo } from "../../model/foreign.ts"
import { idTextOf } from "../../model/id-text.ts"
import { readFrom } from "../finding.ts"
import type { CheckKind } from "./check.ts"
import { readMember } from "./holder.ts"
import { boundOf } from "../../model/subject.ts"
import { showId } from "../../model/entity-model.ts"

export const throughCheck: CheckKind = (row, model) => {
  const relation = relationRows(model.keyspace).find(({ via }) => "set" in via && via.set === row.declared.name)
  if (relation === undefined) return undefined
  const owner = model.entities.get(relation.entity)!
  const target = model.entities.get(relation.target)!
  const param = row.params.find((name) => !owner.bound.includes(name))
  if (param === undefined) return undefined
  const isForeign = foreignTo(model, target)
  const isZset = row.type === "zset"
  const { db } = row
  const codec = row.declared.shape["member"] as AnyCodec
  const isSecret = codec.secret === true || row.secret === true
  const idText = idTextOf(codec)
  return (subject, inquiry) => {
    const { key, params, elements } = subject
    const all = elements.filter((_, i) => (!isZset || i % 2 === 0) && !subject.bad?.has(i)).map(String)
    for (const held of relation.mayDangle === true ? [] : all) {
      const id = idText.of(held)
      const targetKey = target.keyOf(id, boundOf(target, params))
      const dangling = (foreign: boolean) => {
        const shown = isSecret ? "…" : showId(target, id)
        inquiry.suspect({
          code: "THROUGH.DANGLING",
          row,
          key,
          place: { member: shown },
          raw: held,
          expected: `${target.name} ${shown}`,
          found: foreign ? "a key of another pattern" : "no such record",
          reads: [readMember(row, key, held), readFrom(target.record, ["EXISTS", targetKey])],
          isStillWrong: ([member, exists]) => member !== null && member !== 0 && (foreign || exists === 0),
          fix: { db, commands: [[isZset ? "ZREM" : "SREM", key, held]] },
        })
      }
      if (isForeign(targetKey)) dangling(true)
      else inquiry.askExists(target.record.db, targetKey, (there) => void (there === 0 && dangling(false)))
    }
    if (!subject.first) return
    const ownerKey = owner.keyOf(params[param]!, boundOf(owner, params))
    inquiry.askExists(owner.record.db, ownerKey, (exists) => {
      if (exists !== 0) return
      inquiry.suspect({
        code: "THROUGH.ORPHAN",
        row,
        key,
        expected: `${owner.name} ${row.secrets.has(param) ? "…" : showId(owner, params[param]!)}`,
        found: "no such record",
        reads: [readFrom(row, ["EXISTS", key]), readFrom(owner.record, ["EXISTS", ownerKey])],
        isStillWrong: ([there, owned]) => there === 1 && owned === 0,
        fix: { db, commands: [["UNLINK", key]], destroys: true },
      })
    })
  }
}
