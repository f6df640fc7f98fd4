/* Another kind of key. Of another Redis type, commands are refused, except for writes that replace
 * the whole key; of the same type, the commands work and what they mean differs. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { redisTypes, type Kind } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import type { FoundChange } from "./change.ts"
import { comparePair, isRawSpec, pairVerdicts, type ReadOutcome } from "./codec-pair.ts"
import { worse, type Verdicts } from "./verdict.ts"

export function kindChanges(before: Key, after: Key, path: string): FoundChange[] {
  const what = `${before.kind} → ${after.kind}`
  if (redisTypes[before.kind] !== redisTypes[after.kind])
    return [{ code: "KIND.TYPE", path, what, ...typeVerdicts(before.kind, after.kind) }]
  const verdicts = sameTypeVerdicts(before, after)
  const isSame = Object.values(verdicts).every((verdict) => verdict === "works")
  return [{ code: "KIND.SAME_TYPE", path, what, ...verdicts, ...(isSame && { data: "nothing" }) }]
}

/** Kinds that are written as a whole: a key of another type is silently replaced. */
export const replaces: readonly Kind[] = ["string", "counter", "hash"]

export const typeVerdicts = (before: Kind, after: Kind): Pick<Verdicts, "oldWriter" | "newWriter"> => ({
  oldWriter: replaces.includes(before) ? "silent" : "fails",
  newWriter: replaces.includes(after) ? "silent" : "fails",
})

function sameTypeVerdicts(before: Key, after: Key): Verdicts {
  const pair = { oldReader: readingOf(before, after), newReader: readingOf(after, before) }
  const verdicts = pairVerdicts(pair)
  // A map loses what a record that is written whole does not know.
  if (before.kind === "map" && after.kind === "hash") return { ...verdicts, oldReader: "silent" }
  // PFADD checks the existing value.
  return after.kind === "hyperloglog" ? { ...verdicts, newWriter: "fails" } : verdicts
}

/** What a reader of one kind makes of what a writer of another kind stores. */
function readingOf(reader: Key, writer: Key): ReadOutcome {
  const [into, from] = [valueOf(reader), valueOf(writer)]
  if (into && from && holdsOne(reader) && holdsOne(writer)) return comparePair(from, into).newReader
  // Bits and estimates are bytes: text takes them for text.
  if (into && holdsOne(reader)) return isRawSpec(into) ? "silent" : "fails"
  if (reader.kind === "hyperloglog") return "fails"
  if (reader.kind === "map") return mapReading(reader, writer)
  return "silent"
}

const holdsOne = ({ kind }: Key): boolean => kind === "string" || kind === "counter"

const valueOf = ({ shape }: Key): CodecSpec | undefined => (shape as { value?: AnyCodec }).value?.spec

/** A dictionary takes a record when its fields fit. */
function mapReading(reader: Key, writer: Key): ReadOutcome {
  const { field, value } = reader.shape as { field: AnyCodec; value: AnyCodec }
  const fields = Object.entries((writer.shape as { fields?: Readonly<Record<string, AnyCodec>> }).fields ?? {})
  return fields.reduce<ReadOutcome>((sum, [name, codec]) => {
    try {
      field.decode(name)
    } catch {
      return "fails"
    }
    return worse(sum, comparePair(codec.spec, value.spec).newReader)
  }, "works")
}
