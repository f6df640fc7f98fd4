/* What a schema page says, as plain data: the same for Markdown, HTML, the terminal
 * and the studio. Nothing here knows how it will look. */

import { documentSpec } from "../../schema/codec/document-spec.ts"
import type { AnyCodec, TextCodec } from "../../schema/codec/codec.ts"
import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import { redisTypes } from "../../schema/define.ts"
import { ruleText } from "../rule-text.ts"
import { relationRows } from "../../schema/entity-relations.ts"
import type { Group } from "../../schema/group.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { describeCodec } from "../../schema/json/describe.ts"
import type { RelationRow } from "../../schema/relation.ts"
import { type Step, stepKey } from "../../schema/step.ts"
import { toolkitKeys } from "../../schema/toolkit-keys.ts"
import { exampleCommand } from "./example-value.ts"
import { eachText, oneLine } from "../printable.ts"
import { ttlText } from "../ttl-text.ts"

export interface DocPage {
  readonly title: string
  readonly doc: string | undefined
  readonly sections: readonly DocSection[]
  readonly relations: readonly RelationRow[]
  readonly invariants: readonly string[]
  readonly steps: readonly DocStep[]
  /** The toolkit's own keys. */
  readonly toolkit: readonly DocKey[]
}

/** An atomic step of the application's own. */
export interface DocStep {
  readonly name: string
  readonly doc: string | undefined
  /** Patterns; with `[]` for any number of them. */
  readonly keys: readonly string[]
  readonly args: readonly string[]
  /** Carried out once for each operation id. */
  readonly once: boolean
}

/** A group of keys, or an entity with all keys that move with it. */
export interface DocSection {
  readonly name: string
  readonly title: string
  readonly kind: "keys" | "entity" | "family" | "database"
  readonly doc: string | undefined
  /** Why its keys should not be used any more; when they exist at all. */
  readonly deprecated: string | undefined
  readonly when: string | undefined
  readonly db: number
  readonly keys: readonly DocKey[]
}

export interface DocKey {
  readonly name: string
  readonly pattern: string
  /** What Redis calls it. */
  readonly type: string
  readonly kind: string
  readonly role: string | undefined
  readonly ttl: string
  readonly keep: number | undefined
  readonly doc: string | undefined
  readonly deprecated: string | undefined
  readonly when: string | undefined
  readonly evictable: boolean
  readonly writes: readonly string[]
  readonly reads: readonly string[]
  readonly params: readonly DocField[]
  /** Fields, members, items: what the value is made of. */
  readonly parts: readonly DocField[]
  /** The command that writes one. */
  readonly example: string
}

export interface DocField {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly secret: boolean
}

export function docPage(keyspace: Keyspace): DocPage {
  return {
    title: keyspace.name ?? "Keyspace",
    doc: keyspace.doc,
    sections: sectionsOf(keyspace),
    relations: relationRows(keyspace),
    invariants: keyspace.invariants.map(ruleText),
    steps: Object.entries(keyspace.steps as Record<string, Step>).map(([name, step]) => docStep(keyspace, name, step)),
    toolkit: toolkitKeys().map(docKey),
  }
}

/** What people wrote as sentences: where its lines end means nothing. */
const PROSE = new Set(["doc", "deprecated", "when", "writes", "reads", "invariants"])

/**
 * The same for a document: an inferred schema has names and examples from data, which must neither act on what shows
 * the document nor begin a line of it.
 */
export const shownPage = (keyspace: Keyspace): DocPage =>
  eachText(docPage(keyspace), (text, of) => oneLine(PROSE.has(of) ? text.replace(/\s+/g, " ").trim() : text))

const docStep = ({ keys }: Keyspace, name: string, step: Step): DocStep => ({
  name,
  doc: step.doc,
  keys: step.keys.map((given) => {
    const { path, many } = stepKey(given)
    return `${keys.find((key) => key.name === path)?.pattern ?? path}${many === undefined ? "" : "[]"}`
  }),
  args: Object.keys(step.args as object),
  once: step.once,
})

function sectionsOf(keyspace: Keyspace): DocSection[] {
  const sections = new Map<string, { section: Omit<DocSection, "keys">; keys: DocKey[] }>()
  for (const key of keyspace.keys) {
    const name = key.entity?.name ?? key.name.split(".").slice(0, -1).join(".")
    const known = sections.get(name) ?? { section: heading(keyspace, key, name), keys: [] }
    sections.set(name, known)
    known.keys.push(docKey(key))
  }
  // Databases that are declared and empty are listed as well.
  for (const [name, entry] of Object.entries(keyspace.entries as Record<string, Partial<Group<string, object>>>)) {
    if (entry.group !== "database" || sections.has(name)) continue
    const { doc, deprecated, when, db = 0 } = entry
    const section = { name, title: databaseTitle(entry), kind: "database", doc, deprecated, when, db } as const
    sections.set(name, { section, keys: [] })
  }
  return [...sections.values()].map(({ section, keys }) => ({ ...section, keys })).sort((a, b) => a.db - b.db)
}

function heading(keyspace: Keyspace, key: Key, name: string): Omit<DocSection, "keys"> {
  const group = key.entity ? undefined : groupAt(keyspace, name)
  const common = { name, db: key.db, deprecated: group?.deprecated, when: group?.when }
  if (key.entity) return { ...common, title: name, kind: "entity", doc: key.doc }
  if (!group) return { ...common, title: hasEntities(keyspace) ? "Other keys" : "Keys", kind: "keys", doc: undefined }
  if (group.group === "database") return { ...common, title: databaseTitle(group), kind: "database", doc: group.doc }
  return { ...common, title: name, kind: group.group === "family" ? "family" : "keys", doc: group.doc }
}

const hasEntities = ({ keys }: Keyspace): boolean => keys.some(({ entity }) => entity !== undefined)

const databaseTitle = (group: Partial<Group<string, object>>): string => `Database ${group.db}: ${group.name}`

function groupAt(keyspace: Keyspace, path: string): Group<string, object> | undefined {
  let at: unknown = { entries: keyspace.entries }
  for (const name of path === "" ? [] : path.split("."))
    at = (at as { entries?: Record<string, unknown> }).entries?.[name]
  return path === "" ? undefined : (at as Group<string, object>)
}

function docKey(key: Key): DocKey {
  return {
    name: key.name,
    pattern: key.pattern,
    type: redisTypes[key.kind],
    kind: key.kind,
    role: roleText(key),
    ttl: ttlText(key.ttl, key.family !== undefined),
    keep: key.keep,
    doc: key.entity && key.entity.role !== "record" ? roleText(key) : key.doc,
    deprecated: key.deprecated,
    when: key.when,
    evictable: key.evictable === true,
    writes: key.writes ?? [],
    reads: key.reads ?? [],
    params: Object.entries(key.params).map(([name, codec]) => field(name, codec)),
    parts: docFieldsOf(key),
    example: exampleCommand(key),
  }
}

function roleText({ entity }: Key): string | undefined {
  if (!entity) return undefined
  const { role, index } = entity
  if (role === "record") return "the record"
  if (role === "counter") return "the last id"
  if (role === "all") return "all ids"
  return role === "unique"
    ? `unique index ${index}: the id`
    : role === "index"
      ? `index ${index}: ids`
      : `mirror of index ${index}`
}

function docFieldsOf(key: Key): DocField[] {
  const { fields, ...parts } = key.shape as { fields?: Record<string, AnyCodec> } & Record<string, AnyCodec>
  if (fields) return Object.entries(fields).map(([name, codec]) => field(name, codec))
  const value = parts["value"]
  if (value !== undefined && documentSpec(value.spec)) return documentFields(describeCodec(value), key.secret)
  return Object.entries(parts).map(([name, codec]) => field(name, codec, key.secret === true))
}

const field = (name: string, codec: TextCodec | AnyCodec, secret = false): DocField => ({
  name,
  type: codec.name,
  optional: codec.optional === true,
  secret: secret || codec.secret === true,
})

/** The fields of a JSON document, as its schema describes them. */
function documentFields(schema: JsonSchema, secret: Key["secret"]): DocField[] {
  const properties = schema["properties"] as Record<string, JsonSchema> | undefined
  if (!properties) return [{ name: "value", type: schemaText(schema), optional: false, secret: secret === true }]
  const required = (schema["required"] as string[] | undefined) ?? []
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: schemaText(property),
    optional: !required.includes(name),
    secret: secret === true || (Array.isArray(secret) && secret.includes(name)),
  }))
}

/** A JSON Schema in a few words: `"MALE" | "FEMALE"`, `text[]`. */
function schemaText(schema: JsonSchema): string {
  const either = (schema["anyOf"] ?? schema["oneOf"]) as JsonSchema[] | undefined
  if (either) return [...new Set(either.map(schemaText))].join(" or ")
  if (Array.isArray(schema["enum"]))
    return (schema["enum"] as unknown[]).map((value) => JSON.stringify(value)).join(" | ")
  if ("const" in schema) return JSON.stringify(schema["const"])
  const type = schema["type"]
  if (type === "array") return `${schemaText((schema["items"] as JsonSchema | undefined) ?? {})}[]`
  if (type === "string") return schema["format"] === undefined ? "text" : String(schema["format"])
  if (Array.isArray(type)) return type.join(" or ")
  return type === undefined ? "JSON" : String(type)
}
