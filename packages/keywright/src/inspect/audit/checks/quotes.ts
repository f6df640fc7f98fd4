/* Texts that the schema declares in quotes, and that are stored without: they are read, but
 * a program that asks for them by their quoted form does not find them. */

import type { Command, Reply } from "../../../driver/driver.ts"
import type { AnyCodec, CodecFields } from "../../../schema/codec/codec.ts"
import { isQuoted, quote } from "../../../schema/codec/quoted.ts"
import { showElement } from "../../model/decoding.ts"
import type { CheckKind, CheckKey } from "./check.ts"
import type { Subject } from "../../model/subject.ts"
import type { Inquiry } from "../inquiry.ts"
import type { KeyPart } from "../finding.ts"

export const isBare = (raw: Reply | undefined): raw is string => typeof raw === "string" && !raw.startsWith('"')

export const quotesCheck: CheckKind = (row) => {
  const { kind, shape } = row.declared
  const part = (name: string) => shape[name] as AnyCodec | undefined
  if (kind === "string" && isQuoted(part("value"))) return valueLook(part("value")!)
  if (kind === "set" && isQuoted(part("member"))) return memberLook(part("member")!, 1)
  if (kind === "zset" && isQuoted(part("member"))) return memberLook(part("member")!, 2)
  if (kind === "list" && isQuoted(part("item"))) return itemLook(part("item")!)
  if (kind === "map" && isQuoted(part("value"))) return fieldLook(() => part("value")!)
  if (kind !== "hash") return undefined
  const fields = shape["fields"] as CodecFields
  if (!Object.values(fields).some(isQuoted)) return undefined
  return fieldLook((name) => (Object.hasOwn(fields, name) && isQuoted(fields[name]) ? fields[name] : undefined))
}

function valueLook(codec: AnyCodec): CheckKey {
  return (subject, inquiry) => {
    const [raw] = subject.elements
    if (!isBare(raw) || subject.bad?.has(0)) return
    const { key, row } = subject
    const set: Command = ["SET", key, quote(raw)]
    const found = (command: Command, ...more: Command[]) =>
      suspect(subject, inquiry, codec, raw, undefined, ["GET", key], (now) => now === raw, [command], more)
    if (row.declared.ttl?.on === "never") return found(set)
    const read: Command = ["PEXPIRETIME", key]
    inquiry.ask(row.db, read, (at) => found(Number(at) > 0 ? [...set, "PXAT", String(at)] : set, read))
  }
}

function memberLook(codec: AnyCodec, width: 1 | 2): CheckKey {
  return (subject, inquiry) => {
    const { key, elements, bad, row } = subject
    for (let i = 0; i < elements.length; i += width) {
      const raw = elements[i]
      if (!isBare(raw) || bad?.has(i)) continue
      const place = { member: showElement(codec, raw, row) }
      const read: Command = [width === 1 ? "SISMEMBER" : "ZSCORE", key, raw]
      const found = (fix?: Command[], ...more: Command[]) =>
        suspect(subject, inquiry, codec, raw, place, read, (now) => now !== null && now !== 0, fix, more)
      if (width === 1) {
        found([
          ["SADD", key, quote(raw)],
          ["SREM", key, raw],
        ])
        continue
      }
      const fix: Command[] = [
        ["ZADD", key, String(elements[i + 1]), quote(raw)],
        ["ZREM", key, raw],
      ]
      // If both are there, nobody knows which score is right.
      const other: Command = ["ZSCORE", key, quote(raw)]
      inquiry.ask(row.db, other, (score) => (score === null ? found(fix, other) : found()))
    }
  }
}

/** An item cannot be exchanged by its value: that is left to a person who knows the order. */
const itemLook =
  (codec: AnyCodec): CheckKey =>
  (subject, inquiry) =>
    subject.elements.forEach((raw, i) => {
      if (!isBare(raw) || subject.bad?.has(i)) return
      const place = { index: String(subject.offset + i) }
      suspect(subject, inquiry, codec, raw, place, ["LPOS", subject.key, raw], (at) => at !== null)
    })

function fieldLook(codecOf: (field: string) => AnyCodec | undefined): CheckKey {
  return (subject, inquiry) => {
    const { key, elements, bad, row } = subject
    for (let i = 0; i + 1 < elements.length; i += 2) {
      const [field, raw] = [String(elements[i]), elements[i + 1]]
      const codec = codecOf(field)
      if (codec === undefined || !isBare(raw) || bad?.has(i)) continue
      const place = { field: showElement(row.declared.shape["field"] as AnyCodec | undefined, field, row) }
      suspect(subject, inquiry, codec, raw, place, ["HGET", key, field], (now) => now === raw, [
        ["HSET", key, field, quote(raw)],
      ])
    }
  }
}

function suspect(
  { row, key }: Subject,
  inquiry: Inquiry,
  codec: AnyCodec,
  raw: string,
  place: KeyPart | undefined,
  read: Command,
  isThere: (now: Reply) => boolean,
  commands?: readonly Command[],
  more: readonly Command[] = [],
): void {
  inquiry.suspect({
    code: "VALUE.BARE",
    row,
    key,
    ...(place !== undefined && { place }),
    raw,
    expected: codec.name,
    found: "the same without quotes",
    reads: [read, ...more].map((command) => ({ db: row.db, command })),
    isStillWrong: ([now]) => isThere(now!),
    ...(commands !== undefined && { fix: { db: row.db, commands } }),
  })
}
