export { KeywrightError, SchemaError } from "./errors/error.ts"
export { Conflict, NotApplied, OutcomeUnknown, Refused, Undecodable, WrongType } from "./errors/outcome.ts"
export { bytes, compressed } from "./schema/codec/bytes.ts"
export type { Codec, NumericCodec, OptionalCodec, ReadOf, WriteOf } from "./schema/codec/codec.ts"
export {
  compactDay,
  day,
  isoInstant,
  month,
  unixMillis,
  unixSeconds,
  type Day,
  type Month,
} from "./schema/codec/date.ts"
export { csv, delimited, many } from "./schema/codec/delimited.ts"
export { flag, looseFlag } from "./schema/codec/flag.ts"
export { id, tagged, type Id, type IdCodec, type IdOptions } from "./schema/codec/id.ts"
export { jackson, type JacksonOptions } from "./schema/codec/jackson.ts"
export { json } from "./schema/codec/json.ts"
export { keyOf, type KeyRef } from "./schema/codec/key-of.ts"
export { bigint, decimal, float, int } from "./schema/codec/number.ts"
export { oneOf } from "./schema/codec/one-of.ts"
export { packedInts } from "./schema/codec/packed.ts"
export { text } from "./schema/codec/text.ts"
export { optional, secret, trimmed } from "./schema/codec/wrap.ts"
export { quoted } from "./schema/codec/quoted.ts"
export { anyOf } from "./schema/codec/any-of.ts"
export type { BoundableCodec, Bounds } from "./schema/codec/bounds.ts"
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
} from "./schema/define.ts"
export { entity, replicated, type Entity, type FieldsOf, type Stamp } from "./schema/entity.ts"
export { database, family, scope, type Family, type Group } from "./schema/group.ts"
export { compare } from "./schema/compare.ts"
export { excludes } from "./schema/excludes.ts"
export { inverse, refersTo, sameIds, type Invariant } from "./schema/invariant.ts"
export { at, type At } from "./schema/place.ts"
export type { Key } from "./schema/key.ts"
export { codecFrom } from "./schema/json/codec-from-spec.ts"
export { describeCodec } from "./schema/json/describe.ts"
export { fingerprint } from "./schema/json/fingerprint.ts"
export type { KeyspaceForm } from "./schema/json/form.ts"
export { fromJson } from "./schema/json/from-json.ts"
export { toJson } from "./schema/json/to-json.ts"
export { keyFormat, type KeyFormat } from "./schema/key-format.ts"
export { keyspace, type Keyspace } from "./schema/keyspace.ts"
export { layout } from "./schema/layout.ts"
export { parsePattern, type KeyText, type ParamNames } from "./schema/pattern.ts"
export { either, fixed, sliding, type Ttl, upTo } from "./schema/ttl.ts"
export { classifier, type Classifier } from "./schema/classify.ts"
export { connect, type ConnectOptions } from "./client/connect.ts"
export type { Client, ClientOf, Connected, Found, KeyEntry, Params } from "./client/client.ts"
export type { CallNotes, ManyNotes, OnceNotes, WriteNotes } from "./client/kinds/handle.ts"
export { exclusive, type Exclusive, type ExclusiveOptions } from "./client/jobs/exclusive.ts"
export { job, type Job, type JobOptions, type JobStatus, type Pass } from "./client/jobs/job.ts"
export type { JobLease } from "./client/jobs/job-lease.ts"
export { prometheus, type Metrics } from "./client/observe/metrics.ts"
export type { CacheEvent, JobEvent, Operation } from "./client/observe/observe.ts"
export type { Sent, SentCommand, SentKey } from "./client/call/sent.ts"
export { describeTarget, type Target } from "./client/target.ts"
export { isUnavailable } from "./client/call/unavailable.ts"
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
} from "./schema/step.ts"
export { toolkitKeys } from "./schema/toolkit-keys.ts"
export type { CacheOptions } from "./client/cache/cache.ts"
export type { FamilyContent, FamilyMethods, FamilyValues } from "./client/kinds/family.ts"
export type { EntityClient, NewRecord, Patch } from "./client/entity-client.ts"
export { versionOf } from "./client/entity/known.ts"
export type { ListOptions, RangeOptions } from "./client/entity/reads.ts"
export type { RelationMap, With, WithRelations } from "./client/entity/relation-types.ts"
export type { WriteNotes as RecordNotes } from "./client/entity/writes.ts"
export type { SweeperOptions, Swept } from "./client/decisions.ts"
export type { Explanation } from "./client/plan/explain.ts"
export type { TransactionOptions } from "./client/transaction/transaction.ts"
export { RecordChanged } from "./errors/record.ts"
export { clusterAtomicity, type Atomicity } from "./schema/cluster-atomicity.ts"
export type { Relation, RelationRow, Relations } from "./schema/relation.ts"
