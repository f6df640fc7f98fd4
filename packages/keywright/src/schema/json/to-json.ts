/* From a keyspace to its JSON form. Names are always in the same order, and what was left
 * out in the declaration is left out here, so that two forms can be compared line by
 * line. */

import { defined } from "../../errors/defined.ts"
import type { AnyCodec } from "../codec/codec.ts"
import type { CodecSpec } from "../codec/codec-spec.ts"
import { isCodec } from "../codecs-in.ts"
import type { Def, Notes } from "../define.ts"
import type { Drain } from "../drain.ts"
import { fromMs } from "../duration.ts"
import type { Entity, Index } from "../entity.ts"
import type { AnyParams, Group } from "../group.ts"
import type { Invariant, InvariantRule } from "../invariant.ts"
import type { Keyspace } from "../keyspace.ts"
import { ttlRule, type Ttl } from "../ttl.ts"
import {
  formSchema,
  type DefForm,
  type DrainForm,
  type EntityForm,
  type EntryForm,
  type GroupForm,
  type IndexForm,
  type KeyspaceForm,
  type NotesForm,
  type TtlForm,
} from "./form.ts"
import { specForm } from "./spec-form.ts"

type AnyGroup = Group<string, object, AnyParams>
type Entry = Def | Entity | AnyGroup

/**
 * The keyspace as JSON: for programs in other languages, and to keep an old version to compare with.
 * @example
 * const text = JSON.stringify(toJson(shop), null, 2)
 */
export function toJson(keyspace: Keyspace): KeyspaceForm {
  const { name, doc, ttl, evictable, inferred, reserved, prefix, params, entries, relations, invariants, drains } =
    keyspace
  const drained = Object.entries((drains ?? {}) as Record<string, Drain>)
  const related = Object.entries(relations as Record<string, object>)
  return {
    $schema: formSchema,
    version: 1,
    ...defined({ name, doc, ttl: ttl && ttlForm(ttl), evictable, inferred, reserved, prefix }),
    ...codecs("params", params as AnyParams, "$.params"),
    entries: entriesForm(entries as object, "$.entries"),
    ...(related.length > 0 && { relations: copyOf(relations as NonNullable<KeyspaceForm["relations"]>) }),
    ...(invariants.length > 0 && { invariants: invariants.map(invariantForm) }),
    ...(drained.length > 0 && {
      drains: Object.fromEntries(drained.map(([drain, form]) => [drain, drainForm(form)])),
    }),
  }
}

const entriesForm = (entries: object, path: string): Record<string, EntryForm> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, entryForm(entry, `${path}.${name}`)]))

function entryForm(entry: Entry, path: string): EntryForm {
  if ("group" in entry) return groupForm(entry, path)
  return entry.kind === "entity" ? entityForm(entry, path) : defForm(entry, path)
}

function defForm({ kind, pattern, shape, params, keep, ...notes }: Def, path: string): DefForm {
  const places = Object.entries(shape as Record<string, AnyCodec | Record<string, AnyCodec>>)
  return {
    kind,
    pattern,
    ...codecs("params", params as AnyParams, `${path}.params`),
    ...(places.length > 0 && {
      shape: Object.fromEntries(places.map(([place, codec]) => [place, shapeForm(codec, `${path}.shape.${place}`)])),
    }),
    ...defined({ keep }),
    ...notesForm(notes),
  }
}

const shapeForm = (shape: AnyCodec | Readonly<Record<string, AnyCodec>>, path: string) =>
  isCodec(shape) ? specForm(shape.spec, path) : specs(shape, path)

function groupForm({ group, db, name, prefix, entries, params, ...rest }: AnyGroup, path: string): GroupForm {
  const { marker, shards, by, checksumOf, startOf, ...notes } = rest as typeof rest &
    Pick<GroupForm, "marker" | "shards" | "by" | "checksumOf" | "startOf">
  return {
    group,
    ...(group === "database"
      ? defined({ db, name })
      : group === "sharded"
        ? defined({ shards, by, checksumOf, startOf })
        : { prefix, ...defined({ marker }) }),
    ...codecs("params", params, `${path}.params`),
    ...notesForm(notes),
    entries: entriesForm(entries, `${path}.entries`),
  }
}

function entityForm(entity: Entity, path: string): EntityForm {
  const { pattern, params, store, ids, counter, all, unique, index, stamps, quoted, durability, ...notes } = entity
  return {
    kind: "entity",
    pattern,
    ...codecs("params", params, `${path}.params`),
    store:
      store.as === "json"
        ? { as: "json", value: specForm(store.value.spec, `${path}.store.value`) }
        : { as: "hash", fields: specs(store.fields, `${path}.store.fields`) },
    ids,
    ...defined({ counter, all }),
    ...indexes("unique", unique),
    ...indexes("index", index),
    ...(stamps.length > 0 && { stamps: [...stamps] }),
    ...defined({ quoted }),
    ...(durability !== "fast" && { durability: copyOf(durability) }),
    ...notesForm(notes),
  }
}

const indexes = <N extends "unique" | "index">(name: N, declared: Readonly<Record<string, Index>>) =>
  Object.keys(declared).length === 0
    ? {}
    : {
        [name]: Object.fromEntries(
          Object.entries(declared).map(([label, { patterns, where, score }]): [string, IndexForm] => [
            label,
            copyOf({ patterns, ...defined({ where, score }) }),
          ]),
        ),
      }

const drainForm = ({ from, into, durability, doc }: Drain): DrainForm =>
  copyOf({ from, into, ...(durability !== "fast" && { durability }), ...defined({ doc }) })

/** Its functions are not JSON, and are dropped. */
const invariantForm = (rule: Invariant): InvariantRule => copyOf(rule)

function notesForm({ doc, ttl, ...rest }: Notes): NotesForm {
  const { deprecated, secret, evictable, when, writes, reads, was, reserved, inferred } = rest
  const others = { deprecated, secret, evictable, when, writes, reads, was, reserved, inferred }
  return copyOf(defined({ doc, ttl: ttl && ttlForm(ttl), ...others }))
}

/** Durations in their shortest spelling: "60s" and "1m" are one. */
function ttlForm(ttl: Ttl): TtlForm {
  const rule = ttlRule(ttl)
  if (rule.on === "never") return "never"
  if (rule.on === "choice") return { either: rule.choices.map((ms) => (ms === "never" ? ms : fromMs(ms))) }
  const duration = fromMs(rule.ms)
  if (rule.on === "bound") return { upTo: duration }
  return rule.on === "write" ? duration : rule.on === "access" ? { sliding: duration } : { fixed: duration }
}

const codecs = <N extends string>(name: N, of: AnyParams, path: string) =>
  (Object.keys(of).length === 0 ? {} : { [name]: specs(of, path) }) as { [P in N]?: Record<string, CodecSpec> }

const specs = (of: Readonly<Record<string, AnyCodec>>, path: string): Record<string, CodecSpec> =>
  Object.fromEntries(Object.entries(of).map(([name, { spec }]) => [name, specForm(spec, `${path}.${name}`)]))

/** A copy that is the caller's own. */
const copyOf = <T>(data: T): T => JSON.parse(JSON.stringify(data)) as T
