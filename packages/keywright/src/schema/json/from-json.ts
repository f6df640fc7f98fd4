/* From the JSON form to a keyspace. The declarations are made by the same functions that
 * TypeScript code calls, so that everything they check is checked here too; an error says
 * where in the document it is. Contradictions between entries are found by keyspace()
 * itself and keep their KEYSPACE codes. */

import { jsonFormTooLarge, jsonFormType, jsonFormVersion } from "../../errors/json-form.ts"
import { drain, type Drain } from "../drain.ts"
import { keyspace, type Keyspace } from "../keyspace.ts"
import { readTextCodec } from "./codec-from-spec.ts"
import { readDurability } from "./entity-from-json.ts"
import { readEntries } from "./entry-from-json.ts"
import type { RelationForm } from "./form.ts"
import { readInvariant } from "./invariant-from-json.ts"
import { readTtl } from "./notes-from-json.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

/** What a keyspace may say besides its version and its entries. */
const readers = {
  $schema: read.text,
  name: read.text,
  doc: read.text,
  ttl: readTtl,
  evictable: read.flag,
  inferred: read.flag,
  reserved: read.texts,
  prefix: read.text,
  params: (params: AtPath) => read.record(params, readTextCodec),
  relations: (relations: AtPath) => read.record(relations, (of) => read.record(of, readRelation)),
  invariants: (invariants: AtPath) => read.items(invariants).map(readInvariant),
  drains: (drains: AtPath) => read.record(drains, readDrain),
}
const maxKeys = 10_000

/**
 * Makes a keyspace from its JSON form (parsed). Throws JSON_FORM errors with a path for bad documents.
 * @example
 * const form: unknown = JSON.parse(JSON.stringify(toJson(shop)))
 * console.log(fromJson(form).keys.length === shop.keys.length) // → true
 */
export function fromJson(data: unknown): Keyspace {
  const at = read.root(data)
  const version = read.need(read.fields(at), "version", at).value
  if (version !== 1) throw jsonFormVersion(version)
  const from = read.fields(at, ["version", ...Object.keys(readers), "entries"])
  const { $schema: _, ...options } = read.present(from, readers)
  const entries = readEntries(read.need(from, "entries", at))
  const count = countKeys(entries)
  if (count > maxKeys) throw jsonFormTooLarge("$.entries", `${count} keys; at most ${maxKeys} can be compared`)
  return keyspace(entries, options as {})
}

const countKeys = (entries: object): number =>
  Object.values(entries as Record<string, { entries?: object; keys?: readonly unknown[] }>).reduce(
    (sum, entry) => sum + (entry.entries ? countKeys(entry.entries) : (entry.keys?.length ?? 1)),
    0,
  )

function readDrain(at: AtPath): Drain {
  const from = read.fields(at, ["from", "into", "durability", "doc"])
  const notes = read.present(from, { durability: readDurability, doc: read.text })
  return drain({ from: read.text(read.need(from, "from", at)), into: read.text(read.need(from, "into", at)), ...notes })
}

/** The forms of a relation, as their fields beside the notes. */
const forms = ["one from", "one from inverse", "one by", "many by", "many through"]

function readRelation(at: AtPath): RelationForm {
  const names = ["one", "many", "from", "by", "through", "inverse"] as const
  const from = read.fields(at, [...names, "doc", "mayDangle"])
  const form = names.filter((name) => from.has(name)).join(" ")
  if (!forms.includes(form)) throw jsonFormType(at.path, `a relation with ${forms.join(", or ")}`, form)
  return Object.fromEntries([...from].map(([name, of]) => [name, name === "mayDangle" ? read.flag(of) : read.text(of)]))
}
