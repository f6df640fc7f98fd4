/* A new pattern that is more literal than an existing one takes keys away from it: with
 * `cart:list` beside `cart:{id}`, the cart called list no longer belongs to `cart:{id}`.
 *
 * A program that knows the literal pattern refuses such an id. Beyond that, each side may find
 * under its own name what the other stored there: with another type, that fails; with the same
 * type, it is misread. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import { isCodec } from "../../schema/codecs-in.ts"
import { redisTypes } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import type { FoundChange } from "./change.ts"
import { takesAny } from "./codec-pair.ts"
import { replaces } from "./kind-changes.ts"
import type { Matched } from "./match.ts"
import { keyShape } from "./pattern-shape.ts"
import type { SideEntry, SchemaSide } from "./side.ts"
import { worse } from "./verdict.ts"

/** The added and removed entries that shadow others, by path. */
export const shadowing = (before: SchemaSide, after: SchemaSide, { added, removed }: Matched) =>
  new Map<string, FoundChange>([
    ...added.flatMap((entry) => rowOf(entry, after, before, "PATTERN.SHADOWS")),
    ...removed.flatMap((entry) => rowOf(entry, before, after, "PATTERN.UNSHADOWS")),
  ])

function rowOf(
  entry: SideEntry,
  here: SchemaSide,
  there: SchemaSide,
  code: "PATTERN.SHADOWS" | "PATTERN.UNSHADOWS",
): [string, FoundChange][] {
  const own = [entry.key, ...entry.others.values()]
  const known = new Set(there.keyspace.keys.map(({ db, pattern }) => `${db} ${pattern}`))
  // What the other side has under the same names, an entity for instance, took these keys there.
  const taken = new Set(there.keyspace.keys.map(keyShape))
  for (const wide of here.keyspace.keys) {
    const literal = own.find((key) => wide.rivals.includes(key.name) && !taken.has(keyShape(key)))
    if (!literal || own.includes(wide) || !known.has(`${wide.db} ${wide.pattern}`)) continue
    const isNew = code === "PATTERN.SHADOWS"
    const verb = isNew ? "takes keys of" : "leaves its keys to"
    const what = `${literal.pattern} ${verb} ${wide.pattern}`
    const place = isNew ? { newKey: entry.key.name } : { oldKey: entry.key.name }
    return [[entry.path, { code, path: entry.path, what, ...verdictsOf(wide, literal, isNew), ...place }]]
  }
  return []
}

function verdictsOf(wide: Key, literal: Key, isNew: boolean): Partial<FoundChange> {
  const knows = { reads: worse("fails" as const, finds(literal, wide)), writes: overwrites(literal, wide) }
  const others = { reads: finds(wide, literal), writes: overwrites(wide, literal) }
  const [old, now] = isNew ? [others, knows] : [knows, others]
  return { oldReader: old.reads, newReader: now.reads, oldWriter: old.writes, newWriter: now.writes }
}

type Outcome = "fails" | "silent"

/** What a reader makes of a key that holds what another pattern stores. */
function finds(reader: Key, stored: Key): Outcome {
  if (redisTypes[reader.kind] !== redisTypes[stored.kind]) return "fails"
  if (reader.kind === "hyperloglog" && stored.kind !== "hyperloglog") return "fails"
  const [into, from] = [codecsInShape(reader), codecsInShape(stored)]
  return into.every((codec, i) => from[i] === undefined || takesAny(from[i].spec, codec.spec)) ? "silent" : "fails"
}

/** Codecs of the places that kinds of one type share: the value, or what elements are made of. */
const codecsInShape = ({ shape }: Key): AnyCodec[] => Object.values(shape).filter(isCodec)

/** A write over what another pattern stored: records check first, SET and similar commands do not. */
function overwrites(writer: Key, stored: Key): Outcome {
  if (writer.entity !== undefined) return finds(writer, stored)
  return replaces.includes(writer.kind) || redisTypes[writer.kind] === redisTypes[stored.kind] ? "silent" : "fails"
}
