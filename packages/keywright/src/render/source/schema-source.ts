/* A keyspace in its JSON form as TypeScript, as a person would have written it. */

import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { targetsOf, type Where } from "../../schema/invariant.ts"
import type {
  DefForm,
  EntityForm,
  EntryForm,
  GroupForm,
  IndexForm,
  KeyspaceForm,
  TtlForm,
} from "../../schema/json/form.ts"
import type { At } from "../../schema/place.ts"
import { type BlockItem, call, type Code, field, jsonFields, list, maybeObject, object, print, quoted } from "./code.ts"
import { oneLine } from "../printable.ts"
import { plainJson } from "../../schema/json/plain-json.ts"
import { SourceNames } from "./source-codecs.ts"
import { libraries, type Library } from "./source-documents.ts"
import { commonConvention, type Convention, following, isOf } from "./source-layouts.ts"

export interface SourceOptions {
  /** What documents are checked with. Default: zod. */
  readonly library?: Library
  /** The name of the exported keyspace. */
  readonly constant?: string
  /** Lines at the top. */
  readonly header?: readonly string[]
  /** Lines above an entry, by its path: `"service.status"`. */
  readonly comments?: ReadonlyMap<string, readonly string[]>
}

export function schemaSource(form: KeyspaceForm, options: SourceOptions = {}): string {
  const { library = "zod", constant = "schema", header = [], comments = new Map() } = options
  const documents = libraries[library]
  const names = new SourceNames(documents, [constant, "record"])
  const entities = entitiesIn(form.entries)
  const convention = commonConvention(entities.map(following))
  const writer: Writer = { names, comments, convention }
  const entries = entriesCode(form.entries, "", writer)
  const { name, doc, ttl, inferred, prefix, params = {}, invariants, relations } = form
  const rest: BlockItem[] = [
    ...jsonFields({ name, doc }),
    ...(ttl === undefined ? [] : [field("ttl", ttlCode(ttl, names))]),
    ...jsonFields({ inferred, prefix }),
    ...(Object.keys(params).length === 0 ? [] : [field("params", paramsCode(params, names))]),
    ...(invariants === undefined ? [] : [field("invariants", list(invariants.map((rule) => ruleCode(rule, names))))]),
    ...(relations === undefined ? [] : [field("relations", relationsCode(relations))]),
  ]
  const body = print(call(names.use("keyspace"), { ...object(entries), spaced: false }, ...maybeObject(rest)))
  // Ids first: documents are long.
  const ordered = [...names.constants].sort(([a], [b]) => Number(/^[A-Z]/.test(a)) - Number(/^[A-Z]/.test(b)))
  const constants = ordered.map(([name, code]) => {
    const text = `const ${name} = `
    return `${text}${print(code, 0, text.length)}`
  })
  const used = [...names.used].sort((a, b) => a.localeCompare(b, "en"))
  const lines = [
    ...(header.length === 0
      ? []
      : [`/* ${header.map((line) => oneLine(line).replaceAll("*/", "* /")).join("\n * ")} */`, ""]),
    `import ${print(object(used.map((code) => ({ code }))), 0, 24)} from "keywright"`,
    ...(names.usesDocuments ? [documents.import] : []),
    "",
    ...(constants.length === 0 ? [] : [...constants, ""]),
    ...(usesLayout(entities, convention) ? [`const record = ${print(conventionCode(convention!))}`, ""] : []),
    `export const ${constant} = ${body}`,
    "",
  ]
  // What is seen must be what is compiled: in a string an escape is the same, and nobody overlooks it.
  return plainJson(lines.join("\n"))
}

interface Writer {
  readonly names: SourceNames
  readonly comments: ReadonlyMap<string, readonly string[]>
  readonly convention: Convention | undefined
}

const entitiesIn = (entries: Readonly<Record<string, EntryForm>>): EntityForm[] =>
  Object.values(entries).flatMap((entry) =>
    "group" in entry ? entitiesIn(entry.entries) : entry.kind === "entity" ? [entry] : [],
  )

const usesLayout = (entities: readonly EntityForm[], convention: Convention | undefined): boolean =>
  convention !== undefined && entities.some((entity) => isOf(following(entity), convention))

const conventionCode = (convention: Convention): Code => call("layout", object(jsonFields(convention)))

const entriesCode = (entries: Readonly<Record<string, EntryForm>>, path: string, writer: Writer): BlockItem[] =>
  Object.entries(entries).map(([name, entry]) =>
    field(name, entryCode(entry, name, `${path}${name}`, writer), writer.comments.get(`${path}${name}`)),
  )

function entryCode(entry: EntryForm, name: string, path: string, writer: Writer): Code {
  if ("group" in entry) return groupCode(entry, path, writer)
  return entry.kind === "entity" ? entityCode(entry, name, writer) : defCode(entry, name, writer)
}

function groupCode(group: GroupForm, path: string, writer: Writer): Code {
  const { names } = writer
  const entries = object(entriesCode(group.entries, `${path}.`, writer))
  const notes = notesCode(group, names)
  names.use(group.group)
  if (group.group === "database")
    return call("database", String(group.db), JSON.stringify(group.name), entries, ...maybeObject(notes))
  if (group.group === "sharded") {
    const { shards, by, checksumOf, startOf } = group
    const sums = jsonFields({ checksumOf, startOf })
    return call("sharded", String(shards), JSON.stringify(by), entries, ...maybeObject([...sums, ...notes]))
  }
  const { prefix, marker } = group
  if (group.group === "family")
    return call("family", JSON.stringify(prefix), object([...notes, ...jsonFields({ marker })]), entries)
  return call("scope", JSON.stringify(prefix), entries, ...maybeObject(notes))
}

function notesCode(entry: EntryForm, names: SourceNames): BlockItem[] {
  const { doc, ttl, deprecated, evictable, when, inferred } = entry
  const secret = "secret" in entry ? entry.secret : undefined
  return [
    ...("params" in entry && entry.params !== undefined ? [field("params", paramsCode(entry.params, names))] : []),
    ...(ttl === undefined ? [] : [field("ttl", ttlCode(ttl, names))]),
    ...(secret === undefined ? [] : [field("secret", secret === true ? "true" : quoted(secret))]),
    ...jsonFields({ evictable, inferred, deprecated, when, doc }),
  ]
}

/** `{ token, user: userId }` */
const paramsCode = (params: Readonly<Record<string, CodecSpec>>, names: SourceNames): Code =>
  object(
    Object.entries(params).map(([name, spec]) => {
      const code = names.codec(spec, name)
      return code === name ? { code: name } : field(name, code)
    }),
  )

function ttlCode(ttl: TtlForm, names: SourceNames): Code {
  if (typeof ttl === "string") return JSON.stringify(ttl)
  if ("sliding" in ttl) return call(names.use("sliding"), JSON.stringify(ttl.sliding))
  if ("fixed" in ttl) return call(names.use("fixed"), JSON.stringify(ttl.fixed))
  if ("upTo" in ttl) return call(names.use("upTo"), JSON.stringify(ttl.upTo))
  return call(names.use("either"), ...ttl.either.map((one) => JSON.stringify(one)))
}

function defCode(def: DefForm, name: string, { names }: Writer): Code {
  const shape = def.shape ?? {}
  const one = (part: string) => names.codec(shape[part] as CodecSpec, name)
  const isPlainInt = (part: string) => JSON.stringify(shape[part]) === '{"codec":"int"}'
  const args: Code[] = [JSON.stringify(def.pattern)]
  const options: BlockItem[] = []
  names.use(def.kind)
  if (def.kind === "string") args.push(one("value"))
  else if (def.kind === "counter")
    options.push(...(isPlainInt("value") || shape["value"] === undefined ? [] : [field("value", one("value"))]))
  else if (def.kind === "hash" || def.kind === "stream")
    args.push(paramsCode(shape["fields"] as Readonly<Record<string, CodecSpec>>, names))
  else if (def.kind === "map") args.push(one("field"), one("value"))
  else if (def.kind === "list") args.push(one("item"))
  else if (def.kind !== "bitmap") args.push(one("member"))
  if (def.kind === "zset" && shape["score"] !== undefined) options.push(field("score", one("score")))
  if (def.keep !== undefined) options.push(field("keep", String(def.keep)))
  options.push(...notesCode(def, names))
  return call(def.kind, ...args, ...maybeObject(options))
}

function entityCode(entity: EntityForm, name: string, { names, convention }: Writer): Code {
  const { pattern, store, counter, all, ids, stamps = [] } = entity
  const value = store.as === "json" ? names.codec(store.value, name) : paramsCode(store.fields, names)
  const rest = [
    ...(stamps.length === 0 ? [] : [field("stamps", stamps.length === 4 ? "true" : quoted(stamps))]),
    ...(entity.quoted ? [field("quoted", "true")] : []),
    ...notesCode(entity, names),
  ]
  const followed = following(entity)
  if (convention !== undefined && isOf(followed, convention)) {
    names.use("layout")
    const isGiven = convention.counter !== undefined && counter === undefined
    const own = [...indexesCode(entity, layoutIndex), ...(isGiven ? jsonFields({ ids: ids ?? "given" }) : [])]
    return call("record", JSON.stringify(followed.word), value, ...maybeObject([...own, ...rest]))
  }
  const own = [...jsonFields({ counter, all, ids }), ...indexesCode(entity, plainIndex)]
  return call(names.use("entity"), JSON.stringify(pattern), value, ...maybeObject([...own, ...rest]))
}

const indexesCode = (entity: EntityForm, code: (index: IndexForm) => Code): BlockItem[] =>
  (["unique", "index"] as const).flatMap((kind) => {
    const all = Object.entries(entity[kind] ?? {})
    return all.length === 0 ? [] : [field(kind, object(all.map(([name, index]) => field(name, code(index)))))]
  })

function plainIndex(index: IndexForm): Code {
  const { patterns } = index
  const spelled = patterns.length === 1 ? JSON.stringify(patterns[0]) : quoted(patterns)
  const more = moreCode(index)
  return more.length === 0 ? spelled : object([field("patterns", spelled), ...more])
}

/** Which records are in an index, and in which order. */
const moreCode = ({ where, score }: IndexForm): BlockItem[] => [
  ...(where === undefined ? [] : [field("where", object(jsonFields(where)))]),
  ...jsonFields({ score }),
]

/** A field, or a field and the mirrors; several fields, a condition or a score as an object. */
function layoutIndex(index: IndexForm): Code {
  const {
    patterns: [first = "", ...mirrors],
  } = index
  const fields = [...first.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const more = moreCode(index)
  if (fields.length === 1 && more.length === 0)
    return mirrors.length === 0 ? JSON.stringify(fields[0]) : quoted([fields[0]!, ...mirrors])
  return object([
    field("on", fields.length === 1 ? JSON.stringify(fields[0]) : quoted(fields)),
    ...(mirrors.length === 0 ? [] : [field("mirrors", quoted(mirrors))]),
    ...more,
  ])
}

function ruleCode(rule: NonNullable<KeyspaceForm["invariants"]>[number], names: SourceNames): Code {
  const idOf = (id: string) => names.idNamed(id) ?? JSON.stringify(id)
  const text = (value: unknown): Code => JSON.stringify(value)
  const where = (one: Where): Code => (typeof one === "string" ? text(one) : placeCode(one, names))
  const notes = (truth?: string) => maybeObject(jsonFields({ truth, grace: rule.grace, doc: rule.doc }))
  switch (rule.kind) {
    case "same":
      return call(names.use("sameIds"), idOf(rule.id), quoted(rule.keys), ...notes(truthOf(rule)))
    case "reference": {
      const { from, to } = rule
      const targets = targetsOf({ to })
      const target = Array.isArray(to) ? list(targets.map(where)) : where(targets[0]!)
      return call(names.use("refersTo"), idOf(rule.id), where(from), target, ...notes())
    }
    case "compare": {
      const right = typeof rule.right === "number" ? String(rule.right) : placeCode(rule.right, names)
      return call(names.use("compare"), placeCode(rule.left, names), text(rule.is), right, ...notes())
    }
    default: {
      const name = names.use(rule.kind === "inverse" ? "inverse" : "excludes")
      return call(name, ...rule.keys.map(text), ...notes(truthOf(rule)))
    }
  }
}

/** The truth, where it is not the first. */
const truthOf = ({ keys, truth }: { readonly keys: readonly string[]; readonly truth?: string }): string | undefined =>
  truth === keys[0] ? undefined : truth

function placeCode({ key, place, otherwise }: At, names: SourceNames): Code {
  return call(names.use("at"), JSON.stringify(key), JSON.stringify(place), ...maybeObject(jsonFields({ otherwise })))
}

const relationsCode = (relations: NonNullable<KeyspaceForm["relations"]>): Code => {
  const ofEntity = (own: object) =>
    object(Object.entries(own).map(([name, relation]) => field(name, object(jsonFields(relation as object)))))
  return object(Object.entries(relations).map(([entity, own]) => field(entity, ofEntity(own))))
}
