import type { JsonSchema } from "./codec/codec-spec.ts"
import type { Entity } from "./entity.ts"

/** The names of a record's fields, where they are known: a JSON document may be anything. */
export function knownFields({ store, stamps, idField }: Pick<Entity, "store" | "stamps" | "idField">) {
  const spec = store.as === "json" && store.value.spec.codec === "json" ? store.value.spec.schema : undefined
  const fields = store.as === "hash" ? store.fields : spec?.["properties"]
  if (typeof fields !== "object" || fields === null) return undefined
  return [...Object.keys(fields), idField, ...stamps]
}

/** Whether a record can have a field of this name; undefined where the schema does not say. */
export function mayHaveField(store: Entity["store"], field: string): boolean | undefined {
  if (store.as === "hash") return Object.hasOwn(store.fields, field)
  const { spec } = store.value
  return spec.codec === "json" && spec.schema ? mayHave(spec.schema, field) : undefined
}

/**
 * For `anyOf`-like alternatives, all must have it; for parts that apply together, one. A reference elsewhere
 * says nothing.
 */
function mayHave(schema: JsonSchema, field: string): boolean | undefined {
  const branches = (word: string) => {
    const { [word]: found } = schema
    return Array.isArray(found) ? found.map((branch) => mayHave(branch as JsonSchema, field)) : []
  }
  const answers = branches("allOf")
  const alternatives = [...branches("anyOf"), ...branches("oneOf")]
  if (alternatives.length > 0) answers.push(alternatives.reduce((all, one) => (all === false ? all : one && all)))
  const { properties } = schema
  if (typeof properties === "object" && properties !== null) answers.push(Object.hasOwn(properties, field))
  if (answers.includes(true)) return true
  return "$ref" in schema || answers.includes(undefined) || answers.length === 0 ? undefined : false
}
