/* Patterns that were found, as the classifier of the schema that will be proposed: what
 * it says about a key here, audit says about it later.
 *
 * Where two patterns can match the same key they are distinguished by what their texts
 * look like, and the rarer one is dropped if that does not help. A pattern that has keys
 * already keeps them: later patterns may neither change it nor take keys from it. */

import { SchemaError } from "../../../errors/error.ts"
import { type Classifier, classifier } from "../../../schema/classify/classify.ts"
import type { TextCodec } from "../../../schema/codec/codec.ts"
import { id } from "../../../schema/codec/id.ts"
import { text } from "../../../schema/codec/text.ts"
import { string } from "../../../schema/define.ts"
import type { Key } from "../../../schema/key.ts"
import { keyspace } from "../../../schema/keyspace.ts"
import { parsePattern } from "../../../schema/pattern.ts"
import type { Param, ParamKind } from "./mine.ts"
import { paramCodecs, rarer, type MinedRow } from "./row.ts"
import { toldApart } from "./tell-apart.ts"

export type RowClassifier = Pick<Classifier, "classify" | "spans">

/** More patterns than anybody would read. */
const MOST_ROWS = 800
/** A longer text is not a name. */
const LONGEST = 800
/** No real key has more parameters, and comparing two such patterns takes long. */
const MOST_PARAMS = 24
/** Comparisons of two patterns, about, after which rare ones give way in numbers: every conflict compares all again. */
const MOST_COMPARED = 4_000_000

export function classifierOf(given: readonly MinedRow[]): { rows: MinedRow[]; classifier: RowClassifier } {
  let rows = given.filter(isSpellable)
  if (rows.length > MOST_ROWS) {
    const counted = rows.filter(({ count }) => count > 0).length
    rows = rows.sort((a, b) => -rarer(a, b)).slice(0, Math.max(MOST_ROWS, counted))
  }
  let compared = 0
  for (;;) {
    compared += rows.length ** 2
    const keys = keysOfRows(rows)
    const wrong = "one" in keys ? keys : thief(rows, keys.made)
    if (wrong === undefined) return { rows, classifier: classifier((keys as { made: readonly Key[] }).made) }
    rows = without(rows, wrong)
    if (compared > MOST_COMPARED) rows = withoutRarest(rows)
  }
}

/** Three quarters of the patterns that have no keys yet: keys without any order make very many, and nearly all conflict. */
function withoutRarest(rows: readonly MinedRow[]): MinedRow[] {
  const looking = rows.filter(({ count }) => count === 0).sort(rarer)
  const rarest = new Set(looking.slice(0, Math.ceil(looking.length / 4)))
  return rows.filter((row) => !rarest.has(row))
}

/** Whether a row that has changed still leaves every key to the row that it was counted for. */
export function leavesAll(all: readonly MinedRow[], changed: MinedRow): boolean {
  const rows = all.filter(isSpellable)
  const keys = keysOfRows(rows)
  if ("one" in keys) return false
  const name = `r${rows.indexOf(changed)}`
  return keys.made.every(({ rivals }, i) => rows[i]!.count === 0 || !rivals.includes(name))
}

/** Two patterns that can be the same key. */
interface RowConflict {
  readonly one: MinedRow
  readonly other: MinedRow
}

const isSpellable = (row: MinedRow): boolean => {
  if (row.params.length > MOST_PARAMS) return false
  if (row.parts.some((part) => typeof part === "string" && /[{}]/.test(part))) return false
  const pattern = row.pattern()
  try {
    return pattern !== "" && pattern.length < LONGEST && parsePattern(pattern).length > 0
  } catch (error) {
    if (error instanceof SchemaError) return false
    throw error
  }
}

function keysOfRows(rows: readonly MinedRow[]): { readonly made: readonly Key[] } | RowConflict {
  const spelled = rows.map((row, i) => row.pattern(namesOf(row, i)))
  try {
    const entries = rows.map((row, i) => [`r${i}`, string(spelled[i]!, text, { params: codecsOfRow(row, i) as {} })])
    // Which key is tried depends on the order, and the proposal has another one.
    keyspace(Object.fromEntries(entries.toReversed()) as {})
    return { made: keyspace(Object.fromEntries(entries) as {}).keys }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    const { message } = error
    const one = spelled.find((pattern) => message.startsWith(`"${pattern}" and "`))
    const other = spelled.find((pattern) => message.startsWith(`"${one}" and "${pattern}" can both`))
    if (one === undefined || other === undefined) throw error
    return { one: rows[spelled.indexOf(one)]!, other: rows[spelled.indexOf(other)]! }
  }
}

/** Names that no other row has, so that an error says which of two rows that look alike is meant. */
const namesOf = ({ params }: MinedRow, row: number): string[] => params.map((_, i) => `r${row}p${i}`)

const codecsOfRow = (row: MinedRow, at: number): Record<string, TextCodec> =>
  Object.fromEntries(namesOf(row, at).map((name, i) => [name, codecOf(row, row.params[i]!, i)]))

function codecOf(row: MinedRow, { kind }: Param, i: number): TextCodec {
  if (kind !== "text") return paramCodecs[kind]
  const allow = row.allow[i]!
  const matching = row.matching?.param === i ? row.matching.form : undefined
  if (allow === "" && matching === undefined) return text
  return id("x", {
    ...(allow !== "" && { allow }),
    ...(matching !== undefined && { matching: new RegExp(matching, "u") }),
  })
}

/** Makes two rows distinguishable, or drops one; a row without keys has to yield. */
function without(rows: MinedRow[], { one, other }: RowConflict): MinedRow[] {
  if (toldApart(one, other)) return rows
  const [rare] = [one, other].sort(rarer)
  return rows.filter((row) => row !== rare)
}

/**
 * A row without keys that could take some from one that has them; a single waiting key does not belong to any
 * row yet.
 */
function thief(rows: readonly MinedRow[], keys: readonly Key[]): RowConflict | undefined {
  const byName = new Map(rows.map((row, i) => [`r${i}`, row]))
  for (const [i, { rivals }] of keys.entries()) {
    const one = rows[i]!
    if (one.count === 0) continue
    const other = rivals.map((name) => byName.get(name)!).find((rival) => isLooking(rival) && !isApart(one, rival))
    if (other !== undefined) return { one, other }
  }
  return undefined
}

const isLooking = ({ count, params }: MinedRow): boolean => count === 0 && params.length > 0

/** Forms that no text of these kinds has. */
const FOREIGN: Readonly<Record<Exclude<ParamKind, "text">, ReadonlySet<string>>> = {
  int: new Set(["\\D+", ".*[^-\\d].*"]),
  day: new Set(["\\D+", "\\d+", ".*[^-\\d].*"]),
  month: new Set(["\\D+", "\\d+", ".*[^-\\d].*"]),
  compactDay: new Set(["\\D+", ".*[^-\\d].*"]),
}

const isApart = (one: MinedRow, rival: MinedRow): boolean => {
  const { matching } = rival
  if (matching === undefined || one.pattern() !== rival.pattern()) return false
  const { kind } = one.params[matching.param]!
  return kind !== "text" && FOREIGN[kind].has(matching.form)
}
