/* From a record to its index entries: each must be there, with the right score. */

import type { Command, Reply } from "../../../driver/driver.ts"
import { KeywrightError } from "../../../errors/error.ts"
import type { FindingCodeName } from "../finding-codes.ts"
import { type ReadCommand, readFrom } from "../finding.ts"
import type { Inquiry } from "../inquiry.ts"
import { unlessRefused } from "../../model/decoding.ts"
import {
  type Document,
  type EntityModel,
  entryOf,
  hidesIds,
  type IndexModel,
  leadsTo,
  scoreOf,
  type ParamTexts,
} from "../../model/entity-model.ts"
import { foreignTo } from "../../model/foreign.ts"
import { spellSafely } from "../../model/spell.ts"
import type { CheckKind } from "./check.ts"
import { boundOf, documentOf } from "../../model/subject.ts"
import { isSecretField } from "../../model/secret-fields.ts"

export const indexEntriesCheck: CheckKind = (row, model) => {
  if (row.declared.entity?.role !== "record") return undefined
  const entity = model.entities.get(row.declared.entity.name)!
  if (entity.indexes.length === 0) return undefined
  const isForeign = foreignTo(model, entity)
  return (subject, inquiry) => {
    const document = documentOf(subject, entity)
    if (document === undefined) return
    const bound = boundOf(entity, subject.params)
    const id = subject.params[entity.idField]!
    for (const index of entity.indexes) {
      const texts = textsOf(index, document, bound)
      if (texts === undefined) continue
      const key = texts === "unfit" ? undefined : spellSafely(index.row, texts)
      const at: EntryAt = { entity, index, id, bound, recordKey: subject.key, document, inquiry, isForeign }
      if (texts === "unfit" || key === undefined) notIndexable(at)
      else askEntry(at, texts, key)
    }
  }
}

interface EntryAt {
  readonly entity: EntityModel
  readonly index: IndexModel
  readonly id: string
  readonly bound: ParamTexts
  readonly recordKey: string
  readonly document: Document
  readonly inquiry: Inquiry
  /** Whether a key that should be a record belongs to another pattern. */
  isForeign(key: string): boolean
}

const textsOf = (index: IndexModel, document: Document, bound: ParamTexts): ParamTexts | "unfit" | undefined =>
  unlessRefused(() => entryOf(index, document, bound), "unfit")

function askEntry(at: EntryAt, texts: ParamTexts, key: string): void {
  const { entity, index, id, document, inquiry } = at
  const { db } = index.row
  const held = entity.idText.held(id)
  // An id without the declared quotes is a separate finding.
  const isBare = (bare: Reply) => held !== id && bare !== 0 && bare !== null
  if (index.kind === "unique") {
    inquiry.askGet(db, key, (holder) => {
      if (holder === held || holder instanceof KeywrightError || isBare(holder === id ? 1 : 0)) return
      if (holder === null) lacks(at, texts, key)
      else if (typeof holder === "string") heldBy(at, holder, texts, key)
    })
  } else if (index.kind === "set") {
    inquiry.askMember(db, key, held, (has) => {
      if (has !== 0) return
      if (held === id) lacks(at, texts, key)
      else inquiry.askMember(db, key, id, (bare) => void (isBare(bare) || lacks(at, texts, key)))
    })
  } else {
    const score = scoreOf(document[index.index.score!])
    inquiry.ask(db, ["ZSCORE", key, held], (found) => {
      if (found === null && held === id) lacks(at, texts, key)
      else if (found === null)
        inquiry.ask(db, ["ZSCORE", key, id], (bare) => void (isBare(bare) || lacks(at, texts, key)))
      else if (!(found instanceof KeywrightError) && Number(found) !== score) otherScore(at, texts, key)
    })
  }
}

const code = ({ area }: IndexModel, reason: string): FindingCodeName => `${area}.${reason}` as FindingCodeName

const shownId = ({ entity, index, id }: EntryAt): string => (hidesIds(entity, index.row) ? "…" : id)

/** The record leads to this key, and is not there. */
function lacks(at: EntryAt, texts: ParamTexts, key: string): void {
  const { entity, index, id, document } = at
  const held = entity.idText.held(id)
  if (index.kind === "unique") askSetting(at, key, (set) => suspectLacking(at, texts, key, set))
  else if (index.kind === "set") suspectLacking(at, texts, key, ["SADD", key, held])
  else suspectLacking(at, texts, key, ["ZADD", key, String(scoreOf(document[index.index.score!])), held])
}

function suspectLacking(at: EntryAt, texts: ParamTexts, key: string, add: Command): void {
  const { entity, index, id, bound, recordKey, inquiry } = at
  const { db } = index.row
  const held = entity.idText.held(id)
  const look = index.kind === "unique" ? ["GET", key] : [index.kind === "set" ? "SISMEMBER" : "ZSCORE", key, held]
  inquiry.suspect({
    code: code(index, "MISSING"),
    row: index.row,
    key,
    ...(index.kind !== "unique" && { place: { member: shownId(at) } }),
    raw: id,
    expected: `${entity.name} ${shownId(at)}`,
    found: "no such entry",
    reads: [readFrom(entity.record, entity.read(recordKey)), readFrom(index.row, look), ...endingRead(at, add)],
    isStillWrong: ([record, entry]) => {
      const now = entity.document(record!)
      return now !== undefined && leadsTo(index, now, bound, texts) && (entry === null || entry === 0)
    },
    fix: { db, commands: [add] },
  })
}

/** The command that leads a unique index to the record, for as long as the record still lives. */
function askSetting({ entity, id, recordKey, inquiry }: EntryAt, key: string, then: (set: Command) => void): void {
  const set: Command = ["SET", key, entity.idText.held(id)]
  if (!entity.expires) return then(set)
  inquiry.ask(entity.record.db, ["PEXPIRETIME", recordKey], (deadline) =>
    then([...set, ...(Number(deadline) > 0 ? ["PXAT", String(deadline)] : [])]),
  )
}

/** An entry that is given an end has that of its record. */
const endingRead = ({ entity, recordKey }: EntryAt, command: Command): ReadCommand[] =>
  command[3] === "PXAT" ? [readFrom(entity.record, ["PEXPIRETIME", recordKey])] : []

function otherScore(at: EntryAt, texts: ParamTexts, key: string): void {
  const { entity, index, id, bound, recordKey, document, inquiry } = at
  const { db } = index.row
  const field = index.index.score!
  const score = String(scoreOf(document[field]))
  const held = entity.idText.held(id)
  inquiry.suspect({
    code: code(index, "SCORE"),
    row: index.row,
    key,
    place: { member: shownId(at) },
    raw: id,
    expected: isSecretField(entity.record, field) ? "the score of its record" : `the score ${score}`,
    found: "another score",
    reads: [readFrom(entity.record, entity.read(recordKey)), readFrom(index.row, ["ZSCORE", key, held])],
    isStillWrong: ([record, found]) => {
      const now = entity.document(record!)
      if (now === undefined || found === null || !leadsTo(index, now, bound, texts)) return false
      return Number(found) !== scoreOf(now[field])
    },
    fix: { db, commands: [["ZADD", key, "XX", score, held]] },
  })
}

/** The unique index leads to another record: rightly, then two have one value; else the index is stale. */
function heldBy(at: EntryAt, holder: string, texts: ParamTexts, key: string): void {
  const { entity, index, bound, recordKey, inquiry } = at
  const { db } = index.row
  const holderId = entity.idText.of(holder)
  const holderKey = entity.keyOf(holderId, bound)
  const isForeign = at.isForeign(holderKey)
  const { record } = entity
  const reads = [
    readFrom(record, entity.read(recordKey)),
    readFrom(index.row, ["GET", key]),
    readFrom(record, ["EXISTS", holderKey]),
    ...(isForeign ? [] : [readFrom(record, entity.read(holderKey))]),
  ]
  const leads = (reply: unknown) => {
    const document = entity.document(reply as never)
    return document !== undefined && leadsTo(index, document, bound, texts)
  }
  const wrong = (reason: "DANGLING" | "STALE", what: string, isSo: (exists: Reply, other: Reply) => boolean) =>
    askSetting(at, key, (set) =>
      inquiry.suspect({
        code: code(index, reason),
        row: index.row,
        key,
        raw: holder,
        expected: `${entity.name} ${shownId(at)}`,
        found: `the id of ${what}`,
        reads: [...reads, ...endingRead(at, set)],
        isStillWrong: ([own, found, exists, other]) => leads(own) && found === holder && isSo(exists!, other!),
        fix: { db, commands: [set] },
        knowsFix: true,
      }),
    )
  if (isForeign) return wrong("DANGLING", "a key of another pattern", () => true)
  inquiry.ask(entity.record.db, entity.read(holderKey), (reply) => {
    if (reply instanceof KeywrightError) return
    const isGone = reply === null || (Array.isArray(reply) && reply.length === 0)
    if (isGone) return wrong("DANGLING", "a record that does not exist", (exists) => exists === 0)
    if (entity.document(reply) === undefined) return
    if (!leads(reply))
      return wrong("STALE", "a record with another value", (exists, other) => exists === 1 && !leads(other))
    inquiry.suspect({
      code: "UNIQUE.TAKEN",
      row: entity.record,
      key: recordKey,
      place: { field: index.index.fields.join(", ") },
      raw: index.index.fields.join(", "),
      expected: "a value that no other record has",
      found: `the value of ${entity.name} ${hidesIds(entity, index.row) ? "…" : holderId}`,
      reads,
      isStillWrong: ([own, found, , other]) => leads(own) && found === holder && leads(other),
    })
  })
}

function notIndexable({ entity, index, recordKey, bound, inquiry }: EntryAt): void {
  inquiry.suspect({
    code: "ENTITY.NOT_INDEXABLE",
    row: entity.record,
    key: recordKey,
    place: { field: index.index.fields.join(", ") },
    raw: index.row.declared.name,
    expected: `a value that can be used in ${index.row.declared.pattern}`,
    found: "a value that cannot",
    reads: [readFrom(entity.record, entity.read(recordKey))],
    isStillWrong: ([record]) => {
      const document = entity.document(record!)
      if (document === undefined) return false
      const texts = textsOf(index, document, bound)
      return texts === "unfit" || (texts !== undefined && spellSafely(index.row, texts) === undefined)
    },
  })
}
