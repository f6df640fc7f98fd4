/* Patterns that were found, as a classifier. Where two of them can be the same key
 * they are made stricter, and the rarer one is given up if that does not help. */

import { SchemaError } from "../../errors/error.ts"
import { classifier } from "../../schema/classify.ts"
import type { TextCodec } from "../../schema/codec/codec.ts"
import { compactDay, day, month } from "../../schema/codec/date.ts"
import { id } from "../../schema/codec/id.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { string } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { Atom } from "./atoms.ts"
import type { Param } from "./mine.ts"
import type { Row } from "./row.ts"

export interface RowClassifier {
  classify(key: string): number
  readonly spans: Int32Array
}

const codecs = { int, day, month, compactDay }
/** More patterns than anybody would read. */
const MOST_ROWS = 800

export function classifierOf(given: readonly Row[]): { rows: Row[]; classifier: RowClassifier } {
  let rows = [...given]
  if (rows.length > MOST_ROWS) rows = rows.sort((a, b) => b.count - a.count).slice(0, MOST_ROWS)
  for (;;) {
    try {
      const entries = Object.fromEntries(
        rows.map((row, i) => [`r${i}`, string(row.pattern(), text, { params: paramsOf(row) as {} })]),
      )
      const { classify, spans } = classifier(keyspace(entries).keys)
      return { rows, classifier: { classify, spans } }
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      rows = withoutConflict(rows, error)
    }
  }
}

/** The codecs of a row's parameters, by the names that `pattern()` gives them. */
const paramsOf = (row: Row): Record<string, TextCodec> =>
  Object.fromEntries(row.params.map((param, i) => [`p${i}`, codecOf(row, param, i)]))

function codecOf(row: Row, { kind }: Param, i: number): TextCodec {
  if (kind !== "text") return codecs[kind]
  const allow = row.allow[i]!
  const matching = row.matching?.param === i ? row.matching.form : undefined
  if (allow === "" && matching === undefined) return text
  return id("x", {
    ...(allow !== "" && { allow }),
    ...(matching !== undefined && { matching: new RegExp(matching, "u") }),
  })
}

/** What a text parameter is when there is another that looks otherwise. */
const MATCHING: Partial<Record<Atom, string>> = {
  uuid: "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
  email: "[^@]+@[^@]+",
  word: "\\D+",
}

function withoutConflict(rows: Row[], error: SchemaError): Row[] {
  const [, one, other] = /^"(.*)" and "(.*)" can both/.exec(error.message) ?? []
  const pair = rows.filter((row) => row.pattern() === one || row.pattern() === other)
  if (one === undefined || pair.length < 2) {
    const [, broken] = /"(.*?)"/.exec(error.message) ?? []
    const left = rows.filter((row) => row.pattern() !== broken)
    return left.length < rows.length ? left : []
  }
  const open = pair.flatMap((row, i) => {
    const param = row.matching === undefined ? differing(row, pair[1 - i]!) : -1
    return param < 0 ? [] : [{ row, param }]
  })[0]
  if (open !== undefined) {
    open.row.matching = { param: open.param, form: MATCHING[open.row.params[open.param]!.atom] ?? ".*\\D.*" }
    return rows
  }
  const [rare] = pair.sort((a, b) => a.count - b.count)
  return rows.filter((row) => row !== rare)
}

/** The text parameter that stands where the other pattern has one of another kind; else the last one. */
function differing(row: Row, other: Row): number {
  const at = row.params.findIndex(({ kind }, i) => kind === "text" && other.params[i]?.kind !== "text")
  return at >= 0 || row.params.length === other.params.length
    ? at
    : row.params.findLastIndex(({ kind }) => kind === "text")
}
