/* Documents that have only fields which their schema knows, as most have: nothing was
 * stripped from them, so there is nothing to look for and put back. The schema's own
 * description (JSON Schema) says what it knows; where it cannot say it, every document is
 * looked at closely. */

import type { StandardSchemaV1 } from "@standard-schema/spec"

interface DescribedSchema {
  readonly type?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly DescribedSchema[]
  readonly properties?: Readonly<Record<string, DescribedSchema>>
  readonly items?: DescribedSchema
}

/** What a schema knows about a container; of values that have nothing inside, nothing. */
type Known = KnownObject | KnownList
interface KnownList {
  readonly items: Known | undefined
}
interface KnownObject {
  /** In the order of the schema, which is the order of most documents. */
  readonly names: readonly string[]
  readonly parts: readonly (Known | undefined)[]
  readonly positions: ReadonlyMap<string, number>
}

/** The schema cannot say it. */
const UNSAID = Symbol("unsaid")

/** Tells whether a document that the schema accepted has no other fields than it knows, at any depth. */
export function knowsAll(schema: StandardSchemaV1): ((stored: unknown) => boolean) | undefined {
  const given = described(schema, "input")
  const read = described(schema, "output")
  const known = given && read ? knownOf(given, read) : UNSAID
  return known === UNSAID || known === undefined ? undefined : (stored) => isKnown(known, stored)
}

function isKnown(known: Known, stored: unknown): boolean {
  if (typeof stored !== "object" || stored === null) return true
  if ("items" in known) {
    if (!Array.isArray(stored)) return false
    const { items } = known
    if (items !== undefined) for (let i = 0; i < stored.length; i++) if (!isKnown(items, stored[i])) return false
    return true
  }
  const { names, parts, positions } = known
  let next = 0
  for (const name in stored) {
    let at: number | undefined = next
    if (names[at] !== name) at = positions.get(name)
    if (at === undefined) return false
    next = at + 1
    const part = parts[at]
    if (part !== undefined && !isKnown(part, (stored as Readonly<Record<string, unknown>>)[name])) return false
  }
  return !Array.isArray(stored)
}

/** What is read must have the same parts: a field that is not read again was not stripped as unknown. */
function knownOf(given: DescribedSchema, read: DescribedSchema): Known | undefined | typeof UNSAID {
  if (isScalar(given)) return undefined
  if (given.anyOf && read.anyOf) {
    // Nullable, for example.
    const [one, ...more] = given.anyOf.filter((part) => !isScalar(part))
    const other = read.anyOf.filter((part) => !isScalar(part))
    return more.length > 0 || other.length !== 1 ? UNSAID : knownOf(one!, other[0]!)
  }
  if (given.type === "array" && read.type === "array" && given.items && read.items) {
    const items = knownOf(given.items, read.items)
    return items === UNSAID ? UNSAID : { items }
  }
  if (given.type !== "object" || read.type !== "object" || !given.properties || !read.properties) return UNSAID
  const names = Object.keys(given.properties)
  const parts: (Known | undefined)[] = []
  for (const name of names) {
    const there = Object.hasOwn(read.properties, name) ? read.properties[name] : undefined
    const part = there ? knownOf(given.properties[name]!, there) : UNSAID
    if (part === UNSAID) return UNSAID
    parts.push(part)
  }
  return { names, parts, positions: new Map(names.map((name, i) => [name, i])) }
}

function described(schema: StandardSchemaV1, side: "input" | "output"): DescribedSchema | undefined {
  const standard = schema["~standard"] as {
    jsonSchema?: Readonly<Record<typeof side, (options: { target: string }) => DescribedSchema>>
  }
  try {
    return standard.jsonSchema?.[side]({ target: "draft-2020-12" })
  } catch {
    return undefined // A schema with parts that JSON Schema cannot express.
  }
}

const plain = new Set<unknown>(["string", "number", "integer", "boolean", "null"])

const isScalar = ({ type, enum: values, anyOf, ...rest }: DescribedSchema): boolean => {
  if (anyOf) return anyOf.every(isScalar)
  if (values) return values.every((value) => typeof value !== "object" || value === null)
  if ("const" in rest) return typeof rest.const !== "object" || rest.const === null
  return Array.isArray(type) ? type.every((one) => plain.has(one)) : plain.has(type)
}
