/* The set of all ids, both ways. */

import type { AnyCodec } from "../../../schema/codec/codec.ts"
import { undecodable } from "../../model/decoding.ts"
import { expiredRead, isNoted } from "./expired.ts"
import { foreignTo } from "../../model/foreign.ts"
import { readFrom } from "../finding.ts"
import { spell } from "../../model/spell.ts"
import type { CheckKind } from "./check.ts"
import { boundOf, documentOf } from "../../model/subject.ts"
import { showId } from "../../model/entity-model.ts"

/** A record must be in the set of all ids. */
export const listEntryCheck: CheckKind = (row, model) => {
  if (row.declared.entity?.role !== "record") return undefined
  const entity = model.entities.get(row.declared.entity.name)!
  const { list } = entity
  if (list === undefined) return undefined
  return (subject, inquiry) => {
    if (!subject.first) return
    const id = subject.params[entity.idField]!
    const key = spell(list, subject.params)
    const held = entity.idText.held(id)
    inquiry.askMember(list.db, key, held, (has) => {
      // Something that is not a record at all is not expected to be listed.
      if (has !== 0 || documentOf(subject, entity) === undefined) return
      // An id without the declared quotes is a separate finding.
      if (held === id) missing()
      else inquiry.askMember(list.db, key, id, (bare) => void (bare === 0 && missing()))
    })
    const missing = () => {
      const shown = showId(entity, id)
      inquiry.suspect({
        code: "LIST.MISSING",
        row: list,
        key,
        place: { member: shown },
        raw: id,
        expected: `${entity.name} ${shown}`,
        found: "no such member",
        reads: [readFrom(row, ["EXISTS", subject.key]), readFrom(list, ["SISMEMBER", key, held])],
        isStillWrong: ([exists, listed]) => exists === 1 && listed === 0,
        fix: { db: list.db, commands: [["SADD", key, held]] },
      })
    }
  }
}

/** Every id in the set of all ids has a record. */
export const listHoldersCheck: CheckKind = (row, model) => {
  if (row.declared.entity?.role !== "all") return undefined
  const entity = model.entities.get(row.declared.entity.name)!
  const { db } = entity.record
  const codec = row.declared.shape["member"] as AnyCodec
  const isForeign = foreignTo(model, entity)
  return (subject, inquiry) => {
    const bound = boundOf(entity, subject.params)
    for (const member of subject.elements) {
      // An invalid id is a separate finding.
      if (undecodable(codec, member, true) !== undefined) continue
      const held = String(member)
      const recordKey = entity.keyOf(entity.idText.of(held), bound)
      if (isForeign(recordKey)) dangling(held, recordKey, true)
      else inquiry.askExists(db, recordKey, (there) => void (there === 0 && dangling(held, recordKey, false)))
    }
    function dangling(held: string, recordKey: string, foreign: boolean): void {
      const id = entity.idText.of(held)
      const shown = showId(entity, id)
      inquiry.suspect({
        code: entity.expires && !foreign ? "LIST.EXPIRED" : "LIST.DANGLING",
        row,
        key: subject.key,
        place: { member: shown },
        raw: held,
        expected: `${entity.name} ${shown}`,
        found: foreign ? "a key of another pattern" : "no such record",
        reads: [
          readFrom(row, ["SISMEMBER", subject.key, held]),
          readFrom(entity.record, ["EXISTS", recordKey]),
          expiredRead(model, entity, bound),
        ],
        isStillWrong: ([listed, exists, notes]) =>
          listed === 1 && (foreign || (exists === 0 && !isNoted(model, entity, notes!, id, subject.key))),
        fix: { db: row.db, commands: [["SREM", subject.key, held]] },
      })
    }
  }
}
