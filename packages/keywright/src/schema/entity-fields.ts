import type { Entity } from "./entity.ts"

/** The names of a record's fields, where they are known: a JSON document may be anything. */
export function knownFields({ store, stamps, idField }: Pick<Entity, "store" | "stamps" | "idField">) {
  const spec = store.as === "json" && store.value.spec.codec === "json" ? store.value.spec.schema : undefined
  const fields = store.as === "hash" ? store.fields : spec?.["properties"]
  if (typeof fields !== "object" || fields === null) return undefined
  return [...Object.keys(fields), idField, ...stamps]
}
