/* A short text that two keyspaces share when they keep the same data in the same
 * places. Export files, plans and caches carry it.
 *
 * It changes with whatever changes what is stored or what may be: patterns,
 * databases, kinds, codecs, columns, caps, ttls, families, entities' indexes and
 * stamps, invariants, and the names by which plans and files speak of keys. It
 * does not change with words for people (doc, deprecated, when, writes, reads,
 * descriptions in JSON Schemas), with redaction, evictability, durability,
 * relations, the validation library, or the order of names and entries. */

import type { AnyCodec } from "../codec/codec.ts"
import type { CodecSpec } from "../codec/codec-spec.ts"
import { isCodec } from "../codecs-in.ts"
import type { Entity } from "../entity.ts"
import { entitiesIn } from "../entity-at.ts"
import type { Key } from "../key.ts"
import type { Keyspace } from "../keyspace.ts"
import { hash64 } from "./hash64.ts"
import { storedSchema } from "./stored-schema.ts"

/**
 * Sixteen hexadecimal digits that change when the keyspace does: to see whether two programs have the same one. Not
 * cryptographic.
 * @example
 * console.log(`schema ${fingerprint(shop)}`)
 */
export const fingerprint = (keyspace: Keyspace): string =>
  hash64(
    canonical({
      keys: Object.fromEntries(keyspace.keys.map((key) => [key.name, keyPart(key)])),
      entities: Object.fromEntries(entitiesIn(keyspace.entries).map(([path, entity]) => [path, entityPart(entity)])),
      invariants: keyspace.invariants.map((rule) => canonical({ ...rule, doc: undefined, "~check": undefined })).sort(),
    }),
  )

const keyPart = ({ db, pattern, kind, params, shape, keep, ttl, family, marker, sharded }: Key) => ({
  db,
  pattern,
  kind,
  keep,
  ttl,
  family,
  marker,
  // What a single parameter decides is in the codec of {shard}.
  sources: params["shard"]?.shard && sharded?.checksumOf && params["shard"].shard.sources,
  params: codecParts(params),
  shape: codecParts(shape as CodecTree),
})

type CodecTree = Readonly<Record<string, AnyCodec | Readonly<Record<string, AnyCodec>>>>

const codecParts = (tree: CodecTree): object =>
  Object.fromEntries(
    Object.entries(tree).map(([name, part]) => [name, isCodec(part) ? specPart(part.spec) : codecParts(part)]),
  )

/** Columns in their order; without redaction, and without words for people. */
function specPart(spec: CodecSpec): unknown {
  switch (spec.codec) {
    case "secret":
      return specPart(spec.of)
    case "json":
      return {
        codec: "json",
        schema: spec.schema && storedSchema(spec.schema),
        ...(spec.jackson && { jackson: spec.jackson }),
      }
    case "delimited":
      return { ...spec, fields: Object.entries(spec.fields).map(([column, part]) => [column, specPart(part)]) }
    case "many":
      return { ...spec, item: specPart(spec.item) }
    case "anyOf":
      return { ...spec, codecs: spec.codecs.map(specPart) }
    case "tagged":
      return { ...spec, tags: Object.fromEntries(Object.entries(spec.tags).map(([tag, of]) => [tag, specPart(of)])) }
    case "id":
      return { ...spec, of: specPart(spec.of), example: undefined }
    case "compressed":
    case "messagePack":
    case "php":
    case "optional":
      return { ...spec, of: specPart(spec.of) }
    default:
      return spec
  }
}

/** What an entity keeps beyond its keys. */
const entityPart = ({ idField, ids, unique, index, stamps }: Entity) => ({ idField, ids, unique, index, stamps })

/** JSON with sorted names. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
    .sort()
    .join()}}`
}
