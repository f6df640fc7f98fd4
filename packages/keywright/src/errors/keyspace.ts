/* What can be wrong with a keyspace as a whole. */

import { SchemaError } from "./error.ts"

export const keyspaceAmbiguous = (one: string, other: string, key: string) =>
  new SchemaError("KEYSPACE.AMBIGUOUS", `"${one}" and "${other}" can both be ${key}`, {
    key,
    fix: "Distinguish them by a literal or a codec.",
  })

export const keyspaceTooLarge = (patterns: number) =>
  new SchemaError("KEYSPACE.TOO_LARGE", `${patterns} patterns are too many or too alike`, {
    fix: "Let them begin with different literals.",
  })

export const keyspaceTooSlow = () =>
  new SchemaError("KEYSPACE.TOO_LARGE", "this schema takes too long to be read or compared", {
    why: "A regular expression or a JSON Schema in it may take forever.",
    fix: "Find out who wrote it; simplify what its ids match and what its documents refer to.",
  })

export const keyspaceEntry = (path: string, why: string) =>
  new SchemaError("KEYSPACE.ENTRY", `${path} ${why}`, {
    fix: 'Use string()… under plain names: letters, digits and _; not "then".',
  })

export const keyspaceReference = (what: string, name: string, known: readonly string[]) =>
  new SchemaError("KEYSPACE.REFERENCE", `${what} names "${name}", which does not exist`, {
    fix: `Use one of: ${known.slice(0, 12).join(", ")}${known.length > 12 ? ", …" : ""}.`,
  })

export const keyspacePrefix = (prefix: string, param: string) =>
  new SchemaError("KEYSPACE.PREFIX", `the prefix "${prefix}" of the keyspace leaves {${param}} open`, {
    why: "No call names the parameters of a keyspace's prefix, so each must have one value to connect. Audit and other tools may leave them open.",
    fix: `State it, params: { ${param}: oneOf("main") }, or use scope("${prefix}", …), whose parameters are bound by calls.`,
  })

export const withTagRefused = (tag: string, why: string) =>
  new SchemaError("KEYSPACE.TAG", `the keyspace cannot be put under the tag ${JSON.stringify(tag)}: ${why}`, {
    fix: "Use a short name, such as that of a tenant, on the keyspace as it was declared.",
  })

export const keyspaceInvariant = (what: string, why: string) =>
  new SchemaError("KEYSPACE.INVARIANT", `${what} cannot be checked: ${why}`, {
    fix: 'Use named ids, id("token"), in the places that belong together.',
  })

export const keyspaceRelation = (what: string, why: string) =>
  new SchemaError("KEYSPACE.RELATION", `${what} cannot be followed: ${why}`, {
    fix: "Declare the index, field or set that the relation goes through.",
  })
