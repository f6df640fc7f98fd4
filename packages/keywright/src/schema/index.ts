/* `keywright/schema`: everything that declares, and nothing that connects. It needs nothing of Node, so a schema bundles
 * for the browser: bundlers that ask for the condition "browser" get it for `keywright` too. */

export { KeywrightError, SchemaError } from "../errors/error.ts"
export { bytes, compressed, type CompressedOptions } from "./codec/bytes.ts"
export type { Codec, NumericCodec, OptionalCodec, ReadOf, WriteOf } from "./codec/codec.ts"
export { compactDay, day, isoInstant, month, unixMillis, unixSeconds, type Day, type Month } from "./codec/date.ts"
export { csv, delimited, many } from "./codec/delimited.ts"
export { flag, looseFlag } from "./codec/flag.ts"
export { id, tagged, type Id, type IdCodec, type IdOptions } from "./codec/id.ts"
export { jackson, type JacksonOptions } from "./codec/jackson.ts"
export { json } from "./codec/json.ts"
export { keyOf, type KeyRef } from "./codec/key-of.ts"
export { messagePack } from "./codec/message-pack.ts"
export { bigint, decimal, float, int } from "./codec/number.ts"
export { oneOf } from "./codec/one-of.ts"
export { php } from "./codec/php.ts"
export { packedInts } from "./codec/packed.ts"
export { text } from "./codec/text.ts"
export { optional, secret, trimmed } from "./codec/wrap.ts"
export { quoted } from "./codec/quoted.ts"
export { anyOf } from "./codec/any-of.ts"
export type { BoundableCodec, Bounds } from "./codec/bounds.ts"
export {
  bitmap,
  counter,
  geo,
  hash,
  hyperloglog,
  list,
  map,
  set,
  stream,
  string,
  zset,
  type Def,
  type Kind,
  type Notes,
} from "./define.ts"
export { entity, replicated, type Entity, type FieldsOf, type Stamp } from "./entity.ts"
export { database, family, scope, type Family, type Group } from "./group.ts"
export { compare } from "./compare.ts"
export { excludes } from "./excludes.ts"
export { inverse, refersTo, sameIds, type Invariant } from "./invariant.ts"
export { at, type At } from "./place.ts"
export type { Key } from "./key.ts"
export { codecFrom } from "./json/codec-from-spec.ts"
export { describeCodec } from "./json/describe.ts"
export { fingerprint } from "./json/fingerprint.ts"
export type { KeyspaceForm } from "./json/form.ts"
export { fromJson } from "./json/from-json.ts"
export { toJson } from "./json/to-json.ts"
export { keyFormat, type KeyFormat } from "./key-format.ts"
export { keyspace, type Keyspace } from "./keyspace.ts"
export { layout } from "./layout.ts"
export { parsePattern, type KeyText, type ParamNames } from "./pattern.ts"
export { either, fixed, sliding, type Ttl, type TtlBound, type TtlChoice, upTo } from "./ttl.ts"
export { classifier, type Classifier } from "./classify/classify.ts"
export {
  arrayOf,
  maybe,
  pairsOf,
  step,
  tupleOf,
  type ArrayOf,
  type Maybe,
  type PairsOf,
  type Step,
  type TupleOf,
} from "./step.ts"
export { fence, fencedStep, type FencedArguments } from "./fence.ts"
export { toolkitKeys } from "./toolkit-keys.ts"
export { withTag } from "./with-tag.ts"
export { checksum } from "./shard.ts"
export { sharded, type Sharded, type ShardedNotes } from "./sharded.ts"
export { drain, type Drain } from "./drain.ts"
export { clusterAtomicity, type Atomicity } from "./cluster-atomicity.ts"
export type { Relation, RelationRow, Relations } from "./relation.ts"
