/* References from a field of a record: what they name exists. A relation that is
 * declared from the other side (`{ one: "cart", by: "user" }`) is a reference too:
 * the indexed field of the cart names a user. */

import { relationRows } from "../../../schema/entity-relations.ts"
import { foreignTo } from "../../model/foreign.ts"
import { readFrom } from "../finding.ts"
import { seenRecordsOf } from "../seen-records.ts"
import { type EntityModel, showId } from "../../model/entity-model.ts"
import type { Model } from "../../model/model.ts"
import type { CheckKind } from "./check.ts"
import { documentOf } from "../../model/subject.ts"
import { isSecretField } from "../../model/secret-fields.ts"

interface Reference {
  readonly field: string
  readonly target: EntityModel
  /** Whether a key that should be that of the target belongs to another pattern. */
  isForeign(key: string): boolean
}

export const referenceCheck: CheckKind = (row, model) => {
  if (row.declared.entity?.role !== "record") return undefined
  const entity = model.entities.get(row.declared.entity.name)!
  const references = referencesOf(entity, model)
  if (references.length === 0) return undefined
  const existing = seenRecordsOf(model)
  return (subject, inquiry) => {
    const document = documentOf(subject, entity)
    if (document === undefined) return
    for (const { field, target, isForeign } of references) {
      const value = document[field]
      if (value === undefined || value === null || typeof value === "object") continue
      const id = String(value)
      if (existing.has(target, id, subject.params)) continue
      const key = target.keyOf(id, subject.params)
      const { db } = target.record
      const shown = isSecretField(row, field) ? "…" : showId(target, id.slice(0, 80))
      const missing = (foreign: boolean) =>
        inquiry.suspect({
          code: "REFERENCE.MISSING",
          row,
          key: subject.key,
          place: { field },
          raw: field,
          expected: `${target.name} ${shown}`,
          found: foreign ? "a key of another pattern" : "no such record",
          reads: [readFrom(row, entity.read(subject.key)), readFrom(target.record, ["EXISTS", key])],
          isStillWrong: ([record, there]) => {
            const now = entity.document(record!)?.[field]
            return now !== undefined && now !== null && String(now) === id && (foreign || there === 0)
          },
        })
      if (isForeign(key)) missing(true)
      else
        inquiry.askExists(db, key, (exists) => {
          if (exists === 1) existing.add(target, id, subject.params)
          if (exists === 0) missing(false)
        })
    }
  }
}

/** Each field once, whichever side declares it. One that may dangle for somebody may dangle. */
function referencesOf(entity: EntityModel, model: Model): Reference[] {
  const found = new Map<string, Reference>()
  const loose = new Set<string>()
  for (const { entity: from, target, via, mayDangle } of relationRows(model.keyspace)) {
    const reference =
      "field" in via && from === entity.name
        ? { field: via.field, target }
        : "index" in via && target === entity.name
          ? { field: (via.unique ? entity.entity.unique : entity.entity.index)[via.index]!.fields[0]!, target: from }
          : undefined
    if (reference === undefined) continue
    const name = `${reference.field} ${reference.target}`
    if (mayDangle === true) loose.add(name)
    const referred = model.entities.get(reference.target)!
    found.set(name, { field: reference.field, target: referred, isForeign: foreignTo(model, referred) })
  }
  return [...found].filter(([name]) => !loose.has(name)).map(([, reference]) => reference)
}
