/* JSON Schemas as source text of a validation library. Only what infer and the toolkit
 * make is known; anything else is left open. */

import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import { block, call, type Code, field, object, print, property, quoted } from "./code.ts"

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

const codes = (items: readonly Code[]): Code =>
  block(
    "[",
    items.map((code) => ({ code })),
    "]",
  )

const zod: DocumentPrinter = {
  import: 'import * as z from "zod"',
  print(schema) {
    const { kinds, isNullable } = taken(schema)
    const made = kinds.length === 1 ? zodOne(kinds[0]!) : call("z.union", codes(kinds.map(zodOne)))
    return isNullable ? then(made, ".nullable()") : made
  },
}

function zodOne(schema: JsonSchema): Code {
  const { type, format } = schema
  if (schema["enum"]) return call("z.enum", quoted(schema["enum"] as readonly unknown[]))
  if (type === "string")
    return format === "date-time" ? "z.iso.datetime()" : format === "date" ? "z.iso.date()" : "z.string()"
  if (type === "integer") return "z.int()"
  if (type === "number") return "z.number()"
  if (type === "boolean") return "z.boolean()"
  if (type === "array") return call("z.array", zod.print(schema["items"] as JsonSchema))
  if (type !== "object") return "z.unknown()"
  if (!schema["properties"])
    return call("z.record", "z.string()", zod.print((schema["additionalProperties"] as JsonSchema | undefined) ?? {}))
  return call(
    "z.object",
    object(
      documentFields(schema).map(({ name, of, isOptional }) =>
        field(name, isOptional ? zodOptional(of) : zod.print(of)),
      ),
    ),
  )
}

function zodOptional(of: JsonSchema): Code {
  const { kinds, isNullable } = taken(of)
  return isNullable ? then(zod.print({ anyOf: kinds }), ".nullish()") : then(zod.print(of), ".optional()")
}

/** A call on the result. */
function then(code: Code, more: string): Code {
  return typeof code === "string" ? code + more : { ...code, close: code.close + more }
}

const valibot: DocumentPrinter = {
  import: 'import * as v from "valibot"',
  print(schema) {
    const { kinds, isNullable } = taken(schema)
    const made = kinds.length === 1 ? valibotOne(kinds[0]!) : call("v.union", codes(kinds.map(valibotOne)))
    return isNullable ? call("v.nullable", made) : made
  },
}

function valibotOne(schema: JsonSchema): Code {
  const { type, format } = schema
  if (schema["enum"]) return call("v.picklist", quoted(schema["enum"] as readonly unknown[]))
  if (type === "string")
    return format === "date-time"
      ? "v.pipe(v.string(), v.isoTimestamp())"
      : format === "date"
        ? "v.pipe(v.string(), v.isoDate())"
        : "v.string()"
  if (type === "integer") return "v.pipe(v.number(), v.integer())"
  if (type === "number") return "v.number()"
  if (type === "boolean") return "v.boolean()"
  if (type === "array") return call("v.array", valibot.print(schema["items"] as JsonSchema))
  if (type !== "object") return "v.unknown()"
  if (!schema["properties"])
    return call(
      "v.record",
      "v.string()",
      valibot.print((schema["additionalProperties"] as JsonSchema | undefined) ?? {}),
    )
  return call(
    "v.object",
    object(
      documentFields(schema).map(({ name, of, isOptional }) =>
        field(name, isOptional ? call("v.optional", valibot.print(of)) : valibot.print(of)),
      ),
    ),
  )
}

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
