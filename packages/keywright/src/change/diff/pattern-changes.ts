/* Where the keys are: database, pattern, hash tag, and which texts a parameter may have. */

import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import type { Key } from "../../schema/key.ts"
import { paramNames } from "../../schema/locate.ts"
import { idName, secretMark } from "./codec-changes.ts"
import { sameSpec } from "./same-spec.ts"
import { type CodecPair, compareSegments } from "./codec-pair.ts"
import { codecText } from "./codec-text.ts"
import type { FoundChange } from "./change.ts"
import { cells } from "./codes/row.ts"
import { patternShape } from "./pattern-shape.ts"
import { isGood, type TableVerdict, type Verdicts } from "./verdict.ts"

export function patternChanges(before: Key, after: Key, path: string): FoundChange[] {
  const keys = { oldKey: before.name, newKey: after.name }
  const found: FoundChange[] = []
  if (before.db !== after.db)
    found.push({ code: "DB.MOVED", path, what: `database ${before.db} → ${after.db}`, ...keys })
  const moved = patternChange(before.pattern, after.pattern)
  if (moved !== undefined) found.push({ code: moved, path, what: `${before.pattern} → ${after.pattern}`, ...keys })
  if (moved === "PATTERN.PARAMS") return found
  const shards = moved === undefined ? shardChange(before, after) : undefined
  if (shards !== undefined) found.push({ code: "TAG.CHANGED", path, what: shards, ...keys })
  const [olds, news] = [paramNames(before.pattern), paramNames(after.pattern)]
  news.forEach((name, i) => {
    // It follows from another parameter.
    if (name === "shard" && before.sharded && after.sharded) return
    const [one, other] = [before.params[olds[i]!], after.params[name]]
    if (one && other) found.push(...paramChanges(one.spec, other.spec, `${path}.{${name}}`, keys))
  })
  return found
}

function patternChange(before: string, after: string): FoundChange["code"] | undefined {
  const [olds, news] = [paramNames(before), paramNames(after)]
  if (olds.length !== news.length) return "PATTERN.PARAMS"
  // The same names at other places: the values change places, whatever is between them.
  const reordered = olds.some((name, i) => news[i] !== name && news.includes(name))
  if (reordered) return "PATTERN.PARAMS"
  if (patternShape(before) === patternShape(after)) return undefined
  return untagged(before) === untagged(after) ? "TAG.CHANGED" : "PATTERN.MOVED"
}

/** The tag follows from a parameter and from the number of shards: another number sends nearly every key elsewhere. */
function shardChange(before: Key, after: Key): string | undefined {
  const [was, is] = [before.sharded, after.sharded]
  if (!was || !is || was.shards === 0 || is.shards === 0) return undefined
  if (was.shards !== is.shards) return `${was.shards} → ${is.shards} shards`
  const sumsOf = ({ by, checksumOf, startOf = [] }: NonNullable<Key["sharded"]>) =>
    checksumOf === undefined ? by : `the checksum of ${[...checksumOf, ...startOf].join(", ")}`
  if (was.checksumOf ?? is.checksumOf)
    return sumsOf(was) === sumsOf(is) ? undefined : `shards by ${sumsOf(was)} → by ${sumsOf(is)}`
  const placeOf = ({ pattern }: Key, by: string) => paramNames(pattern).indexOf(by)
  return placeOf(before, was.by) === placeOf(after, is.by) ? undefined : `shards by ${was.by} → by ${is.by}`
}

const untagged = (pattern: string): string => patternShape(pattern.replace(/\{\{(\w+)\}\}/g, "{$1}"))

function paramChanges(before: CodecSpec, after: CodecSpec, path: string, keys: object): FoundChange[] {
  if (sameSpec(before, after)) return []
  const found: FoundChange[] = [...idName(before, after, path), ...secretMark(before, after, path)]
  const pair = compareSegments(before, after)
  const { oldReader, newReader } = pair
  const what = `${codecText(before)} → ${codecText(after)}`
  if (oldReader === "silent" || newReader === "silent" || (!isGood(oldReader) && !isGood(newReader)))
    found.push({ code: "PARAM.SPELLING", path, what, ...spelling(pair) })
  else if (!isGood(oldReader)) found.push({ code: "PARAM.WIDENED", path, what })
  else if (!isGood(newReader)) found.push({ code: "PARAM.NARROWED", path, what })
  return found.map((one) => ({ ...one, ...keys }))
}

const spelling = ({ oldReader, newReader }: CodecPair): Verdicts =>
  cells<TableVerdict>(oldReader, newReader, newReader, newReader === "fails" ? "fails to read" : newReader)
