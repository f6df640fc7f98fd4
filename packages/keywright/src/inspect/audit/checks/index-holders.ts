/* From an index entry to its record: it exists, and leads back to this entry. */

import type { Reply } from "../../../driver/driver.ts"
import { KeywrightError } from "../../../errors/error.ts"
import type { AnyCodec } from "../../../schema/codec/codec.ts"
import type { FindingCodeName } from "../finding-codes.ts"
import { undecodable } from "../../model/decoding.ts"
import type { Inquiry } from "../inquiry.ts"
import { type EntityModel, hidesIds, type IndexModel, leadsTo } from "../../model/entity-model.ts"
import { expiredRead, isNoted } from "./expired.ts"
import { foreignTo } from "../../model/foreign.ts"
import { readFrom } from "../finding.ts"
import type { CheckKind } from "./check.ts"
import { boundOf, type Subject } from "../../model/subject.ts"

export const indexHoldersCheck: CheckKind = (row, model) => {
  const { entity: place } = row.declared
  if (place?.index === undefined) return undefined
  const entity = model.entities.get(place.name)!
  const index = entity.indexes.find((one) => one.row === row)!
  const width = index.kind === "zset" ? 2 : 1
  // An invalid id is a separate finding.
  const codec = (row.declared.shape["member"] ?? row.declared.shape["value"]) as AnyCodec
  const isJson = entity.entity.store.as === "json"
  const { db } = entity.record
  const isForeign = foreignTo(model, entity)

  return (subject, inquiry) => {
    const bound = boundOf(entity, subject.params)
    const ids: string[] = []
    for (let i = 0; i < subject.elements.length; i += width)
      if (undecodable(codec, subject.elements[i]!, true) === undefined) ids.push(String(subject.elements[i]))

    const judge = (held: string, reply: Reply): void => {
      if (reply instanceof KeywrightError) return
      const isGone = reply === null || (Array.isArray(reply) && reply.length === 0)
      const document = isGone ? undefined : entity.document(reply)
      if (isGone) suspectEntry(subject, inquiry, entity, index, held, "gone")
      else if (document !== undefined && !leadsTo(index, document, bound, subject.params))
        suspectEntry(subject, inquiry, entity, index, held, "stale")
    }
    for (const held of ids) {
      const key = entity.keyOf(entity.idText.of(held), bound)
      if (isForeign(key)) suspectEntry(subject, inquiry, entity, index, held, "foreign")
      else if (isJson) inquiry.askGet(db, key, (reply) => judge(held, reply))
      else inquiry.ask(db, entity.read(key), (reply) => judge(held, reply))
    }
  }
}

/** What looks for an entry, and what removes it. */
const COMMANDS = { unique: ["GET", "UNLINK"], set: ["SISMEMBER", "SREM"], zset: ["ZSCORE", "ZREM"] } as const

/** What an entry leads to: nothing, a record with another value, or a key that is not a record. */
type Wrong = "gone" | "stale" | "foreign"

/** The entry leads to nothing, or to something that belongs elsewhere. */
function suspectEntry(
  subject: Subject,
  inquiry: Inquiry,
  entity: EntityModel,
  index: IndexModel,
  held: string,
  wrong: Wrong,
): void {
  const { key, params, row } = subject
  const { db } = row
  const bound = boundOf(entity, params)
  const id = entity.idText.of(held)
  const recordKey = entity.keyOf(id, bound)
  const isExpired = wrong === "gone" && entity.expires && index.kind !== "unique"
  const code = `${index.area}.${isExpired ? "EXPIRED" : wrong === "stale" ? "STALE" : "DANGLING"}` as FindingCodeName
  const words = index.kind === "unique" ? [key] : [key, held]
  const [look, remove] = COMMANDS[index.kind]
  const shown = hidesIds(entity, index.row) ? "…" : id
  inquiry.suspect({
    code,
    row,
    key,
    ...(index.kind !== "unique" && { place: { member: shown } }),
    raw: held,
    expected:
      wrong === "stale" ? `a record with ${index.index.fields.join(", ")} as in this key` : `${entity.name} ${shown}`,
    found: {
      gone: "no such record",
      stale: `${entity.name} ${shown}, which has another value`,
      foreign: "a key of another pattern",
    }[wrong],
    reads: [
      readFrom(row, [look, ...words]),
      readFrom(entity.record, ["EXISTS", recordKey]),
      ...(wrong === "gone" ? [expiredRead(inquiry.model, entity, bound)] : []),
      ...(wrong === "stale" ? [readFrom(entity.record, entity.read(recordKey))] : []),
    ],
    isStillWrong: ([entry, exists, more]) => {
      if (entry === null || entry === 0 || (index.kind === "unique" && entry !== held)) return false
      if (wrong === "foreign") return true
      if (wrong === "gone") return exists === 0 && !isNoted(inquiry.model, entity, more!, id, key)
      const document = entity.document(more!)
      return exists === 1 && document !== undefined && !leadsTo(index, document, bound, params)
    },
    fix: { db, commands: [[remove, ...words]] },
  })
}
