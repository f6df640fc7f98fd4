/* Enumerations that are names of something: the queues of jobs, the tenants of users. When another queue comes,
 * it is one more value, so these fields stay open. */

import { mapped, withProperties } from "../known/open-values.ts"
import type { CodecSpec, JsonSchema } from "../../../schema/codec/codec-spec.ts"
import { isPacking } from "../../../schema/codec/document-spec.ts"
import type { Pattern } from "../mine/pattern.ts"

/** Declares as text what is an enumeration of texts that parameters or collections have. */
export function openEnumerations(patterns: readonly Pattern[]): void {
  const names = namesIn(patterns)
  const areNames = (values: readonly unknown[]) =>
    2 * values.filter((value) => names.has(String(value))).length >= values.length
  const openSpec = (spec: CodecSpec): CodecSpec => {
    if (spec.codec === "oneOf") return areNames(spec.values) ? { codec: "text" } : spec
    if (spec.codec === "optional" || spec.codec === "quoted" || isPacking(spec))
      return { ...spec, of: openSpec(spec.of) }
    return spec.codec === "json" && spec.schema !== undefined ? { ...spec, schema: openSchema(spec.schema) } : spec
  }
  const openSchema = (schema: JsonSchema): JsonSchema => {
    const { enum: values } = schema
    if (!Array.isArray(values)) return withProperties(schema, openSchema)
    return areNames(values) ? { type: "string" } : schema
  }
  for (const pattern of patterns) {
    const { fields, shape } = pattern.described
    pattern.described = {
      ...pattern.described,
      shape: mapped(shape, openSpec),
      ...(fields !== undefined && { fields: mapped(fields, openSpec) }),
    }
  }
}

/** Texts of parameters, and of sets and hashes that list names. */
function namesIn(patterns: readonly Pattern[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { row, type, of } of patterns) {
    for (const { values } of row.texts) for (const text of values?.keys() ?? []) found.add(text)
    const { texts } = of.values.cells
    if (type === "set" || type === "zset") for (const text of texts.values?.keys() ?? []) found.add(text)
  }
  return found
}
