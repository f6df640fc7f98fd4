/* Two JSON Schemas of one document. Fields, choices, limits and whether unknown fields are
 * accepted are reported by name and place; whatever else differs is a FIELD.TYPE, with verdicts
 * by what each schema makes of documents of the other.
 *
 * Documents are open unless they say otherwise: an unknown field survives a load and a save, so
 * adding or removing an optional field breaks nobody. */

import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import { comparePair, pairVerdicts } from "./codec-pair.ts"
import { enumChanges } from "./enum-changes.ts"
import { sameSpec } from "./same-spec.ts"
import type { FoundChange } from "./change.ts"
import { fails } from "./codes/row.ts"
import { storedSchema } from "../../schema/json/stored-schema.ts"
import { resolved } from "./schema-samples.ts"

/** Where in the two documents. */
interface JsonPath {
  readonly path: string
  readonly depth: number
  /** The whole schemas, which references lead into. */
  readonly roots: { readonly before: JsonSchema; readonly after: JsonSchema }
}

const below = ({ path, depth, roots }: JsonPath, part: string): JsonPath => ({
  path: path + part,
  depth: depth + 1,
  roots,
})

const deepest = 12

export const documentChanges = (before: JsonSchema, after: JsonSchema, path: string): FoundChange[] =>
  nodeChanges(before, after, { path, depth: 0, roots: { before, after } })

function nodeChanges(one: unknown, other: unknown, place: JsonPath): FoundChange[] {
  const { path, depth, roots } = place
  const [before, after] = [nodeOf(one, roots.before), nodeOf(other, roots.after)]
  if (depth > deepest || isSameDocument(before, after)) return []
  const type = sameType(before, after)
  if (type === "enum") return enumChanges(valuesOf(before) ?? [], valuesOf(after) ?? [], path)
  if (type === "object") return objectChanges(before, after, place)
  if (type === "array") return arrayChanges(before, after, place)
  if (type !== undefined && sameSpec(unlimited(before), unlimited(after))) return limitChanges(before, after, path)
  return typeChanges(before, after, place)
}

/** Defaults are not stored, but decide what is read where nothing is. */
const isSameDocument = (before: JsonSchema, after: JsonSchema): boolean =>
  sameSpec(unordered(storedSchema(before)), unordered(storedSchema(after))) &&
  sameSpec(defaultsIn(before), defaultsIn(after))

/** Choices and names in one order: theirs means nothing. */
function unordered(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(unordered)
  if (typeof node !== "object" || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([word, part]) => {
      const inner = unordered(part)
      const isSet = Array.isArray(inner) && ["anyOf", "oneOf", "type", "enum", "required"].includes(word)
      return [word, isSet ? inner.map((one) => JSON.stringify(one)).sort() : inner]
    }),
  )
}

const defaultsIn = (node: unknown): unknown =>
  typeof node !== "object" || node === null
    ? undefined
    : Object.entries(node).flatMap(([word, part]) => {
        if (word === "default") return [part]
        const inner = defaultsIn(part) as unknown[] | undefined
        return inner === undefined || inner.length === 0 ? [] : [[word, inner]]
      })

const nodeOf = (node: unknown, root: JsonSchema): JsonSchema =>
  typeof node === "object" && node !== null ? resolved(node as JsonSchema, root) : node === false ? { not: {} } : {}

/** What both are, where it is one plain type. */
function sameType(before: JsonSchema, after: JsonSchema): string | undefined {
  if (valuesOf(before) && valuesOf(after)) return "enum"
  if (valuesOf(before) || valuesOf(after)) return undefined
  const [was, is] = [before["type"], after["type"]]
  const isPlain = [before, after].every((node) => !["anyOf", "oneOf", "allOf", "not"].some((word) => word in node))
  return isPlain && typeof was === "string" && was === is ? was : undefined
}

const valuesOf = (node: JsonSchema): readonly unknown[] | undefined =>
  Array.isArray(node["enum"]) ? (node["enum"] as unknown[]) : "const" in node ? [node["const"]] : undefined

/** What is said with other words than those that are compared by name. */
const isSaidOtherwise = (before: JsonSchema, after: JsonSchema, compared: readonly string[]): boolean => {
  const left = (node: JsonSchema) =>
    Object.fromEntries(Object.entries(unlimited(node)).filter(([word]) => !compared.includes(word)))
  return !sameSpec(unordered(left(before)), unordered(left(after)))
}

/** Items by their place where each has its own, and all others alike. */
function arrayChanges(before: JsonSchema, after: JsonSchema, place: JsonPath): FoundChange[] {
  if (isSaidOtherwise(before, after, ["items", "prefixItems"])) return typeChanges(before, after, place)
  const [olds, news] = [placesOf(before), placesOf(after)]
  const places = olds.slice(0, news.length).map((_, i) => i)
  return [
    ...limitChanges(before, after, place.path),
    ...places.flatMap((i) => nodeChanges(olds[i], news[i], below(place, `[${i}]`))),
    ...(olds.length === news.length
      ? nodeChanges(before["items"] ?? {}, after["items"] ?? {}, below(place, "[]"))
      : []),
  ]
}

const placesOf = (node: JsonSchema): readonly unknown[] => (node["prefixItems"] as unknown[] | undefined) ?? []

// ── limits ─────────────────────────────────────────────────────────────────

/** Below a lower limit, above an upper one; and those that are there or not. */
const lower = ["minimum", "minLength", "minItems", "minProperties"]
const upper = ["maximum", "maxLength", "maxItems", "maxProperties"]
const exclusive: Readonly<Record<string, string>> = { minimum: "exclusiveMinimum", maximum: "exclusiveMaximum" }
const other = ["pattern", "format", "multipleOf", "uniqueItems"]

const unlimited = (node: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(storedSchema(node)).filter(
      ([word]) => ![...lower, ...upper, ...Object.values(exclusive), ...other, "was"].includes(word),
    ),
  )

function limitChanges(before: JsonSchema, after: JsonSchema, path: string): FoundChange[] {
  const told = new Map<FoundChange["code"], string[]>()
  for (const word of [...lower, ...upper, ...other]) {
    const [was, is] = [endOf(before, word), endOf(after, word)]
    if (was.word === is.word && sameSpec(was.value, is.value)) continue
    const what =
      was.value === undefined || was.word === is.word
        ? `${is.word} ${jsonText(was.value)} → ${jsonText(is.value)}`
        : is.value === undefined
          ? `${was.word} ${jsonText(was.value)} → none`
          : `${was.word} ${jsonText(was.value)} → ${is.word} ${jsonText(is.value)}`
    for (const code of limitCodes(word, was, is)) told.set(code, [...(told.get(code) ?? []), what])
  }
  return [...told].map(([code, what]) => ({ code, path, what: what.join(", ") }))
}

interface End {
  readonly word: string
  readonly value: unknown
}

/** The limit that counts: the tighter of one that is allowed itself, and one that is not. */
function endOf(node: JsonSchema, word: string): End {
  const strict = exclusive[word]
  const [plain, open] = [node[word], strict === undefined ? undefined : node[strict]]
  const isOpen =
    open !== undefined &&
    (plain === undefined || (word === "minimum" ? Number(open) >= Number(plain) : Number(open) <= Number(plain)))
  return isOpen ? { word: strict!, value: open } : { word, value: plain }
}

function limitCodes(word: string, was: End, is: End): FoundChange["code"][] {
  if (was.value === undefined) return ["LIMIT.TIGHTENED"]
  if (is.value === undefined) return ["LIMIT.LOOSENED"]
  // It cannot be decided which of two regular expressions accepts more: both sides may be refused.
  if (other.includes(word)) return ["LIMIT.TIGHTENED", "LIMIT.LOOSENED"]
  const [from, to] = [Number(was.value), Number(is.value)]
  const isTighter = from === to ? is.word !== word : lower.includes(word) ? to > from : to < from
  return [isTighter ? "LIMIT.TIGHTENED" : "LIMIT.LOOSENED"]
}

const jsonText = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value))

// ── types ──────────────────────────────────────────────────────────────────

function typeChanges(before: JsonSchema, after: JsonSchema, { path, roots }: JsonPath): FoundChange[] {
  const [one, another] = [whole(before, roots.before), whole(after, roots.after)]
  const pair = comparePair({ codec: "json", schema: one }, { codec: "json", schema: another })
  const what = `${typeText(before)} → ${typeText(after)}`
  // Different on paper, and no document was found that shows it: taken for the worst.
  const isOpen = pair.oldReader === "works" && pair.newReader === "works"
  const told = isOpen ? ({ oldReader: "fails", newReader: "fails" } as const) : pair
  const data = told.newReader === "works" ? ("nothing" as const) : ("rewrite" as const)
  return [{ code: "FIELD.TYPE", path, what, data, ...pairVerdicts(told) }]
}

/** A part of a schema that can be looked at by itself. */
const whole = (node: JsonSchema, root: JsonSchema): JsonSchema => ({
  ...(root["$defs"] !== undefined && { $defs: root["$defs"] }),
  ...(root["definitions"] !== undefined && { definitions: root["definitions"] }),
  ...node,
})

function typeText(node: JsonSchema): string {
  const values = valuesOf(node)
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ")
  const choices = (node["anyOf"] ?? node["oneOf"]) as JsonSchema[] | undefined
  if (Array.isArray(choices)) return choices.map(typeText).join(" | ")
  return node["type"] === undefined ? "anything" : [node["type"]].flat().join(" | ")
}

// ── objects ────────────────────────────────────────────────────────────────

function objectChanges(before: JsonSchema, after: JsonSchema, place: JsonPath): FoundChange[] {
  const { path } = place
  if (isSaidOtherwise(before, after, ["properties", "required", "additionalProperties", "propertyNames"]))
    return typeChanges(before, after, place)
  if (givenNames(before) && givenNames(after)) return objectChanges(withNames(before), withNames(after), place)
  const [olds, news] = [propertiesIn(before), propertiesIn(after)]
  const [needed, needs] = [requiredIn(before), requiredIn(after)]
  const at = (name: string) => `${path}.${name}`
  const found = [...contentChanges(before, after, place), ...nameChanges(before, after, path)]
  const renamed = renamedFields(olds, news)
  for (const [was, name] of renamed) {
    const isMissed = needed.has(was) || needs.has(name)
    found.push({ code: "FIELD.RENAMED", path: at(name), what: `${was} → ${name}`, ...(isMissed && fails) })
    found.push(...nodeChanges(olds[was], news[name], below(place, `.${name}`)))
  }
  const taken = new Set(renamed.values())
  for (const name of Object.keys(olds).filter((one) => !(one in news) && !renamed.has(one)))
    found.push(fieldGone(name, needed.has(name), isClosed(after), at(name)))
  for (const [name, field] of Object.entries(news)) {
    if (taken.has(name)) continue
    if (!(name in olds)) found.push(fieldCome(name, needs.has(name), hasDefault(field), isClosed(before), at(name)))
    else {
      if (needed.has(name) !== needs.has(name))
        found.push({ code: needs.has(name) ? "FIELD.REQUIRED" : "FIELD.RELAXED", path: at(name), what: name })
      // Where it is required on one side only, that change already says what its absence means.
      if (
        needed.has(name) === needs.has(name) &&
        !sameSpec([hasDefault(olds[name]), defaultOf(olds[name])], [hasDefault(field), defaultOf(field)])
      )
        found.push({
          code: "FIELD.DEFAULT",
          path: at(name),
          what: `${jsonText(defaultOf(olds[name]))} → ${jsonText(defaultOf(field))}`,
          // Without a default, what was absent is written back as absent.
          ...(!hasDefault(field) && { newWriter: "works" }),
        })
      found.push(...nodeChanges(undefaulted(olds[name]), undefaulted(field), below(place, `.${name}`)))
    }
  }
  found.push(...limitChanges(before, after, path))
  return found
}

/** By a note `was` in the new schema; or, when a rename is taken back, in the old one. */
function renamedFields(olds: Properties, news: Properties): ReadonlyMap<string, string> {
  const wasOf = (field: unknown) => (field as JsonSchema | undefined)?.["was"]
  const [gone, come] = [Object.keys(olds).filter((name) => !(name in news)), Object.keys(news)]
  return new Map(
    gone.flatMap((was) => {
      const name = come.find((one) => !(one in olds) && (wasOf(news[one]) === was || wasOf(olds[was]) === one))
      return name === undefined ? [] : [[was, name] as const]
    }),
  )
}

function fieldGone(name: string, wasNeeded: boolean, isClosedNow: boolean, path: string): FoundChange {
  const refused = { newReader: "fails", oldWriter: "fails", newWriter: "fails to read", data: "rewrite" } as const
  const [code, what] = wasNeeded ? (["FIELD.RELAXED", `${name} is gone`] as const) : (["FIELD.REMOVED", name] as const)
  return { code, path, what, ...(isClosedNow && refused) }
}

function fieldCome(
  name: string,
  isNeeded: boolean,
  isDefaulted: boolean,
  wasClosed: boolean,
  path: string,
): FoundChange {
  const refused: Partial<FoundChange> = { oldReader: "fails", ...(!isNeeded && { oldWriter: "fails to read" }) }
  const code = isNeeded ? "FIELD.REQUIRED" : isDefaulted ? "FIELD.DEFAULTED" : "FIELD.ADDED"
  return { code, path, what: name, ...(wasClosed && refused) }
}

const hasDefault = (field: unknown): boolean => typeof field === "object" && field !== null && "default" in field

const defaultOf = (field: unknown): unknown => (hasDefault(field) ? (field as JsonSchema)["default"] : undefined)

type Properties = Readonly<Record<string, unknown>>

const propertiesIn = (node: JsonSchema): Properties => (node["properties"] as Record<string, unknown> | undefined) ?? {}

/** For a dictionary: the names that it may have, where they are listed. */
function givenNames(node: JsonSchema): readonly string[] | undefined {
  const names = node["propertyNames"] as JsonSchema | undefined
  const listed = names && valuesOf(names)
  return listed?.every((name) => typeof name === "string") ? listed : undefined
}

/** A dictionary of listed names, as an object that has these and no others. */
function withNames({ propertyNames, additionalProperties, ...node }: JsonSchema): JsonSchema {
  const names = (givenNames({ propertyNames }) ?? []).map((name) => [name, additionalProperties ?? {}])
  return { ...node, properties: { ...Object.fromEntries(names), ...propertiesIn(node) }, additionalProperties: false }
}

/** Names that a dictionary may have. Which of two rules accepts more cannot be decided, unless one accepts all. */
function nameChanges(before: JsonSchema, after: JsonSchema, path: string): FoundChange[] {
  const [was, is] = [before["propertyNames"], after["propertyNames"]]
  const isFree = (names: unknown) => names === undefined || sameSpec(names, { type: "string" })
  if (sameSpec(was, is) || (isFree(was) && isFree(is))) return []
  const what = "names of fields"
  return [
    ...(isFree(is) ? [] : [{ code: "LIMIT.TIGHTENED", path, what } as const]),
    ...(isFree(was) ? [] : [{ code: "LIMIT.LOOSENED", path, what } as const]),
  ]
}

/** Its default was compared with the field. */
function undefaulted(field: unknown): unknown {
  if (!hasDefault(field)) return field
  const { default: _, ...rest } = field as JsonSchema
  return rest
}

const requiredIn = (node: JsonSchema): ReadonlySet<string> => new Set((node["required"] as string[] | undefined) ?? [])

const isClosed = (node: JsonSchema): boolean => node["additionalProperties"] === false || givenNames(node) !== undefined

/** What is said about fields that are not named. */
function contentChanges(before: JsonSchema, after: JsonSchema, place: JsonPath): FoundChange[] {
  const { path } = place
  const [was, is] = [before["additionalProperties"], after["additionalProperties"]]
  if (isClosed(before) && !isClosed(after))
    return [{ code: "CONTENT.OPENED", path, what: "unknown fields are accepted" }]
  if (!isClosed(before) && isClosed(after))
    return [{ code: "CONTENT.CLOSED", path, what: "unknown fields are refused" }]
  return nodeChanges(was ?? {}, is ?? {}, below(place, ".*"))
}
