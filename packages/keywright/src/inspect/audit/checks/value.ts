/* Whether the codecs can read what is stored: values, fields, members, scores, items. */

import type { Command, Reply, Wire } from "../../../driver/driver.ts"
import type { AnyCodec, CodecFields } from "../../../schema/codec/codec.ts"
import { type KeyPart, readFrom } from "../finding.ts"
import { isAccepted, showElement, undecodable } from "../../model/decoding.ts"
import type { Inquiry } from "../inquiry.ts"
import type { KeyModel } from "../../model/model.ts"
import type { CheckKind, CheckKey } from "./check.ts"
import { documentOf, type Subject } from "../../model/subject.ts"
import { asWire, wireName } from "../../walk/wire.ts"

export const valueCheck: CheckKind = (row, model) => {
  const { kind, shape, entity } = row.declared
  // A value that is being imported is another key's.
  if (row.toolkit && row.declared.name.startsWith("keywright.import.")) return undefined
  const part = (name: string) => shape[name] as AnyCodec
  switch (kind) {
    case "string":
    case "counter": {
      // The counter of an entity is checked together with its ids.
      if (entity?.role === "counter") return undefined
      const record = entity?.role === "record" ? model.entities.get(entity.name) : undefined
      const codec = part("value")
      const check = record === undefined || codec.document === undefined ? undefined : codec.document.read
      return (subject, inquiry) => {
        if (check !== undefined && fits(check, documentOf(subject, record!))) return
        element(subject, inquiry, 0, codec, undefined, ["GET", subject.key], (reply) => reply)
      }
    }
    case "hash":
      return hashLook(shape["fields"] as CodecFields)
    case "map":
      return (subject, inquiry) => pairs(subject, inquiry, part("field"), part("value"))
    case "set":
      return (subject, inquiry) => members(subject, inquiry, part("member"), 1, "SISMEMBER")
    case "zset":
      return (subject, inquiry) => {
        members(subject, inquiry, part("member"), 2, "ZSCORE")
        scores(subject, inquiry, part("score"))
      }
    case "geo":
      return (subject, inquiry) => members(subject, inquiry, part("member"), 2, "ZSCORE")
    case "list":
      return (subject, inquiry) => items(subject, inquiry, part("item"))
    case "stream":
      return streamLook(shape["fields"] as CodecFields)
    case "hyperloglog":
      return (subject, inquiry) => {
        if (subject.elements[0] === "HYLL") return
        const { key } = subject
        inquiry.suspect({
          code: "VALUE.UNDECODABLE",
          row,
          key,
          expected: "a HyperLogLog",
          found: "another string",
          reads: [readFrom(row, ["GETRANGE", key, "0", "3"])],
          isStillWrong: ([head]) => head !== "HYLL",
        })
      }
    default:
      return undefined
  }
}

const fits = (check: (document: unknown) => unknown, document: unknown): boolean =>
  document !== undefined && isAccepted(() => check(document))

/** Suspects one element, unless its codec reads it; `again` reads it once more, and `pick` takes it out of the reply. */
function element(
  subject: Subject,
  inquiry: Inquiry,
  at: number,
  codec: AnyCodec,
  place: KeyPart | undefined,
  again: Command,
  pick: (reply: Reply) => Reply | undefined,
  raw: Reply = subject.elements[at]!,
): void {
  const { row, key } = subject
  const found = undecodable(codec, raw, row.secret)
  if (found === undefined) return
  ;(subject.bad ??= new Set()).add(at)
  inquiry.suspect({
    code: "VALUE.UNDECODABLE",
    row,
    key,
    ...(place !== undefined && { place, raw: Object.values(place).join() + String(raw) }),
    expected: codec.name,
    found,
    reads: [readFrom(row, again)],
    isStillWrong: ([reply]) => {
      const now = pick(reply!)
      return now !== undefined && now !== null && undecodable(codec, now, row.secret) !== undefined
    },
  })
}

const missing = (subject: Subject, inquiry: Inquiry, field: string) => {
  const { row, key } = subject
  inquiry.suspect({
    code: "VALUE.FIELD_MISSING",
    row,
    key,
    place: { field },
    raw: field,
    expected: `the field ${field}`,
    found: "no such field",
    reads: [readFrom(row, ["EXISTS", key]), readFrom(row, ["HEXISTS", key, field])],
    isStillWrong: ([exists, has]) => exists === 1 && has === 0,
  })
}

/** A record: known fields are decoded, required ones must be there. */
function hashLook(fields: CodecFields): CheckKey {
  const codecs = new Map(Object.entries(fields))
  const required = [...codecs].filter(([, codec]) => codec.optional !== true).map(([field]) => field)
  return (subject, inquiry) => {
    const { row, key, elements } = subject
    const seen = new Set<string>()
    for (let i = 0; i + 1 < elements.length; i += 2) {
      const name = elements[i]!
      const field = wireName(asWire(name))
      const codec = codecs.get(field)
      if (codec !== undefined) {
        seen.add(field)
        element(subject, inquiry, i, codec, { field }, ["HGET", key, field], (reply) => reply, elements[i + 1])
        continue
      }
      // For an inferred record, nobody has said that it has no other fields.
      if (row.declared.inferred === true && typeof name === "string") continue
      inquiry.suspect({
        code: "VALUE.FIELD_UNKNOWN",
        row,
        key,
        place: { field: showElement(undefined, name, row) },
        raw: name,
        expected: `one of ${[...codecs.keys()].join(", ")}`,
        found: "another field",
        reads: [readFrom(row, ["HEXISTS", key, name as Wire])],
        isStillWrong: ([has]) => has === 1,
        fix: { db: row.db, commands: [["HDEL", key, name as Wire]], destroys: true },
      })
    }
    if (!subject.first) return
    for (const field of required) {
      if (seen.has(field)) continue
      if (subject.last) missing(subject, inquiry, field)
      else inquiry.ask(row.db, ["HEXISTS", key, field], (has) => void (has === 0 && missing(subject, inquiry, field)))
    }
  }
}

/** A dictionary: fields and values are decoded. */
function pairs(subject: Subject, inquiry: Inquiry, field: AnyCodec, value: AnyCodec): void {
  const { elements, key, row } = subject
  for (let i = 0; i + 1 < elements.length; i += 2) {
    const name = elements[i]!
    const place = { field: showElement(field, name, row) }
    const again = ["HGET", key, name as Wire]
    // A wrong name is wrong as long as the field is there.
    element(subject, inquiry, i, field, place, again, (reply) => (reply === null ? undefined : name))
    if (subject.bad?.has(i)) continue
    element(subject, inquiry, i, value, place, again, (reply) => reply, elements[i + 1])
  }
}

function members(
  subject: Subject,
  inquiry: Inquiry,
  codec: AnyCodec,
  width: 1 | 2,
  command: "SISMEMBER" | "ZSCORE",
): void {
  const { elements, key, row } = subject
  for (let i = 0; i < elements.length; i += width) {
    const raw = elements[i]!
    if (undecodable(codec, raw, row.secret) === undefined) continue
    element(
      subject,
      inquiry,
      i,
      codec,
      { member: showElement(codec, raw, row) },
      [command, key, raw as Wire],
      (reply) => (reply === null || reply === 0 ? undefined : raw),
    )
  }
}

function scores(subject: Subject, inquiry: Inquiry, codec: AnyCodec): void {
  const { elements, key, row } = subject
  for (let i = 0; i + 1 < elements.length; i += 2) {
    if (subject.bad?.has(i)) continue
    const member = elements[i]!
    const score = elements[i + 1]!
    if (undecodable(codec, score, row.secret) === undefined) continue
    const place = { member: showElement(row.declared.shape["member"] as AnyCodec, member, row) }
    element(subject, inquiry, i, codec, place, ["ZSCORE", key, member as Wire], (reply) => reply, score)
  }
}

/** Items move when others are pushed: what was found is looked for by its value. */
function items(subject: Subject, inquiry: Inquiry, codec: AnyCodec): void {
  subject.elements.forEach((raw, i) => {
    if (undecodable(codec, raw, subject.row.secret) === undefined) return
    const place = { index: String(subject.offset + i) }
    element(subject, inquiry, i, codec, place, ["LPOS", subject.key, raw as Wire], (at) =>
      at === null ? undefined : raw,
    )
  })
}

function streamLook(fields: CodecFields): CheckKey {
  const codecs = new Map(Object.entries(fields))
  return (subject, inquiry) => {
    subject.elements.forEach((entry, at) => {
      const [id, words] = entry as readonly [Reply, readonly Reply[]]
      const wrong = wrongEntry(codecs, words, subject.row)
      if (wrong === undefined) return
      const { row, key } = subject
      ;(subject.bad ??= new Set()).add(at)
      inquiry.suspect({
        code: "VALUE.UNDECODABLE",
        row,
        key,
        place: { entry: String(id) },
        raw: id,
        expected: `the fields ${[...codecs.keys()].join(", ")}`,
        found: wrong,
        reads: [readFrom(row, ["XRANGE", key, String(id), String(id)])],
        isStillWrong: ([reply]) => {
          const now = (reply as readonly (readonly Reply[])[])[0]
          return now !== undefined && wrongEntry(codecs, now[1] as readonly Reply[], row) !== undefined
        },
      })
    })
  }
}

function wrongEntry(codecs: ReadonlyMap<string, AnyCodec>, words: readonly Reply[], row: KeyModel): string | undefined {
  const seen = new Set<string>()
  for (let i = 0; i + 1 < words.length; i += 2) {
    const field = wireName(asWire(words[i]!))
    const codec = codecs.get(field)
    if (codec === undefined) return `the field ${showElement(undefined, words[i]!, row)}, which is not declared`
    const wrong = undecodable(codec, words[i + 1]!, row.secret)
    if (wrong !== undefined) return `${field}: ${wrong}`
    seen.add(field)
  }
  const lacking = [...codecs].find(([field, codec]) => codec.optional !== true && !seen.has(field))
  return lacking && `no field ${lacking[0]}`
}
