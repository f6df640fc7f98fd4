/** Whether two specs are equal as JSON, ignoring the order of fields and their docs. */
export const sameSpec = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const isColumns = (value as { codec?: unknown }).codec === "delimited"
  const parts = Object.entries(value)
    .filter(([name, part]) => part !== undefined && name !== "vendor" && name !== "example")
    .map(([name, part]) =>
      isColumns && name === "fields"
        ? `fields:${canonical(Object.entries(part as object))}`
        : `${name}:${canonical(part)}`,
    )
  return `{${parts.sort().join()}}`
}
