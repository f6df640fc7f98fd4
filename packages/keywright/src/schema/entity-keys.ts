/* The keys of an entity: its records, the counter, the set of all ids, and one pattern for each index and mirror. */

import { defined } from "../errors/defined.ts"
import { entityIdField, entityIndexField, entityNoCounter, entityTtl, entityUnknownField } from "../errors/entity.ts"
import type { AnyCodec, CodecFields, TextCodec } from "./codec/codec.ts"
import { float, int } from "./codec/number.ts"
import { quoted } from "./codec/quoted.ts"
import { text } from "./codec/text.ts"
import { fieldValue } from "./codec/value.ts"
import { secret as hidden } from "./codec/wrap.ts"
import type { Def, Notes } from "./define.ts"
import { draft, paramsOf, type Draft, type Inherited } from "./draft.ts"
import type { Entity, EntityKey, Index } from "./entity.ts"
import { knownFields, mayHaveField } from "./entity-fields.ts"
import { paramNames } from "./locate.ts"

export function entityKeys({
  doc,
  secret,
  reserved,
  ttl,
  deprecated,
  evictable,
  inferred,
  ...entity
}: Omit<Entity, "keys" | "~keys" | "~relate" | "~indexes" | "~life">): EntityKey[] {
  const { pattern, store, ids, counter, all } = entity
  const notes: Notes = {
    ...(ttl && { ttl }),
    ...(deprecated && { deprecated }),
    ...(evictable && { evictable }),
    ...(inferred !== undefined && { inferred }),
  }
  // What outlives a single record does not expire with it.
  const lasting = { ...notes, ...(ttl && { ttl: "never" as const }), lasts: true as const }
  if (ids === "counter" && counter === undefined) throw entityNoCounter(pattern)
  if (mayHaveField(store, entity.idField) === false) throw entityIdField(pattern, entity.idField)
  const keys: EntityKey[] = [
    {
      ...notes,
      ...defined({ doc, secret }),
      ...(reserved && { reserved }),
      role: "record",
      label: "",
      kind: store.as === "json" ? "string" : "hash",
      pattern,
      shape: store.as === "json" ? { value: store.value } : { fields: store.fields },
    },
  ]
  const addLasting = (role: "counter" | "all", key: Pick<EntityKey, "kind" | "pattern" | "shape" | "holds">) =>
    keys.push({ ...lasting, role, label: `#${role}`, ...key })
  if (counter !== undefined) addLasting("counter", { kind: "counter", pattern: counter, shape: { value: int } })
  if (all !== undefined) addLasting("all", { kind: "set", pattern: all, shape: { member: text }, holds: "member" })
  return [
    ...keys,
    ...Object.entries(entity.unique).flatMap(([name, index]) => indexKeys(entity, name, index, true, notes, secret)),
    ...Object.entries(entity.index).flatMap(([name, index]) => indexKeys(entity, name, index, false, lasting, secret)),
  ]
}

function indexKeys(
  entity: Pick<Entity, "pattern" | "store" | "stamps" | "idField">,
  name: string,
  { patterns, fields, score, where }: Index,
  one: boolean,
  notes: Pick<EntityKey, "lasts" | keyof Notes>,
  secretFields: Notes["secret"],
): EntityKey[] {
  const known = knownFields(entity)
  const isSecret = (field: string) =>
    secretFields === true ||
    secretFields?.includes(field) === true ||
    (entity.store.as === "hash" && (entity.store.fields as CodecFields)[field]?.secret === true)
  // An id in an index with a condition reveals that the field meets it.
  const id = Object.keys(where ?? {}).some(isSecret) ? hidden(text) : text
  const scored = { member: id, score: score !== undefined && isSecret(score) ? hidden(float) : float }
  const named = [...fields, ...(score === undefined ? [] : [score]), ...Object.keys(where ?? {})]
  const unknown = known && named.find((field) => !known.includes(field))
  if (unknown !== undefined) throw entityUnknownField(entity.pattern, name, unknown)
  return patterns.map((pattern, i) => {
    const named = paramNames(pattern)
    const odd = named.find((param) => !fields.includes(param)) ?? fields.find((field) => !named.includes(field))
    if (odd !== undefined) throw entityIndexField(entity.pattern, name, pattern, odd)
    return {
      ...notes,
      role: i > 0 ? "mirror" : one ? "unique" : "index",
      index: name,
      label: i > 0 ? `#${name}~${i}` : `#${name}`,
      kind: one ? "string" : score === undefined ? "set" : "zset",
      pattern,
      shape: one ? { value: id } : score === undefined ? { member: id } : scored,
      holds: one ? "value" : "member",
    } as const
  })
}

/** The id has one codec in all keys. Fields in index keys are written as in a hash, and in a document as values. */
export function keysOfEntity(entity: Entity, path: string, around: Inherited): Draft[] {
  const stored = entity.store.as === "hash" ? Object.entries<TextCodec>(entity.store.fields as never) : []
  const fields = Object.fromEntries(stored.filter(([, codec]) => codec !== text))
  const known = { ...around, params: { ...fields, ...around.params, ...entity.params } }
  const isListed = (name: string) => entity.secret === true || entity.secret?.includes(name) === true
  const record = paramsOf(around.prefix + entity.pattern, known.params, {}, text)
  const inKeys = hiding(record, isListed)[entity.idField]!
  const id = entity.quoted ? quoted(inKeys) : inKeys
  // A default of the group is for records: ids would be handed out again after a counter had expired.
  const { ttl, family, ...notes } = around.notes
  const lasting: Inherited = { ...known, notes: { ...notes, ttl: "never" } }
  const rule = entity.ttl ?? (family === undefined ? ttl : undefined)
  if (entity.ttl === undefined && typeof rule === "object" && (rule.on === "choice" || rule.on === "bound"))
    throw entityTtl(entity.pattern, "left to the writer by a default")
  if (family !== undefined) throw entityTtl(entity.pattern, "that of a family")
  return entity.keys.map(({ role, index, label, holds, lasts, ...def }) => {
    const made = draft(
      def as Omit<Def, "~keys">,
      path + label,
      lasts && ttl && family === undefined ? lasting : known,
      role === "record" ? text : fieldValue,
    )
    const isHidden = holds !== undefined && (def.shape[holds] as AnyCodec).secret === true
    // The mere existence of such a key reveals it, too.
    const telling = isHidden ? paramNames(def.pattern) : []
    return {
      ...made,
      ...(holds && { shape: { ...def.shape, [holds]: isHidden ? hidden(id) : id } }),
      params: hiding(made.params, (name) => isListed(name) || telling.includes(name)),
      entity: { name: path, role, ...(index !== undefined && { index }) },
    }
  })
}

const hiding = (params: Draft["params"], isSecret: (name: string) => boolean): Draft["params"] =>
  Object.fromEntries(Object.entries(params).map(([name, of]) => [name, isSecret(name) && !of.secret ? hidden(of) : of]))
