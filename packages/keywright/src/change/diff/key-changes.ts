/* One key pattern: its kind, what it holds, how long it lives, how much of it is kept. */

import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { redisTypes } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import type { FoundChange } from "./change.ts"
import { codecChanges, countedChanges, memberChanges } from "./codec-changes.ts"
import { familyChanges } from "./family-changes.ts"
import { fieldChanges } from "./field-changes.ts"
import { kindChanges } from "./kind-changes.ts"
import type { Renames } from "./match.ts"
import { ttlChanges } from "./ttl-changes.ts"
import { without } from "./without.ts"

/** Everything about a key except where it is. */
export function keyChanges(before: Key, after: Key, path: string, renames: Renames): FoundChange[] {
  const found =
    before.kind === after.kind ? shapeChanges(before, after, path, renames) : kindChanges(before, after, path)
  return [
    ...found,
    ...ttlChanges(before, after, path),
    ...keepChanges(before, after, path),
    ...familyChanges(before, after, path),
    ...evictChanges(before, after, path),
    ...secretChanges(before, after, path),
    ...accessChanges(before, after, path),
  ].map((one) => ({ oldKey: before.name, newKey: after.name, ...one }))
}

type ShapeCodecs = Readonly<Record<string, AnyCodec | CodecFields>>

function shapeChanges(before: Key, after: Key, path: string, renames: Renames): FoundChange[] {
  const [olds, news] = [before.shape as ShapeCodecs, after.shape as ShapeCodecs]
  return Object.keys(news).flatMap((place) => {
    const [was, is] = [olds[place], news[place]]
    if (was === undefined || is === undefined) return []
    if (place === "fields") return fieldChanges(was as CodecFields, is as CodecFields, path, renames)
    const where = place === "value" || place === "item" ? path : `${path}.${place}`
    if (place === "member" || place === "field")
      return (after.kind === "hyperloglog" ? countedChanges : memberChanges)(specOf(was), specOf(is), where)
    return codecChanges(specOf(was), specOf(is), where, place === "score")
  })
}

const specOf = (codec: unknown): CodecSpec => (codec as AnyCodec).spec

function keepChanges(before: Key, after: Key, path: string): FoundChange[] {
  if (redisTypes[before.kind] !== redisTypes[after.kind] || before.keep === after.keep) return []
  const [was, is] = [before.keep ?? Infinity, after.keep ?? Infinity]
  const what = `${before.keep ?? "all"} → ${after.keep ?? "all"}`
  return [{ code: is < was ? "KEEP.LOWERED" : "KEEP.RAISED", path, what }]
}

function evictChanges(before: Key, after: Key, path: string): FoundChange[] {
  const [was, is] = [before.evictable === true, after.evictable === true]
  if (was === is) return []
  return [{ code: is ? "EVICT.ALLOWED" : "EVICT.FORBIDDEN", path, what: is ? "evictable" : "not evictable" }]
}

/** Marks on the whole value, or on fields of a document. */
function secretChanges(before: Key, after: Key, path: string): FoundChange[] {
  const [was, is] = [marked(before), marked(after)]
  return [
    ...without(is, was).map((name) => secretChange("SECRET.ADDED", path, name)),
    ...without(was, is).map((name) => secretChange("SECRET.REMOVED", path, name)),
  ]
}

const marked = ({ secret }: Key): readonly string[] => (secret === true ? [""] : (secret ?? []))

const secretChange = (code: "SECRET.ADDED" | "SECRET.REMOVED", path: string, name: string): FoundChange => ({
  code,
  path: name === "" ? path : `${path}.${name}`,
  what: name === "" ? "the whole value" : name,
})

/** Who writes and who reads. Without a list no program is named, so none loses access. */
function accessChanges(before: Key, after: Key, path: string): FoundChange[] {
  return (["writes", "reads"] as const).flatMap((right) => {
    const [was, is] = [before[right], after[right]]
    if (was === undefined || is === undefined) return []
    const isWriting = right === "writes"
    const lost = isWriting ? ({ oldReader: "n/a" } as const) : ({ oldWriter: "n/a" } as const)
    const gained = isWriting ? ({ newReader: "n/a" } as const) : ({ newWriter: "n/a" } as const)
    return [
      ...without(was, is).map((name) => ({ code: "ACCESS.LOST", path, what: `${right}: ${name}`, ...lost }) as const),
      ...without(is, was).map(
        (name) => ({ code: "ACCESS.GAINED", path, what: `${right}: ${name}`, ...gained }) as const,
      ),
    ]
  })
}
