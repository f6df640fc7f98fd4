/* Two patterns that can match the same key, distinguished by what the texts of a
 * parameter look like: one accepts only texts of one form, the other only the rest. */

import type { MinedRow } from "./row.ts"

/** What the texts of a parameter look like. */
interface TextForm {
  readonly param: number
  readonly form: string
}

/** What texts may have that others have not. */
const FORMS = [
  "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
  "\\d+",
  "[^@]+@[^@]+",
  "\\D+",
  "[^-]+",
  ".*[^-\\d].*",
  ".*\\D.*",
]

/** Makes one of the two stricter, or both; false when nothing distinguishes them. */
export function toldApart(one: MinedRow, other: MinedRow): boolean {
  return placed(one, other) || placed(other, one) || narrowed(one, other) || narrowed(other, one)
}

/** `people:{id}:idx` beside `people:name:{name}`: no id looks like the word in that position. */
function placed(row: MinedRow, rival: MinedRow): boolean {
  const [head, param, tail = ""] = row.parts
  const [other] = rival.parts
  if (typeof head !== "string" || typeof other !== "string" || typeof param !== "object" || typeof tail !== "string")
    return false
  const [word] = other.slice(head.length).split(tail.charAt(0) || "\n")
  if (param.kind !== "text" || word === undefined || word === "" || !other.startsWith(head)) return false
  const form = [...FORMS, ".*\\d.*"].find((source) => {
    const whole = new RegExp(`^(?:${source})$`, "u")
    return !whole.test(word) && row.learned[0]!.length > 0 && row.learned[0]!.every((text) => whole.test(text))
  })
  return form !== undefined && narrow(row, 0, form)
}

function narrowed(row: MinedRow, rival: MinedRow): boolean {
  const isAlike = row.pattern() === rival.pattern()
  const found = isAlike ? byTexts(row, rival) : bySigns(row)
  if (found === undefined || !narrow(row, found.param, found.form)) return false
  // Only if the other pattern refuses such a text is it certain whose it is.
  const other = isAlike ? { param: found.param, form: `(?!(?:${found.form})$)[^]+` } : bySigns(rival)
  if (other !== undefined && rival.params[other.param]!.kind === "text") narrow(rival, other.param, other.form)
  return true
}

/** Beside a form that it has already; never for a pattern that has keys, which might not have it. */
function narrow(row: MinedRow, param: number, form: string): boolean {
  const before = row.matching
  if (row.count > 0 || (before !== undefined && (before.param !== param || before.form.includes(form)))) return false
  const both = before === undefined ? form : `(?=(?:${before.form})$)(?:${form})`
  row.matching = { param, form: both, whole: new RegExp(`^(?:${both})$`, "u") }
  return true
}

/** No sign that keys are put together with. */
const SIGNLESS = "[^:/|#;,=&~!]+"

/** Patterns of other separators: parameters without them. */
function bySigns(row: MinedRow): TextForm | undefined {
  const whole = new RegExp(`^${SIGNLESS}$`, "u")
  const param = row.params.findIndex(
    ({ kind }, i) => kind === "text" && row.learned[i]!.every((one) => whole.test(one)),
  )
  return param < 0 ? undefined : { param, form: SIGNLESS }
}

function byTexts(row: MinedRow, rival: MinedRow): TextForm | undefined {
  for (const [param, { kind }] of row.params.entries()) {
    const others = rival.learned[param]!
    if (kind !== "text" || others.length === 0) continue
    const form = FORMS.find((source) => {
      const whole = new RegExp(`^(?:${source})$`, "u")
      return row.learned[param]!.every((one) => whole.test(one)) && others.every((one) => !whole.test(one))
    })
    if (form !== undefined) return { param, form }
  }
  return undefined
}
