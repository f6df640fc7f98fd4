/* A document's own id is that of its key. */

import type { CheckKind } from "./check.ts"
import { documentOf } from "../../model/subject.ts"

export const recordIdCheck: CheckKind = (row, model) => {
  if (row.declared.entity?.role !== "record") return undefined
  const entity = model.entities.get(row.declared.entity.name)!
  const { idField } = entity
  const secret = row.secrets.has(idField)
  return (subject, inquiry) => {
    const document = documentOf(subject, entity)
    const id = subject.params[idField]!
    if (document === undefined || document[idField] === undefined || String(document[idField]) === id) return
    inquiry.suspect({
      code: "ENTITY.ID",
      row,
      key: subject.key,
      place: { field: idField },
      expected: secret ? "the id of its key" : id,
      found: secret ? "another id" : String(document[idField]).slice(0, 80),
      reads: [{ db: row.db, command: entity.read(subject.key) }],
      isStillWrong: ([reply]) => {
        const now = entity.document(reply!)
        return now?.[idField] !== undefined && String(now[idField]) !== id
      },
    })
  }
}
