/* JSON Schemas as source text of a validation library. Only what infer and the toolkit
 * make is known; anything else is left open. */

import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import { call, type Code, field, list, object, print, property, quoted } from "./code.ts"

export type Library = "zod" | "valibot" | "arktype"

export interface DocumentPrinter {
  readonly import: string
  /** The schema as an expression. */
  print(schema: JsonSchema): Code
}

type Kinds = readonly JsonSchema[]

/** `anyOf` with null apart. */
function taken(schema: JsonSchema): { readonly kinds: Kinds; readonly isNullable: boolean } {
  const all = (schema["anyOf"] as Kinds | undefined) ?? [schema]
  const kinds = all.filter(({ type }) => type !== "null")
  return { kinds, isNullable: kinds.length < all.length }
}

const documentFields = (schema: JsonSchema): { name: string; of: JsonSchema; isOptional: boolean }[] => {
  const required = new Set((schema["required"] as readonly string[] | undefined) ?? [])
  return Object.entries((schema["properties"] as Record<string, JsonSchema> | undefined) ?? {}).map(([name, of]) => ({
    name,
    of,
    isOptional: !required.has(name),
  }))
}

/** How a library of functions says what differs between such libraries. */
interface Wording {
  readonly import: string
  /** What its functions begin with. */
  readonly prefix: string
  readonly dateTime: string
  readonly date: string
  readonly integer: string
  /** The function for one of several texts. */
  readonly choice: string
  nullable(code: Code): Code
  /** A field that may be left out. */
  optional(schema: JsonSchema, print: DocumentPrinter["print"]): Code
}

function printerOf({ prefix, nullable, optional, ...words }: Wording): DocumentPrinter {
  const codeOf = (schema: JsonSchema): Code => {
    const { kinds, isNullable } = taken(schema)
    const made = kinds.length === 1 ? one(kinds[0]!) : call(`${prefix}.union`, list(kinds.map(one)))
    return isNullable ? nullable(made) : made
  }
  const one = (schema: JsonSchema): Code => {
    const { type, format } = schema
    if (schema["enum"]) return call(`${prefix}.${words.choice}`, quoted(schema["enum"] as readonly unknown[]))
    if (type === "string" && format === "date-time") return words.dateTime
    if (type === "string" && format === "date") return words.date
    if (type === "integer") return words.integer
    if (type === "string" || type === "number" || type === "boolean") return `${prefix}.${type}()`
    if (type === "array") return call(`${prefix}.array`, codeOf(schema["items"] as JsonSchema))
    if (type !== "object") return `${prefix}.unknown()`
    const others = (schema["additionalProperties"] ?? {}) as JsonSchema
    if (!schema["properties"]) return call(`${prefix}.record`, `${prefix}.string()`, codeOf(others))
    const fields = documentFields(schema).map(({ name, of, isOptional }) =>
      field(name, isOptional ? optional(of, codeOf) : codeOf(of)),
    )
    return call(`${prefix}.object`, object(fields))
  }
  return { import: words.import, print: codeOf }
}

const zod = printerOf({
  import: 'import * as z from "zod"',
  prefix: "z",
  dateTime: "z.iso.datetime()",
  date: "z.iso.date()",
  integer: "z.int()",
  choice: "enum",
  nullable: (code) => then(code, ".nullable()"),
  optional: (schema, print) => {
    const { kinds, isNullable } = taken(schema)
    return isNullable ? then(print({ anyOf: kinds }), ".nullish()") : then(print(schema), ".optional()")
  },
})

/** A call on the result. */
function then(code: Code, more: string): Code {
  return typeof code === "string" ? code + more : { ...code, close: code.close + more }
}

const valibot = printerOf({
  import: 'import * as v from "valibot"',
  prefix: "v",
  dateTime: "v.pipe(v.string(), v.isoTimestamp())",
  date: "v.pipe(v.string(), v.isoDate())",
  integer: "v.pipe(v.number(), v.integer())",
  choice: "picklist",
  nullable: (code) => call("v.nullable", code),
  optional: (schema, print) => call("v.optional", print(schema)),
})

const arktype: DocumentPrinter = {
  import: 'import { type } from "arktype"',
  print(schema) {
    const made = arktypeOf(schema)
    return typeof made === "string" && !made.startsWith("type")
      ? call("type", made)
      : typeof made === "string" || made.open.startsWith("type")
        ? made
        : call("type", made)
  },
}

/** A definition as arktype has it inside of another one. */
function arktypeOf(schema: JsonSchema): Code {
  const { kinds, isNullable } = taken(schema)
  const parts = kinds.map(arktypeOne)
  if (parts.every((part) => typeof part === "string" && part.startsWith('"'))) {
    const words = parts.map((part) => (part as string).slice(1, -1))
    return `"${[...words, ...(isNullable ? ["null"] : [])].join(" | ")}"`
  }
  const [first, ...others] = parts.map((part) =>
    typeof part === "string" || part.open.startsWith("type") ? part : call("type", part),
  )
  if (others.length === 0 && !isNullable) return parts[0]!
  const alternatives = [...others, ...(isNullable ? ['"null"'] : [])]
  const more = alternatives.map((other) => `.or(${print(other)})`).join("")
  return then(typeof first === "string" && !first.startsWith("type") ? call("type", first) : first!, more)
}

function arktypeOne(schema: JsonSchema): Code {
  const { type, format } = schema
  if (schema["enum"]) return arktypeEnum(schema["enum"] as readonly unknown[])
  if (type === "string") return format === "date-time" || format === "date" ? '"string.date.iso"' : '"string"'
  if (type === "integer") return '"number.integer"'
  if (type === "number") return '"number"'
  if (type === "boolean") return '"boolean"'
  if (type === "array") return arktypeArray(arktypeOf(schema["items"] as JsonSchema))
  if (type !== "object") return '"unknown"'
  if (!schema["properties"])
    return object([
      { label: '"[string]": ', code: arktypeOf((schema["additionalProperties"] as JsonSchema | undefined) ?? {}) },
    ])
  return object(
    documentFields(schema)
      .filter(({ name }) => !ARKTYPE_WORD.test(name))
      .map(({ name, of, isOptional }) => ({
        label: `${property(isOptional ? `${name}?` : name)}: `,
        code: arktypeOf(of),
      })),
  )
}

/** Names that mean something else to arktype: `a?` is optional, `[string]` is any, and a backslash escapes the `?`. */
const ARKTYPE_WORD = /[?\\]$|^\[.*\]$|^(?:\+|\.\.\.)$/

/** In a definition, choices are between quotes: what is not a plain word is safe only as an argument. */
const arktypeEnum = (values: readonly unknown[]): Code =>
  values.every((value) => typeof value === "string" && /^[\w .:/-]*$/.test(value))
    ? `"${values.map((value) => `'${value as string}'`).join(" | ")}"`
    : call("type.enumerated", ...values.map((value) => JSON.stringify(value)))

function arktypeArray(items: Code): Code {
  if (typeof items === "string" && items.startsWith('"'))
    return items.includes(" | ") ? `"(${items.slice(1, -1)})[]"` : `"${items.slice(1, -1)}[]"`
  const made = typeof items === "string" || items.open.startsWith("type") ? items : call("type", items)
  return then(made, ".array()")
}

export const libraries: Readonly<Record<Library, DocumentPrinter>> = { zod, valibot, arktype }
