/* Values that are keys of something else: it exists. */

import type { Reply } from "../../../driver/driver.ts"
import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"
import { idIn } from "../../../schema/codec/quoted.ts"
import type { AnyCodec, CodecFields } from "../../../schema/codec/codec.ts"
import { type KeyPart, readFrom } from "../finding.ts"
import { graceOf } from "../grace.ts"
import { showElement } from "../../model/decoding.ts"
import type { CheckKind, CheckKey } from "./check.ts"
import type { Subject } from "../../model/subject.ts"

export const keyOfCheck: CheckKind = (row) => {
  const { kind, shape } = row.declared
  const keyOfIn = (part: string) => keyOfSpec((shape[part] as AnyCodec | undefined)?.spec)
  const [value, member] = [keyOfIn("value"), keyOfIn("member")]
  if (kind === "string" && value) {
    return each(1, graceOf(value), () => [[0, undefined, ["UNLINK"], ["GET"]]])
  }
  if (kind === "set" && member) return each(1, graceOf(member), members(row.declared.shape["member"] as AnyCodec))
  if (kind === "map" && value) {
    const field = shape["field"] as AnyCodec
    return each(2, graceOf(value), ({ elements, row }) =>
      pairsOf(elements).map(([at, name]) => {
        const shown = showElement(field, name, row)
        return [at + 1, { field: shown }, ["HDEL", name], ["HGET", name]]
      }),
    )
  }
  if (kind === "hash") {
    return Object.entries(shape["fields"] as CodecFields).flatMap(([field, { spec }]) => {
      const keyOf = keyOfSpec(spec)
      if (keyOf === undefined) return []
      const spots = ({ elements }: Subject): FoundSpot[] =>
        pairsOf(elements)
          .filter(([, name]) => name === field)
          .map(([at, name]) => [at + 1, { field: name }, undefined, ["HGET", name]])
      return [each(2, graceOf(keyOf), spots)]
    })
  }
  return undefined
}

/**
 * Where a key is stored: its place among the elements, what to print of it, what removes it and what reads it again
 * (without the key itself).
 */
type FoundSpot = readonly [
  at: number,
  place: KeyPart | undefined,
  remove: readonly string[] | undefined,
  read: readonly string[],
]

const members =
  (codec: AnyCodec) =>
  ({ elements, row }: Subject): FoundSpot[] =>
    elements.map((member, at) => [
      at,
      { member: showElement(codec, member, row) },
      ["SREM", String(member)],
      ["SISMEMBER", String(member)],
    ])

const pairsOf = (elements: readonly Reply[]): [number, string][] =>
  elements.flatMap((name, at) => (at % 2 === 0 ? [[at, String(name)] as [number, string]] : []))

const withKey = (words: readonly string[], key: string): string[] => [words[0]!, key, ...words.slice(1)]

/** `width`: of how many parts an element consists. */
const each =
  (width: 1 | 2, grace: ReturnType<typeof graceOf>, spots: (subject: Subject) => FoundSpot[]): CheckKey =>
  (subject, inquiry) => {
    const { row, key, elements, bad } = subject
    const { db } = row
    for (const [at, place, remove, read] of spots(subject)) {
      if (bad?.has(at - (at % width))) continue
      const raw = String(elements[at])
      const target = inShardOf(subject, idIn(raw))
      inquiry.askExists(db, target, (exists) => {
        if (exists !== 0) return
        inquiry.suspect({
          code: "KEYOF.DANGLING",
          row,
          key,
          ...(place !== undefined && { place }),
          raw: `${read.join(" ")} ${raw}`,
          expected: "a key that exists",
          found: "the key of nothing",
          reads: [readFrom(row, withKey(read, key)), readFrom(row, ["EXISTS", target])],
          isStillWrong: ([now, there]) => (now === raw || now === 1) && there === 0,
          ...(remove !== undefined && { fix: { db, commands: [withKey(remove, key)] } }),
          ...grace,
        })
      })
    }
  }

/** In a sharded group a key that is held as a value is one of the same shard: it is written without the tag. */
const inShardOf = ({ row, params }: Subject, key: string): string =>
  row.declared.pattern.startsWith("{{shard}}:") ? `{${params["shard"]}}:${key}` : key

type KeyOfSpec = Extract<CodecSpec, { codec: "keyOf" }>

/** The key that a value is, whatever other codecs wrap it. */
export function keyOfSpec(spec: CodecSpec | undefined): KeyOfSpec | undefined {
  if (spec?.codec === "keyOf") return spec
  return spec?.codec === "secret" || spec?.codec === "optional" || spec?.codec === "quoted"
    ? keyOfSpec(spec.of)
    : undefined
}
