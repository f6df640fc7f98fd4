/* What can be wrong with the declaration of an entity. */

import { SchemaError } from "./error.ts"

export const entityIdParam = (pattern: string) =>
  new SchemaError("ENTITY.NO_ID", `"${pattern}" has no parameter for the record's id`, {
    pattern,
    fix: 'The last parameter is the id: "user:{id}".',
  })

export const entityIdField = (pattern: string, field: string) =>
  new SchemaError("ENTITY.ID_FIELD", `the records of "${pattern}" have no field "${field}"`, {
    pattern,
    why: "The last parameter of the key is the record's id, and a record carries its id in the field of that name.",
    fix: `Add the field ${field} to the record's schema, or name the parameter after the field that holds the id.`,
  })

export const entityIndexField = (entity: string, index: string, pattern: string, param: string) =>
  new SchemaError(
    "ENTITY.INDEX_FIELDS",
    `index ${index} of ${entity}: "${pattern}" names {${param}}, its first pattern does not`,
    {
      pattern,
      why: "Mirrors hold the same entries, so their patterns are made of the same fields.",
      fix: `Name {${param}} in all of its patterns, or in none.`,
    },
  )

export const entityIndexTwice = (entity: string, index: string) =>
  new SchemaError("ENTITY.INDEX_TWICE", `${entity} has two indexes with the name ${index}`, {
    pattern: entity,
    why: "Its unique and its other indexes share one set of names: errors, findings and plans name an index.",
    fix: "Give one of them another name.",
  })

export const entityNoCounter = (entity: string) =>
  new SchemaError("ENTITY.NO_COUNTER", `${entity} takes its ids from a counter, but declares none`, {
    fix: 'Add counter: "user:counter", or choose ids: "uuid" or "given".',
  })

export const entityUnknownField = (entity: string, index: string, field: string) =>
  new SchemaError(
    "ENTITY.UNKNOWN_FIELD",
    `index ${index} of ${entity} is on "${field}", which is not a field of the record`,
    {
      pattern: entity,
      fix: "Name a field that the record has.",
    },
  )

export const entityTtl = (entity: string, found: string) =>
  new SchemaError("ENTITY.TTL", `${entity} cannot have a deadline that is ${found}`, {
    pattern: entity,
    why: "Its index entries have to end together with each record.",
    fix: 'Declare its own ttl: a duration, sliding("10m"), fixed("10m"), upTo("30d"), either("1h", "never") or "never".',
  })
