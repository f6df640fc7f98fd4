/* Values that are bounded by others, or repeat them. Both sides are read by their codecs;
 * what cannot be read is another check's finding. */

import type { Command, Reply, Wire } from "../../../driver/driver.ts"
import { KeywrightError } from "../../../errors/error.ts"
import type { AnyCodec } from "../../../schema/codec/codec.ts"
import { isOfElement, knownFrom } from "../../../schema/compare.ts"
import type { Comparison, InvariantRule } from "../../../schema/invariant.ts"
import { type At, partAt, type Spot, spotOf } from "../../../schema/place.ts"
import { type Fix, type KeyPart, type ReadCommand, readFrom } from "../finding.ts"
import { decodedOrNone, showElement, undecodable } from "../../model/decoding.ts"
import type { Suspicion } from "../inquiry.ts"
import { graceOf } from "../grace.ts"
import type { ParamTexts } from "../../model/entity-model.ts"
import type { Model, KeyModel } from "../../model/model.ts"
import { LENGTHS } from "../../model/reading.ts"
import { isSecretField } from "../../model/secret-fields.ts"
import { spell } from "../../model/spell.ts"
import type { CheckKind, CheckKey } from "./check.ts"
import type { Subject } from "../../model/subject.ts"

type CompareRule = Extract<InvariantRule, { kind: "compare" }>

export const compareCheck: CheckKind = (row, model) =>
  model.keyspace.invariants.flatMap((rule) => {
    if (rule.kind !== "compare" || rule.left.key !== row.declared.name) return []
    return checkFor(rule, row, model) ?? []
  })

function checkFor(rule: CompareRule, row: KeyModel, model: Model): CheckKey | undefined {
  const { left, right } = rule
  const sides = { rule, row, one: spotOf(row.declared, left.place)! }
  if (typeof right === "number") return checkInside({ ...sides, other: undefined })
  const other = right.key === left.key ? row : model.keys.get(right.key)
  if (other === undefined) return undefined
  const side = { row: other, spot: spotOf(other.declared, right.place)!, at: right }
  return other === row ? checkInside({ ...sides, other: side }) : checkElsewhere(sides, side)
}

/** What is compared with what. */
interface Sides {
  readonly rule: CompareRule
  readonly row: KeyModel
  readonly one: Spot
  readonly other: ComparedSide | undefined
}

/** The other side, where it is not a number. */
interface ComparedSide {
  readonly row: KeyModel
  readonly spot: Spot
  readonly at: At
}

/** Both sides are in the same key, or the other one is a number. */
function checkInside(sides: Sides): CheckKey {
  const { rule, one, other } = sides
  return (subject, inquiry) => {
    for (const part of comparedParts(subject, one, other?.spot)) {
      const judge: Judge = ([mine, theirs]) => {
        const value = valueOf(one, mine!, part, subject)
        const bound = other === undefined ? rule.right : valueOf(other.spot, theirs!, part, subject, other.at)
        return isBroken(value, rule.is, bound) ? { value, bound } : undefined
      }
      const look = (left: Reply) => {
        const found = judge([left, part.right])
        if (found === undefined) return
        const reads = [part.read, ...(other === undefined ? [] : [part.readRight])]
        inquiry.suspect(suspicionOf(sides, subject, part, found, reads, judge))
      }
      // The size of a large collection is requested from the server.
      if (one.in === "size" && !subject.last) inquiry.ask(part.read.db, part.read.command, look)
      else look(part.left)
    }
  }
}

/** The other side is in another key. */
function checkElsewhere({ rule, row, one }: Omit<Sides, "other">, other: ComparedSide): CheckKey {
  const { spot, at } = other
  const sources = other.row.params.map((param) => [param, knownFrom(row.declared, other.row.declared, param)!] as const)
  const isByElement = isOfElement(other.row.declared, spot)
  const { member, field = member } = other.row.declared.shape as Partial<Record<string, AnyCodec>>
  /** What cannot be an element there has no counterpart. */
  const isElement = (element: Reply) => undecodable(field!, element, other.row.secret) === undefined
  return (subject, inquiry) => {
    const parts = comparedParts(subject, one, undefined)
    if (parts.length === 0) return
    // A month is the beginning of a day; parameters with the same name have the same text.
    const texts = sources.map(([param, from]) => [
      param,
      param === from ? subject.params[from]! : subject.params[from]!.slice(0, "2011-10".length),
    ])
    const key = spell(other.row, Object.fromEntries(texts) as ParamTexts)
    const look = (part: ComparedPart, read: ReadCommand, reply: Reply) => {
      const judge: Judge = ([mine, theirs]) => {
        const [value, bound] = [valueOf(one, mine!, part, subject), decodedAt(spot, theirs!, at)]
        return isBroken(value, rule.is, bound) ? { value, bound } : undefined
      }
      const found = judge([part.left, reply])
      if (found === undefined) return
      inquiry.suspect(suspicionOf({ rule, row, one, other }, subject, part, found, [part.read, read], judge))
    }
    const readFor = (element?: Reply) => readFrom(other.row, readOf(other.row, spot, key, element))
    const ask = (read: ReadCommand, asking: readonly ComparedPart[]) =>
      inquiry.ask(read.db, read.command, (reply) => {
        if (!(reply instanceof KeywrightError)) for (const part of asking) look(part, read, reply)
      })
    if (!isByElement) return ask(readFor(), parts)
    for (const part of parts) if (isElement(part.element!)) ask(readFor(part.element), [part])
  }
}

/** One value to compare: what was read of it, what reads it again, and where it is. */
interface ComparedPart {
  readonly left: Reply
  readonly right: Reply
  readonly read: ReadCommand
  readonly readRight: ReadCommand
  readonly place: KeyPart | undefined
  /** The element that it belongs to, where there are several. */
  readonly element: Reply | undefined
}

/** Which values of a subject are compared. */
function comparedParts(subject: Subject, one: Spot, other: Spot | undefined): ComparedPart[] {
  const { row, key, elements, bad, first } = subject
  const { declared } = row
  const read = (spot: Spot | undefined, element?: Reply) =>
    readFrom(row, spot === undefined ? ["EXISTS", key] : readOf(row, spot, key, element))
  const single = (left: Reply, right: Reply, place: KeyPart | undefined): ComparedPart[] => [
    { left, right, read: read(one), readRight: read(other), place, element: undefined },
  ]
  const isEach = (spot: Spot | undefined) => spot !== undefined && isOfElement(declared, spot)
  if (!isEach(one) && !isEach(other)) {
    if (!first) return []
    const known = (spot: Spot | undefined): Reply =>
      spot === undefined ? null : spot.in === "field" ? fieldOf(subject, spot.name) : (elements[0] ?? null)
    const place = one.in === "field" ? { field: one.name } : undefined
    return one.in === "size" ? single(sizeSoFar(subject), known(other), place) : single(known(one), known(other), place)
  }
  const width = row.type === "zset" || row.type === "hash" ? 2 : 1
  const found: ComparedPart[] = []
  for (let i = 0; i < elements.length; i += width) {
    if (bad?.has(i)) continue
    const element = elements[i]!
    const second = elements[i + 1] ?? null
    const raw = (spot: Spot | undefined): Reply => (isSecond(spot) ? second : element)
    const place = keyPartAt(subject, element, i)
    found.push({
      left: raw(one),
      right: raw(other),
      read: read(one, element),
      readRight: read(other, element),
      place,
      element,
    })
  }
  return found
}

const isSecond = (spot: Spot | undefined): boolean => spot?.name === "value" || spot?.name === "score"

function keyPartAt({ row, offset }: Subject, element: Reply, i: number): KeyPart {
  const { kind, shape } = row.declared
  if (kind === "list") return { index: String(offset + i) }
  const codec = (shape["field"] ?? shape["member"]) as AnyCodec | undefined
  const shown = showElement(codec, element, row)
  return kind === "map" ? { field: shown } : { member: shown }
}

function fieldOf({ elements, bad }: Subject, field: string): Reply {
  const at = elements.findIndex((name, i) => i % 2 === 0 && name === field)
  return at < 0 || bad?.has(at) ? null : elements[at + 1]!
}

/** The size of a collection that was read whole; for a larger one any value, since its size is requested. */
const sizeSoFar = ({ elements, last, row }: Subject): Reply =>
  last ? elements.length / (row.type === "zset" || row.type === "hash" ? 2 : 1) : null

/** By kind: what looks for an element, and what removes it. */
const OF_ELEMENT: Readonly<Record<string, readonly [look: string, remove: string]>> = {
  map: ["HGET", "HDEL"],
  zset: ["ZSCORE", "ZREM"],
  geo: ["ZSCORE", "ZREM"],
  set: ["SISMEMBER", "SREM"],
  list: ["LPOS", "LREM"],
}

/** What reads a place again, and says whether it is still there. */
function readOf({ declared, type }: KeyModel, spot: Spot, key: string, element?: Reply): Command {
  if (spot.in === "param") return ["EXISTS", key]
  if (spot.in === "size") return [LENGTHS[type]!, key]
  if (spot.in === "field") return ["HGET", key, spot.name]
  const [look] = OF_ELEMENT[declared.kind] ?? []
  return look === undefined ? ["GET", key] : [look, key, element as Wire]
}

/** The value on one side, from what its read answered; undefined when it is not there any more, or cannot be read. */
function valueOf(spot: Spot, reply: Reply, part: ComparedPart, subject: Subject, at?: At): unknown {
  if (spot.in === "param") return decodedAt(spot, subject.params[spot.name]!)
  if (spot.in === "size") return typeof reply === "number" ? reply : undefined
  // Members and fields are what they are as long as they are there.
  const isItself = spot.in === "part" && part.element !== undefined && !isSecond(spot)
  if (isItself) return reply === null || reply === 0 ? undefined : decodedAt(spot, part.element)
  return decodedAt(spot, reply, at)
}

function decodedAt(spot: Spot, raw: Reply, at?: At): unknown {
  if (raw === null) return at?.otherwise
  return spot.in === "size" ? raw : partAt(decodedOrNone(spot.codec!, raw), spot.path)
}

/** Numbers, instants and texts; what is not there breaks nothing. */
function isBroken(value: unknown, is: Comparison, bound: unknown): boolean {
  if (value === undefined || value === null || bound === undefined || bound === null) return false
  const [one, other] = [comparable(value), comparable(bound)]
  if (is === "=" || is === "!=") return (String(one) === String(other)) !== (is === "=")
  if (typeof one === "string" || typeof other === "string") return false
  return !(is === "<" ? one < other : is === "<=" ? one <= other : is === ">" ? one > other : one >= other)
}

const comparable = (value: unknown): number | bigint | string =>
  value instanceof Date
    ? value.getTime()
    : typeof value === "number" || typeof value === "bigint"
      ? value
      : String(value)

interface Broken {
  readonly value: unknown
  readonly bound: unknown
}

/** What is wrong by these replies to the reads; undefined when nothing is. */
type Judge = (replies: readonly Reply[]) => Broken | undefined

function suspicionOf(
  sides: Sides,
  subject: Subject,
  part: ComparedPart,
  { value, bound }: Broken,
  reads: readonly ReadCommand[],
  judge: Judge,
): Suspicion {
  const { rule, one, other } = sides
  const { row, key } = subject
  const { left, is } = rule
  const fix = fixOf(sides, part, subject)
  const [hidesOne, hidesOther] = [isSecret(row, one), other !== undefined && isSecret(other.row, other.spot)]
  // Where both should differ, each says what the other is.
  const hidesBoth = is === "!=" && (hidesOne || hidesOther)
  return {
    code: "COMPARE.BROKEN",
    row,
    key,
    ...(part.place !== undefined && { place: hidesBoth ? withoutElement(part) : part.place }),
    raw: `${left.place} ${is} ${part.element === undefined ? "" : String(part.element)}`,
    expected: `${left.place} ${is} ${hidesOther || hidesBoth ? "…" : valueText(bound)}`,
    found: hidesOne || hidesBoth ? (is === "!=" ? "the same value" : "another value") : valueText(value),
    reads,
    isStillWrong: (replies) => judge(replies) !== undefined,
    ...(fix !== undefined && { fix }),
    ...graceOf(rule),
  }
}

/** The element may be what is compared. */
function withoutElement({ place, element }: ComparedPart): KeyPart {
  if (element === undefined || "index" in place!) return place!
  return "field" in place! ? { field: "…" } : { member: "…" }
}

/** A listed name means every field of that name, also inside others. */
const isSecret = (row: KeyModel, { codec, name, path }: Spot): boolean =>
  codec?.secret === true || [name, ...path].some((part) => isSecretField(row, part))

const valueText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value).slice(0, 80))

/** A field that repeats a segment of its key is set to it; an element of many, or a whole value, can only be removed. */
function fixOf({ rule, row, one, other }: Sides, { element }: ComparedPart, { key, params }: Subject): Fix | undefined {
  const { db } = row
  if (one.in === "field") {
    if (rule.is !== "=" || other?.row !== row || other.spot.in !== "param") return undefined
    return { db, commands: [["HSET", key, one.name, params[other.spot.name]!]] }
  }
  if (one.in === "size") return undefined
  if (element === undefined) return { db, commands: [["UNLINK", key]], destroys: true }
  const [, remove] = OF_ELEMENT[row.declared.kind] ?? []
  if (remove === undefined) return undefined
  const all = remove === "LREM" ? ["0"] : []
  return { db, commands: [[remove, key, ...all, element as Wire]], destroys: true }
}
