/* Documents of a known number of plain fields, as most are: a document that the schema
 * accepted and that has no more fields than the schema demands has none that it does not
 * know, and nothing inside them. Then there is nothing to look for and put back. */

import type { StandardSchemaV1 } from "@standard-schema/spec"

interface DescribedSchema {
  readonly type?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly DescribedSchema[]
  readonly properties?: Readonly<Record<string, DescribedSchema>>
  readonly required?: readonly string[]
}

const plain = new Set<unknown>(["string", "number", "integer", "boolean", "null"])

/** How many fields a schema demands, when it has no others, all are plain, and all are read as fields of the same names. */
export function flatFields(schema: StandardSchemaV1): number | undefined {
  const given = described(schema, "input")?.properties
  const read = described(schema, "output")?.properties
  const required = described(schema, "input")?.required ?? []
  if (!given || !read) return undefined
  const names = Object.keys(given)
  const isFlat = names.every((name) => isScalar(given[name]!) && required.includes(name) && Object.hasOwn(read, name))
  return isFlat && names.length > 0 ? names.length : undefined
}

/** Own and inherited: a parsed document inherits nothing. */
export function countFields(document: unknown): number {
  let count = 0
  for (const _ in document as object) count++
  return count
}

function described(schema: StandardSchemaV1, side: "input" | "output"): DescribedSchema | undefined {
  const standard = schema["~standard"] as {
    jsonSchema?: Readonly<Record<typeof side, (options: { target: string }) => DescribedSchema>>
  }
  try {
    const found = standard.jsonSchema?.[side]({ target: "draft-2020-12" })
    return found?.type === "object" ? found : undefined
  } catch {
    return undefined // A schema with parts that JSON Schema cannot express.
  }
}

const isScalar = ({ type, enum: values, anyOf, ...rest }: DescribedSchema): boolean => {
  if (anyOf) return anyOf.every(isScalar)
  if (values) return values.every((value) => typeof value !== "object" || value === null)
  if ("const" in rest) return typeof rest.const !== "object" || rest.const === null
  return Array.isArray(type) ? type.every((one) => plain.has(one)) : plain.has(type)
}
