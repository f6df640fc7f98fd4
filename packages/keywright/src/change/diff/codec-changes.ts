/* What is stored in one place: a codec of the old schema against that of the new one. Choices,
 * bounds, columns and documents are compared by name; everything else by what each codec makes
 * of the other's texts. */

import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { isPacking, isSamePacking } from "../../schema/codec/document-spec.ts"
import { bare } from "./codec-samples.ts"
import { codecText } from "./codec-text.ts"
import { comparePair, isSpelledAlike, pairVerdicts, type CodecPair } from "./codec-pair.ts"
import type { FoundChange } from "./change.ts"
import { documentChanges } from "./document-changes.ts"
import { enumChanges } from "./enum-changes.ts"
import { sameSpec } from "./same-spec.ts"

export function codecChanges(before: CodecSpec, after: CodecSpec, path: string, isScore = false): FoundChange[] {
  if (sameSpec(before, after)) return []
  return [...marks(before, after, path), ...storedChanges(withoutNames(before), withoutNames(after), path, isScore)]
}

/** For a member of a set, or a field of a map: programs look for it, too. */
export function memberChanges(before: CodecSpec, after: CodecSpec, path: string): FoundChange[] {
  const found = codecChanges(before, after, path)
  const isSilent = found.some(({ code }) => code === "CODEC.AMBIGUOUS")
  if (isSilent || sameSpec(before, after) || isSpelledAlike(withoutNames(before), withoutNames(after))) return found
  const what = `${codecText(before)} → ${codecText(after)}`
  return [...marks(before, after, path), { code: "MEMBER.SPELLING", path, what }]
}

/** For a member that is counted, and never read: only its spelling matters. */
export function countedChanges(before: CodecSpec, after: CodecSpec, path: string): FoundChange[] {
  if (sameSpec(before, after)) return []
  const found = marks(before, after, path)
  if (isSpelledAlike(withoutNames(before), withoutNames(after))) return found
  const what = `${codecText(before)} → ${codecText(after)}`
  return [...found, { code: "MEMBER.SPELLING", path, what, data: "move", oldReader: "works", newReader: "works" }]
}

const marks = (before: CodecSpec, after: CodecSpec, path: string): FoundChange[] => [
  ...secretMark(before, after, path),
  ...idName(before, after, path),
]

function storedChanges(before: CodecSpec, after: CodecSpec, path: string, isScore: boolean): FoundChange[] {
  if (sameSpec(before, after)) return []
  if (before.codec === "oneOf" && after.codec === "oneOf") return enumChanges(before.values, after.values, path)
  if (before.codec === "json" && after.codec === "json" && sameSpec(before.jackson, after.jackson))
    return documentChanges(before.schema ?? {}, after.schema ?? {}, path)
  if (before.codec === "delimited" && after.codec === "delimited") {
    const found = columnChanges(before, after, path)
    if (found) return found
  }
  if (isPacking(before) && isPacking(after) && isSamePacking(before, after))
    return storedChanges(withoutNames(before.of), withoutNames(after.of), path, false)
  const pair = comparePair(before, after)
  const what = `${codecText(before)} → ${codecText(after)}`
  if (isPacking(before) || isPacking(after)) return [{ code: "CODEC.COMPRESSED", path, what, ...pairVerdicts(pair) }]
  const isBounds = before.codec === after.codec && (before.codec === "int" || before.codec === "float")
  return pairChanges(pair, path, what, isBounds, isScore)
}

function pairChanges(pair: CodecPair, path: string, what: string, isBounds: boolean, isScore: boolean): FoundChange[] {
  const { oldReader, newReader } = pair
  const verdicts = pairVerdicts(pair)
  if (oldReader === "works" && newReader === "works") return [{ code: "CODEC.READ", path, what }]
  if (oldReader === "silent" || newReader === "silent") {
    const data = newReader === "works" ? ("nothing" as const) : ("move" as const)
    return [{ code: isScore ? "SCORE.CODEC" : "CODEC.AMBIGUOUS", path, what, data, ...verdicts }]
  }
  const [wider, narrower] = isBounds
    ? (["LIMIT.LOOSENED", "LIMIT.TIGHTENED"] as const)
    : (["CODEC.WIDENED", "CODEC.NARROWED"] as const)
  if (oldReader === "fails" && newReader === "fails")
    return isBounds
      ? [
          { code: wider, path, what },
          { code: narrower, path, what },
        ]
      : [{ code: "CODEC.REPLACED", path, what, ...verdicts }]
  return [{ code: oldReader === "fails" ? wider : narrower, path, what, ...verdicts }]
}

type Delimited = Extract<CodecSpec, { codec: "delimited" }>

/** Undefined where the separator changed: then nothing can be said about single columns. */
function columnChanges(before: Delimited, after: Delimited, path: string): FoundChange[] | undefined {
  if (before.separator !== after.separator) return undefined
  const [olds, news] = [Object.keys(before.fields), Object.keys(after.fields)]
  const what = `${olds.join(before.separator)} → ${news.join(after.separator)}`
  if (olds.length !== news.length)
    return [{ code: olds.length < news.length ? "COLUMN.ADDED" : "COLUMN.REMOVED", path, what }]
  const isReordered = olds.some((name, i) => news[i] !== name && news.includes(name))
  if (isReordered) return [{ code: "COLUMN.ORDER", path, what, ...orderVerdicts(before, after) }]
  return news.flatMap((name, i) => codecChanges(before.fields[olds[i]!]!, after.fields[name]!, `${path}.${name}`))
}

/** Columns of different codecs that changed places are refused where columns of one codec are taken for each other. */
function orderVerdicts(before: Delimited, after: Delimited): Partial<FoundChange> {
  const { oldReader, newReader } = comparePair(before, after)
  const isSwapped = (read: CodecPair["oldReader"]) => (read === "works" ? "silent" : read)
  const named = { oldReader: isSwapped(oldReader), newReader: isSwapped(newReader) }
  return pairVerdicts(named)
}

/** Without what is only a name or a mark. */
function withoutNames(spec: CodecSpec): CodecSpec {
  const inner = bare(spec)
  if (inner.codec === "id" && inner.matching === undefined && inner.allow === undefined) return withoutNames(inner.of)
  return inner
}

export function secretMark(before: CodecSpec, after: CodecSpec, path: string): FoundChange[] {
  const [was, is] = [isSecret(before), isSecret(after)]
  if (was === is) return []
  return [{ code: is ? "SECRET.ADDED" : "SECRET.REMOVED", path, what: is ? "secret" : "not secret" }]
}

function isSecret(spec: CodecSpec): boolean {
  if (spec.codec === "secret") return true
  return "of" in spec ? isSecret(spec.of) : false
}

export function idName(before: CodecSpec, after: CodecSpec, path: string): FoundChange[] {
  const [was, is] = [idNameOf(before), idNameOf(after)]
  if (was === is) return []
  return [{ code: "NAME.ID", path, what: `${was ?? "no name"} → ${is ?? "no name"}` }]
}

const idNameOf = (spec: CodecSpec): string | undefined =>
  spec.codec === "id" ? spec.name : "of" in spec ? idNameOf(spec.of) : undefined
