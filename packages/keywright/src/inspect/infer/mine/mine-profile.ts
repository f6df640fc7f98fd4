/* How keys continue after a segment: what makes two segments similar. */

import { getOrMake } from "../../walk/get-or-make.ts"
import type { MinedKey, PatternPart } from "./mine.ts"

/** Some keys that share the text at one position. */
export interface KeyBranch {
  readonly parts: readonly PatternPart[]
  readonly items: readonly MinedKey[]
}

export interface Profile {
  /** Every continuation, and how often it occurs: the rest of the key, and the shape of its value. */
  readonly ways: ReadonlyMap<string, number>
  /** Names of fields of the documents by the way to them, and how often. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const LOOKED_AT = 400

/** `loose`: words in the rest of the key count for nothing. */
export function profileOf(items: readonly MinedKey[], at: number, loose = false): Profile {
  const ways = new Map<string, number>()
  const fields = new Map<string, Map<string, number>>()
  const step = Math.max(1, Math.floor(items.length / LOOKED_AT))
  for (let i = 0; i < items.length; i += step) {
    const { segments, learned } = items[i]!
    let way = ""
    for (const { sep, kind, text, template } of segments.slice(at + 1))
      way +=
        sep + (kind === "word" ? (loose ? "{}" : text) : kind === "tag" ? "{}" : template.replace(/\{[a-z]+\}/g, "{}"))
    way += ` ${learned.shape}`
    ways.set(way, (ways.get(way) ?? 0) + 1)
    if (learned.fields === undefined) continue
    const own = getOrMake(fields, way, () => new Map<string, number>())
    for (const field of learned.fields) own.set(field, (own.get(field) ?? 0) + 1)
  }
  return { ways: withoutWhole(ways), fields }
}

/** Among fractions, a whole number is a coincidence, not another type. */
function withoutWhole(ways: Map<string, number>): Map<string, number> {
  for (const [way, count] of ways) {
    if (!way.endsWith(" string:float")) continue
    const whole = way.replace(/float$/, "int")
    ways.set(way, count + (ways.get(whole) ?? 0))
    ways.delete(whole)
  }
  return ways
}

/** Whether the texts there are the same kind of thing. */
export function similar(one: Profile, other: Profile): boolean {
  const [few, many] = one.ways.size <= other.ways.size ? [one, other] : [other, one]
  let shared = 0
  for (const [way] of few.ways) {
    if (!many.ways.has(way)) continue
    // Documents with other fields are other things, whatever else is alike.
    if (!sameFields(one.fields.get(way), other.fields.get(way))) return false
    shared++
  }
  return shared >= few.ways.size / 2
}

/** Whether the other has several of the same continuations and no others, or holds the same records. */
export function within(one: Profile, other: Profile): boolean {
  const isAll = [...other.ways.keys()].every((way) => one.ways.has(way))
  return isAll && similar(one, other) && (other.ways.size > 1 || areRecords(other))
}

/** Whether all keys that end here hold records of one kind. */
export const areRecords = ({ ways, fields }: Profile): boolean =>
  ways.size === 1 && [...fields].some(([way, names]) => way.startsWith(" ") && names.size >= 2)

function sameFields(
  one: ReadonlyMap<string, number> | undefined,
  other: ReadonlyMap<string, number> | undefined,
): boolean {
  if (one === undefined || other === undefined) return true
  const [few, many] = one.size <= other.size ? [one, other] : [other, one]
  const common = [...few.keys()].filter((field) => many.has(field)).length
  return common >= 0.6 * few.size && common >= 0.3 * many.size
}
