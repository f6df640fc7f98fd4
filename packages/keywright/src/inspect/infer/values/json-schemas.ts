/* Documents as JSON Schema: fields, which of them may be absent or null, nested shapes,
 * enumerations. Written for people: only what every document that was read supports. */

import type { JsonSchema } from "../../../schema/codec/codec-spec.ts"
import type { Arrays, Documents, Objects } from "./documents.ts"
import { isEnumeration } from "./enumeration.ts"
import { mergeSchemas } from "./merge-schemas.ts"
import { isNearlyAll } from "./nearly-all.ts"
import type { TextStatistics } from "./text-statistics.ts"
import { records } from "../thresholds.ts"
import { soundsSecret } from "../../check/check-secrets.ts"

/** Secret fields, and everything inside them, show no values. */
export function jsonSchemaOf(documents: Documents, name = "", isSecret = false): JsonSchema {
  const { strings, numbers, whole, booleans, objects, arrays, nulls, deep } = documents
  if (deep > 0) return {}
  const all: (readonly [count: number, schema: () => JsonSchema])[] = [
    [strings?.count ?? 0, () => stringSchema(strings!, name, isSecret)],
    [numbers, () => ({ type: isNearlyAll(whole, numbers) ? "integer" : "number" })],
    [booleans, () => ({ type: "boolean" })],
    [objects?.count ?? 0, () => objectSchema(objects!, isSecret)],
    [arrays?.count ?? 0, () => arraySchema(arrays!, isSecret)],
  ]
  const usual = all.find(([count]) => isNearlyAll(count, documents.count))
  const kinds = (usual === undefined ? all.filter(([count]) => count > 0) : [usual]).map(([, schema]) => schema())
  if (kinds.length === 0) return {}
  if (usual !== undefined) return kinds[0]!
  if (nulls > 0) kinds.push({ type: "null" })
  return kinds.length === 1 ? kinds[0]! : { anyOf: kinds }
}

const CHOICE =
  /(?:^|[a-z_])(?:status|state|type|kind|role|method|level|gender|mode|currency|lang|language|locale|priority|plan|tier|severity|channel|provider|unit|direction|visibility|platform|os|country)$/i

function stringSchema(texts: TextStatistics, name: string, isSecret: boolean): JsonSchema {
  if (texts.only("instant")) return { type: "string", format: "date-time" }
  if (texts.only("day")) return { type: "string", format: "date" }
  const upper = texts.values !== undefined && [...texts.values.keys()].every((value) => /^[A-Z][A-Z_]+$/.test(value))
  const isChoice =
    !isSecret && isEnumeration(texts) && (upper || CHOICE.test(name) || (texts.count >= 300 && texts.values!.size <= 6))
  return isChoice ? { type: "string", enum: [...texts.values!.keys()].sort() } : { type: "string" }
}

function objectSchema({ count, fields, first, values, names }: Objects, isSecret: boolean): JsonSchema {
  const isDictionary =
    fields === undefined ||
    (fields.size > 3 && !names.only("word", "mixed", "slug") && names.count < fields.size * count * 0.5)
  if (isDictionary) {
    // One shape for all values, where there is one.
    const all = [...(fields ?? first).values(), ...(fields === undefined ? [values] : [])].map((of) =>
      jsonSchemaOf(of, "", isSecret),
    )
    return { type: "object", additionalProperties: mergeSchemas(all) }
  }
  // Libraries take what every object has, such as a constructor, for a field that is there, and fail at half of a
  // surrogate pair: better not named.
  const named = [...fields].filter(([name]) => !(name in {}) && name.isWellFormed())
  const isEnough = count >= records.leastRequired
  const required = named.filter(([, of]) => isEnough && isNearlyAll(of.count, count)).map(([name]) => name)
  return {
    type: "object",
    properties: Object.fromEntries(
      named.map(([name, of]) => [name, jsonSchemaOf(of, name, isSecret || soundsSecret(name))]),
    ),
    ...(required.length > 0 && { required }),
  }
}

function arraySchema({ items }: Arrays, isSecret: boolean): JsonSchema {
  return { type: "array", items: items.count === 0 ? {} : jsonSchemaOf(items, "", isSecret) }
}
