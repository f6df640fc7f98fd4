/* What a form holds, and what goes into a request. A form holds texts; `json` fields are
 * sent as JSON values, `text` fields as they are typed. */

import type { Cell, FormField, Issue, Shown, Special } from "../../api.ts"

export type FieldTexts = Readonly<Record<string, string>>

export type ParsedField = { readonly value: unknown } | { readonly error: string }

/** What was typed, as the request has it. An empty optional field is null: absent. */
export function readField({ as, input, optional, type }: FormField, text: string): ParsedField {
  if (text === "" && optional) return { value: null }
  if (as === "text") return { value: text }
  if (input === "number") {
    const number = Number(text)
    if (text.trim() === "" || Number.isNaN(number)) return { error: "a number is expected" }
    return isExact(number) ? { value: number } : { error: TOO_MANY_DIGITS }
  }
  if (input === "boolean") return text === "" ? { error: "choose one" } : { value: text === "true" }
  if (input === "choice") return text === "" ? { error: "choose one" } : { value: text }
  if (input === "json") {
    try {
      const value = JSON.parse(text) as unknown
      return isExact(value) ? { value } : { error: TOO_MANY_DIGITS }
    } catch {
      return { error: `this is not JSON${type === "JSON" ? "" : ` (${type})`}` }
    }
  }
  return { value: text }
}

const TOO_MANY_DIGITS = "a number has more digits than JavaScript keeps"

/** Whether no number in it may stand for another one: whole numbers beyond 2^53 are rounded. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value)
  return typeof value !== "object" || value === null || Object.values(value).every(isExact)
}

/** What a field holds now, as one would type it; nothing where that cannot be typed back. */
export function textOfCell(field: FormField, cell: Cell): string {
  const { decoded, raw } = cell
  if (!isTypable(field, cell)) return ""
  if (field.as === "text") return raw?.text ?? ""
  if (decoded === undefined || decoded === null || isAbsent(decoded)) return ""
  return field.input === "json" || typeof decoded === "object" ? JSON.stringify(decoded, null, 2) : String(decoded)
}

/**
 * Whether the page has all of what a field holds, and a form gives it back unchanged. It has not when it is secret, cut
 * because it is long, or not text; and no form keeps a carriage return.
 */
export function isTypable({ as, input }: FormField, { decoded, raw, secret }: Cell): boolean {
  if (secret && (decoded === undefined || isSpecial(decoded))) return false
  if (as === "text")
    return raw === undefined || (raw.text !== undefined && !raw.cut && (input === "json" || isKept(raw.text)))
  if (decoded === undefined || isAbsent(decoded)) return true
  return isWhole(decoded) && (typeof decoded !== "string" || input === "json" || isKept(decoded))
}

const isKept = (text: string): boolean => !text.includes("\r")

/** The server cuts longer texts (shown.ts). */
const LONGEST_SHOWN = 16_384

function isWhole(value: Shown): boolean {
  if (typeof value === "string") return value.length <= LONGEST_SHOWN
  if (typeof value !== "object" || value === null) return true
  return !isSpecial(value) && Object.values(value as Readonly<Record<string, Shown>>).every(isWhole)
}

const isSpecial = (value: Shown): boolean => typeof value === "object" && value !== null && "~" in value
const isAbsent = (value: Shown): boolean => isSpecial(value) && (value as Special)["~"] === "undefined"

/** What the fields hold now, as one would type it. */
export const textsOf = (fields: readonly FormField[], cellOf: (name: string) => Cell | undefined): FieldTexts =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const cell = cellOf(field.name)
      return cell === undefined ? [] : [[field.name, textOfCell(field, cell)]]
    }),
  )

/** Whatever a field is called: objects inherit a `constructor`. */
export const textIn = (texts: FieldTexts, name: string): string => (Object.hasOwn(texts, name) ? texts[name]! : "")

/** The fields whose values are there, and not in the form. */
export const untypableOf = (fields: readonly FormField[], cellOf: (name: string) => Cell | undefined): Set<string> =>
  new Set(
    fields.flatMap((field) => {
      const cell = cellOf(field.name)
      return cell === undefined || isTypable(field, cell) ? [] : [field.name]
    }),
  )

/** All fields that are sent: those of `before` that were not touched are left out. */
export function readFields(
  fields: readonly FormField[],
  texts: FieldTexts,
  before: FieldTexts | undefined,
): { readonly values: Readonly<Record<string, unknown>>; readonly issues: readonly Issue[] } {
  const values = new Map<string, unknown>()
  const issues: Issue[] = []
  for (const field of fields) {
    const text = textIn(texts, field.name)
    if (before !== undefined && text === textIn(before, field.name)) continue
    const read = readField(field, text)
    if ("error" in read) issues.push({ field: field.name, message: read.error })
    // What is absent of a new record is left out.
    else if (read.value !== null || before !== undefined) values.set(field.name, read.value)
  }
  return { values: Object.fromEntries(values), issues }
}
