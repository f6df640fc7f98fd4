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

/** What a text parameter may be told apart by, where another pattern takes other texts in its place. */
const FORMS = [
  "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
  "\\d+",
  "[^@]+@[^@]+",
  "\\D+",
  "[^-]+",
  ".*\\D.*",
  ".*[^-\\d].*",
]

function withoutConflict(rows: Row[], error: SchemaError): Row[] {
  const [, one, other] = /^"(.*)" and "(.*)" can both/.exec(error.message) ?? []
  const pair = rows.filter((row) => row.pattern() === one || row.pattern() === other)
  if (one === undefined || pair.length < 2) {
    const [, broken] = /"(.*?)"/.exec(error.message) ?? []
    const left = rows.filter((row) => row.pattern() !== broken)
    return left.length < rows.length ? left : []
  }
  for (const row of pair)
    for (const rival of pair) {
      const matching = row === rival ? undefined : apart(row, rival)
      if (matching === undefined) continue
      row.matching = matching
      return rows
    }
  const [rare] = pair.sort((a, b) => a.count - b.count)
  return rows.filter((row) => row !== rare)
}

/** No sign that keys are put together with. */
const SIGNLESS = "[^:/|#;,=&~!]+"

/** A form that all texts of a parameter have, and none of the rival's; beside one that it has already. */
function apart(row: Row, rival: Row): Row["matching"] {
  const found = row.pattern() === rival.pattern() ? byTexts(row, rival) : bySigns(row)
  const before = row.matching
  if (found === undefined || before === undefined) return found
  const isNew = before.param === found.param && !before.form.includes(found.form)
  return isNew ? { param: found.param, form: `(?=(?:${before.form})$)(?:${found.form})` } : undefined
}

/** Patterns of other separators: parameters without them. */
function bySigns(row: Row): Row["matching"] {
  const whole = new RegExp(`^${SIGNLESS}$`, "u")
  const param = row.params.findIndex(
    ({ kind }, i) => kind === "text" && row.learned[i]!.every((one) => whole.test(one)),
  )
  return param < 0 ? undefined : { param, form: SIGNLESS }
}

function byTexts(row: Row, rival: Row): Row["matching"] {
  for (const [param, { kind }] of row.params.entries()) {
    const others = rival.learned[Math.min(param, rival.params.length - 1)]
    if (kind !== "text" || others === undefined) continue
    const form = FORMS.find((source) => {
      const whole = new RegExp(`^(?:${source})$`, "su")
      return row.learned[param]!.every((one) => whole.test(one)) && others.every((one) => !whole.test(one))
    })
    if (form !== undefined) return { param, form }
  }
  return undefined
}
