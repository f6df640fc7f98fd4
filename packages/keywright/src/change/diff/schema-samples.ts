/* Documents that a JSON Schema accepts, enough to distinguish it from others: with and without
 * what is optional, every choice, both ends of every range. Large ones are left out. */

import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import { isCount } from "../../schema/codec/json-checks.ts"

const most = 24
const mostValues = 1000
const deepest = 8
const longestText = 10_000
const longestList = 1000
/** Characters and elements of one sample. */
export const LARGEST = 100_000

export const schemaSamples = (schema: JsonSchema): unknown[] => samples(schema, schema, 0)

const samples = (schema: unknown, root: JsonSchema, depth: number): unknown[] =>
  depth > deepest ? [] : allSamples(schema, root, depth).filter((sample) => sizeOf(sample) <= LARGEST)

/** Samples are parts of others, many times: each is measured once. */
const sizes = new WeakMap<object, number>()

function sizeOf(sample: unknown): number {
  if (typeof sample === "string") return sample.length + 1
  if (typeof sample !== "object" || sample === null) return 1
  const size =
    sizes.get(sample) ?? Object.entries(sample).reduce((sum, [name, part]) => sum + name.length + sizeOf(part), 1)
  sizes.set(sample, size)
  return size
}

function allSamples(schema: unknown, root: JsonSchema, depth: number): unknown[] {
  if (typeof schema !== "object" || schema === null) return schema === false ? [] : [null, 1, "a"]
  const node = resolved(schema as JsonSchema, root)
  if (Array.isArray(node["enum"])) return node["enum"].slice(0, mostValues)
  if ("const" in node) return [node["const"]]
  for (const word of ["anyOf", "oneOf"] as const) {
    const choices = node[word]
    if (Array.isArray(choices)) return choices.flatMap((one) => samples(one, root, depth + 1)).slice(0, most)
  }
  if (Array.isArray(node["allOf"]))
    return samples(Object.assign({}, ...(node["allOf"] as object[]), { ...node, allOf: undefined }), root, depth + 1)
  const types = node["type"] === undefined ? [guessedType(node)] : [node["type"]].flat()
  return types.flatMap((type) => ofType(type as string, node, root, depth)).slice(0, most)
}

/** A reference replaced by what it leads to, within the same document. */
export function resolved(node: JsonSchema, root: JsonSchema, left = 10): JsonSchema {
  const reference = node["$ref"]
  if (typeof reference !== "string" || left === 0) return node
  const target = reference
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .reduce<unknown>((at, part) => (at as JsonSchema | undefined)?.[part.replace(/~1/g, "/").replace(/~0/g, "~")], root)
  if (typeof target !== "object" || target === null) return node
  return resolved({ ...(target as JsonSchema), ...node, $ref: (target as JsonSchema)["$ref"] }, root, left - 1)
}

const guessedType = (node: JsonSchema): string =>
  "properties" in node ? "object" : "items" in node ? "array" : "string"

function ofType(type: string, node: JsonSchema, root: JsonSchema, depth: number): unknown[] {
  switch (type) {
    case "null":
      return [null]
    case "boolean":
      return [true, false]
    case "integer":
    case "number":
      return numbers(node, type === "integer")
    case "string":
      return texts(node)
    case "array":
      return lists(node, root, depth)
    default:
      return objects(node, root, depth)
  }
}

function numbers(node: JsonSchema, whole: boolean): number[] {
  const [low, high] = [node["minimum"] ?? node["exclusiveMinimum"], node["maximum"] ?? node["exclusiveMaximum"]]
  const ends = [low, high].filter((end) => typeof end === "number")
  const near = [0, 1, -1, 7, 1.5, ...ends.flatMap((end) => [end, end + 1, end - 1])]
  return near.filter((number) => !whole || Number.isInteger(number)).filter((number) => fitsRange(number, node))
}

const fitsRange = (number: number, node: JsonSchema): boolean =>
  number >= ((node["minimum"] as number | undefined) ?? -Infinity) &&
  number <= ((node["maximum"] as number | undefined) ?? Infinity) &&
  number > ((node["exclusiveMinimum"] as number | undefined) ?? -Infinity) &&
  number < ((node["exclusiveMaximum"] as number | undefined) ?? Infinity) &&
  (node["multipleOf"] === undefined || Number.isInteger(number / (node["multipleOf"] as number)))

const formatted: Readonly<Record<string, string>> = {
  email: "a@example.com",
  "date-time": "2026-01-02T03:04:05.678Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  uri: "https://example.com/",
}

function texts(node: JsonSchema): string[] {
  const [least, longest] = [countIn(node, "minLength") ?? 0, countIn(node, "maxLength") ?? 12]
  if (least > longestText) return []
  const known = formatted[String(node["format"])]
  const sized = [least, Math.max(least, 1), Math.min(longest, longestText)].map((length) => "a".repeat(length))
  const found = known === undefined ? [...new Set([...sized, "abc", "1", ...Object.values(formatted)])] : [known]
  return found
    .filter(({ length }) => length >= least && (node["maxLength"] === undefined || length <= longest))
    .filter((text) => matches(node["pattern"], text))
}

/** How many characters or elements; what is not such a number limits nothing. */
const countIn = (node: JsonSchema, word: string): number | undefined =>
  isCount(node[word]) ? (node[word] as number) : undefined

function matches(pattern: unknown, text: string): boolean {
  if (typeof pattern !== "string") return true
  try {
    return new RegExp(pattern, "u").test(text)
  } catch {
    return false
  }
}

function lists(node: JsonSchema, root: JsonSchema, depth: number): unknown[] {
  if (Array.isArray(node["prefixItems"])) return tuples(node, root, depth)
  const items = node["items"] === undefined ? [1] : samples(node["items"], root, depth + 1)
  const [least, longest] = [countIn(node, "minItems") ?? 0, countIn(node, "maxItems") ?? 3]
  if (least > longestList) return []
  return [...new Set([least, Math.max(least, 1), Math.min(longest, 100)])]
    .filter((count) => count === 0 || items.length > 0)
    .flatMap((count) => items.slice(0, count === 0 ? 1 : 4).map((_, i) => cycle(items, i, count)))
}

/** One item for each place, with and without one more behind them. */
function tuples(node: JsonSchema, root: JsonSchema, depth: number): unknown[] {
  const places = (node["prefixItems"] as unknown[]).map((one) => samples(one, root, depth + 1))
  const rest = node["items"] === undefined ? [] : samples(node["items"], root, depth + 1)
  if (places.some(({ length }) => length === 0)) return []
  const count = Math.min(4, Math.max(1, rest.length, ...places.map(({ length }) => length)))
  const longest = (node["maxItems"] as number | undefined) ?? Infinity
  return Array.from({ length: count }, (_, i) => places.map((found, j) => found[(i + j) % found.length])).flatMap(
    (row, i) => (rest.length > 0 && row.length < longest ? [row, [...row, rest[i % rest.length]]] : [row]),
  )
}

const cycle = (items: readonly unknown[], from: number, count: number): unknown[] =>
  Array.from({ length: count }, (_, i) => items[(from + i) % items.length])

/** One with everything for each choice of a field, one with only what is required, one with an unknown field. */
function objects(node: JsonSchema, root: JsonSchema, depth: number): object[] {
  const required = new Set((node["required"] as string[] | undefined) ?? [])
  const fields = Object.entries((node["properties"] as Record<string, unknown> | undefined) ?? {}).map(
    ([name, of]) => [name, samples(of, root, depth + 1)] as const,
  )
  if (fields.some(([name, found]) => required.has(name) && found.length === 0)) return []
  const filled = [...fields, ...entriesOf(node, root, depth)].filter(([, found]) => found.length > 0)
  const count = Math.max(1, ...filled.map(([, found]) => found.length))
  const whole = Array.from({ length: Math.min(count, most) }, (_, i) =>
    Object.fromEntries(filled.map(([name, found], j) => [name, found[(i + j) % found.length]])),
  )
  const least = Object.fromEntries(
    filled.filter(([name]) => required.has(name)).map(([name, found]) => [name, found[0]]),
  )
  const isFree = node["additionalProperties"] === undefined || node["additionalProperties"] === true
  const open = isFree && node["propertyNames"] === undefined
  return [...whole, least, ...(open ? [{ ...least, fieldThatNobodyKnows: 1 }] : [])]
}

/** For a dictionary: some names that it may have, with its values. */
function entriesOf(node: JsonSchema, root: JsonSchema, depth: number): [name: string, found: unknown[]][] {
  const [names, values] = [node["propertyNames"], node["additionalProperties"]]
  if (typeof values !== "object" || values === null) return []
  const some = names === undefined ? ["a"] : samples(names, root, depth + 1).filter((name) => typeof name === "string")
  return some
    .filter((name) => name !== "")
    .slice(0, 6)
    .map((name) => [name, samples(values, root, depth + 1)])
}
