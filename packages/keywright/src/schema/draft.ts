/* From one entry to its keys. Each kind of entry brings the function that does it
 * (`"~keys"`): prefixes are joined there, codecs of parameters and notes inherited. */

import { paramWithoutPlace } from "../errors/define.ts"
import type { CodecFields, TextCodec } from "./codec/codec.ts"
import { text } from "./codec/text.ts"
import { secret as hidden } from "./codec/wrap.ts"
import type { Def, Notes } from "./define.ts"
import { hidingDocuments } from "./hidden-documents.ts"
import type { Key } from "./key.ts"
import { slotsOf, type ParamCodecsOf } from "./locate.ts"
import { ttlRule } from "./ttl.ts"

/** What an entry inherits from the groups around it. */
export interface Inherited {
  readonly prefix: string
  readonly params: ParamCodecsOf
  readonly notes: Notes & Pick<Draft, "db" | "family" | "sharded">
}

/** A key before its neighbours are known. */
export type Draft = Omit<Key, "rivals">

/** Anything that can be declared in a keyspace: it knows its keys. */
export interface Expandable {
  readonly "~keys": (entry: never, path: string, around: Inherited) => Draft[]
}

/** The one key of a definition. */
export function draft(def: Omit<Def, "~keys">, name: string, around: Inherited, fallback: TextCodec = text): Draft {
  const { kind, shape, pattern: tail, params, "~keys": _, ...own } = def as Def
  const { ttl, ...notes }: Inherited["notes"] = { ...around.notes, ...own }
  const pattern = around.prefix + tail
  const codecs = paramsOf(pattern, around.params, params as ParamCodecsOf, fallback)
  return {
    ...notes,
    name,
    pattern,
    kind,
    shape: hidingDocuments(hidingFields(shape as Draft["shape"], notes.secret, codecs), notes.secret, codecs),
    params: codecs,
    ttl: ttl && ttlRule(ttl),
  }
}

/**
 * Fields of a hash or a stream that are listed as secret, or that repeat a secret part of the key: their codecs hide
 * them, like those that are declared with `secret(…)`.
 */
function hidingFields(shape: Draft["shape"], secret: Notes["secret"], params: ParamCodecsOf): Draft["shape"] {
  const fields = shape["fields"] as CodecFields | undefined
  if (fields === undefined) return shape
  const isSecret = (name: string) =>
    secret === true ||
    (Array.isArray(secret) && secret.includes(name)) ||
    (Object.hasOwn(params, name) && params[name]?.secret === true)
  if (!Object.keys(fields).some((name) => isSecret(name) && !fields[name]!.secret)) return shape
  const hiding = Object.entries(fields).map(([name, codec]) => [
    name,
    isSecret(name) && !codec.secret ? hidden(codec) : codec,
  ])
  return { ...shape, fields: Object.fromEntries(hiding) as CodecFields }
}

/** Every parameter of the pattern with its codec: its own, the group's, or the fallback. */
export function paramsOf(
  pattern: string,
  inherited: ParamCodecsOf,
  own: ParamCodecsOf = {},
  fallback: TextCodec,
): ParamCodecsOf {
  const names = slotsOf(pattern)[1].map((slot) => slot.name)
  for (const name in own) if (!names.includes(name)) throw paramWithoutPlace(pattern, name)
  return Object.fromEntries(names.map((name) => [name, own[name] ?? inherited[name] ?? fallback]))
}
