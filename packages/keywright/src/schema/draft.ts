/* From one entry to its keys. Each kind of entry brings the function that does it
 * (`"~keys"`): prefixes are joined there, codecs of parameters and notes inherited. */

import { paramWithoutPlace } from "../errors/define.ts"
import type { TextCodec } from "./codec/codec.ts"
import { text } from "./codec/text.ts"
import type { Def, Notes } from "./define.ts"
import type { Key } from "./key.ts"
import { paramNames, type ParamCodecsOf } from "./locate.ts"
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

type Hiding = (shape: Draft["shape"], secret: Notes["secret"], params: ParamCodecsOf) => Draft["shape"]

/**
 * How the codecs of secret values come to hide them: see hidden-secrets.ts. What reads values brings it, so that a program
 * that only declares keys does not contain it.
 */
export const hiding: { by?: Hiding } = {}

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
    shape: hiding.by?.(shape as Draft["shape"], notes.secret, codecs) ?? (shape as Draft["shape"]),
    params: codecs,
    ttl: ttl && ttlRule(ttl),
  }
}

/** Every parameter of the pattern with its codec: its own, the group's, or the fallback. */
export function paramsOf(
  pattern: string,
  inherited: ParamCodecsOf,
  own: ParamCodecsOf = {},
  fallback: TextCodec,
): ParamCodecsOf {
  const names = paramNames(pattern)
  for (const name in own) if (!names.includes(name)) throw paramWithoutPlace(pattern, name)
  return Object.fromEntries(names.map((name) => [name, own[name] ?? inherited[name] ?? fallback]))
}
