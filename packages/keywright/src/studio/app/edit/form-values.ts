/* What a form holds, and what goes into a request. A form holds texts; `json` fields are
 * sent as JSON values, `text` fields as they are typed. */

import type { Cell, FormField, Issue, Shown } from "../../api.ts"

export type FieldTexts = Readonly<Record<string, string>>

export type ParsedField = { readonly value: unknown } | { readonly error: string }

/** What was typed, as the request has it. An empty optional field is null: absent. */
export function readField({ as, input, optional, type }: FormField, text: string): ParsedField {
  if (text === "" && optional) return { value: null }
  if (as === "text") return { value: text }
  if (input === "number") {
    const number = Number(text)
    return text.trim() === "" || Number.isNaN(number) ? { error: "a number is expected" } : { value: number }
  }
  if (input === "boolean") return text === "" ? { error: "choose one" } : { value: text === "true" }
  if (input === "choice") return text === "" ? { error: "choose one" } : { value: text }
  if (input === "json") {
    try {
      return { value: JSON.parse(text) as unknown }
    } catch {
      return { error: `this is not JSON${type === "JSON" ? "" : ` (${type})`}` }
    }
  }
  return { value: text }
}

/** What a field holds now, as one would type it. Secrets are not known: nothing. */
export function textOfCell({ as, input }: FormField, { decoded, raw, secret }: Cell): string {
  if (secret && (decoded === undefined || isSpecial(decoded))) return ""
  if (as === "text") return raw?.text ?? ""
  if (decoded === undefined || decoded === null || isSpecial(decoded)) return ""
  return input === "json" || typeof decoded === "object" ? JSON.stringify(decoded, null, 2) : String(decoded)
}

const isSpecial = (value: Shown): boolean => typeof value === "object" && value !== null && "~" in value

/** All fields that are sent: those of `before` that were not touched are left out. */
export function readFields(
  fields: readonly FormField[],
  texts: FieldTexts,
  before: FieldTexts | undefined,
): { readonly values: Readonly<Record<string, unknown>>; readonly issues: readonly Issue[] } {
  const values: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const field of fields) {
    const text = texts[field.name] ?? ""
    if (before !== undefined && text === (before[field.name] ?? "")) continue
    const read = readField(field, text)
    if ("error" in read) issues.push({ field: field.name, message: read.error })
    // What is absent of a new record is left out.
    else if (read.value !== null || before !== undefined) values[field.name] = read.value
  }
  return { values, issues }
}
