/* A parameter among the words of a segment, `rails:cartodb_user_{}_db:{}`, where whole
 * segments are known elsewhere: what a field holds as `cartodb_user_7_db` is one name, not
 * a number between words. */

import { leavesAll } from "./classify-rows.ts"
import type { Param, PatternPart } from "./mine.ts"
import { paramsIn } from "./records.ts"
import { MinedRow } from "./row.ts"
import { PRIMARY } from "./segments.ts"
import { wholeSegments as enough } from "../thresholds.ts"
import { TextStatistics } from "../values/text-statistics.ts"

export interface RowsOf {
  readonly db: number
  readonly rows: readonly MinedRow[]
  /** Some keys that belong to none of them. */
  readonly strangers: readonly string[]
}

/** The same rows of each database, such segments as one parameter. */
export function wholeSegments(databases: readonly RowsOf[]): { readonly row: MinedRow; readonly db: number }[] {
  const names = databases.flatMap(({ rows }) => rows.flatMap(valueTexts))
  return databases.flatMap((database) => {
    const rows = [...database.rows]
    for (const [i, row] of rows.entries()) {
      const made = withWhole(row, names)
      const all = rows.with(i, made ?? row)
      const isFree = made !== undefined && !database.strangers.some((key) => paramsIn({ row: made }, key).length > 0)
      if (isFree && leavesAll(all, made)) rows[i] = made
    }
    return rows.map((row) => ({ row, db: database.db }))
  })
}

/** Texts of fields, members and values that may be names. */
function valueTexts({ main: [, { values }] }: MinedRow): TextStatistics[] {
  const all = [
    values.cells.texts,
    values.names,
    ...[...(values.fields?.values() ?? [])].map(({ texts }) => texts),
    ...[...(values.cells.documents?.objects?.fields?.values() ?? [])].flatMap(({ strings }) => strings ?? []),
  ]
  return all.filter((texts) => texts.sketch.distinct >= enough.least && !texts.only("int", "float", "word"))
}

/** Undefined where no whole segment is known. */
function withWhole(row: MinedRow, names: readonly TextStatistics[]): MinedRow | undefined {
  if (row.matching !== undefined || row.known !== undefined) return undefined
  for (const segment of composites(row)) {
    const wholes = wholesOf(row, segment)
    const isKnown = ({ sketch }: TextStatistics) =>
      wholes.every((whole) => sketch.has(whole) !== false) &&
      wholes.filter((whole) => sketch.has(whole)).length >= enough.least
    if (wholes.length >= enough.least && names.some(isKnown)) return joined(row, segment, wholes)
  }
  return undefined
}

/** What is between two separators: literals, and the numbers of parameters. */
interface Composite {
  /** Places among the row's parts, the first and the last. */
  readonly from: number
  readonly to: number
  readonly head: string
  readonly tail: string
  readonly pieces: readonly (string | number)[]
}

function composites({ parts }: MinedRow): Composite[] {
  const sign = PRIMARY.find((one) => parts.some((part) => typeof part === "string" && part.includes(one)))
  if (sign === undefined) return []
  const found: Composite[] = []
  let param = 0
  for (let from = 0; from < parts.length; from++) {
    if (typeof parts[from] === "string") continue
    const before = parts[from - 1]
    const head = typeof before === "string" ? before.slice(before.lastIndexOf(sign) + 1) : ""
    const pieces: (string | number)[] = [head]
    let to = from
    let tail = ""
    for (; ; to += 2) {
      pieces.push(param++)
      const after = parts[to + 1]
      const end = typeof after === "string" ? after.indexOf(sign) : 0
      tail = typeof after === "string" ? (end < 0 ? after : after.slice(0, end)) : ""
      pieces.push(tail)
      if (end >= 0 || typeof parts[to + 2] !== "object") break
    }
    const isTag = parts.slice(from, to + 1).some((part) => typeof part !== "string" && part.tag)
    if (!isTag && pieces.some((piece) => typeof piece === "string" && piece !== ""))
      found.push({ from, to, head, tail, pieces })
    from = to
  }
  return found
}

/** Whole segments: of one parameter all that are known, of several those of some keys. */
function wholesOf(row: MinedRow, { pieces, head, tail }: Composite): string[] {
  const [first, ...others] = pieces.filter((piece) => typeof piece === "number")
  const { values, samples } = row.texts[first!]!
  if (others.length === 0) return [...new Set(values?.keys() ?? samples)].map((text) => head + text + tail)
  const wholes = row.main[1].examples.map((key) => {
    const params = paramsIn({ row }, key)
    return pieces.map((piece) => (typeof piece === "string" ? piece : params[piece])).join("")
  })
  return [...new Set(wholes)]
}

/** The row with one parameter for the segment. */
function joined(row: MinedRow, { from, to, head, tail, pieces }: Composite, wholes: readonly string[]): MinedRow {
  const whole: Param = { kind: "text", atom: "slug" }
  const before = row.parts.slice(0, from)
  const after = row.parts.slice(to + 1)
  if (head !== "") before.push((before.pop() as string).slice(0, -head.length))
  if (tail !== "") after.unshift((after.shift() as string).slice(tail.length))
  const made = new MinedRow([...before, whole, ...after].filter((part: PatternPart) => part !== ""))
  const numbers = pieces.filter((piece) => typeof piece === "number")
  const first = numbers[0]!
  const kept = row.params.map((_, i) => i).filter((i) => !numbers.includes(i) || i === first)
  made.count = row.count
  for (const [type, of] of row.types) made.types.set(type, of)
  kept.forEach((old, i) => {
    made.texts[i] = old === first ? textsOf(wholes, row.count) : row.texts[old]!
    made.learned[i] = old === first ? [...wholes] : row.learned[old]!
    made.allow[i] = row.allow[old]!
  })
  return made
}

function textsOf(all: readonly string[], count: number): TextStatistics {
  const texts = new TextStatistics()
  for (const text of all) texts.add(text)
  texts.count = count
  return texts
}
