/**
 * Declare a keyspace, connect to it, and use it: typed keys and values, entities, transactions, caches, jobs.
 * @module keywright
 */

export * from "./schema/index.ts"
export { Conflict, NotApplied, OutcomeUnknown, Refused, Undecodable, WrongType } from "./errors/outcome.ts"
export { connect, type ConnectOptions } from "./client/connect.ts"
export type { Client, ClientOf, Connected, Found, KeyEntry, Merge, Params } from "./client/client.ts"
export type { CallNotes, ManyNotes, OnceNotes, WriteNotes } from "./client/kinds/handle.ts"
export { exclusive, type Exclusive, type ExclusiveOptions } from "./client/jobs/exclusive.ts"
export { job, type Job, type JobOptions, type JobStatus, type Pass } from "./client/jobs/job.ts"
export type { JobLease } from "./client/jobs/job-lease.ts"
export { prometheus, type Metrics } from "./client/observe/metrics.ts"
export type { CacheEvent, JobEvent, Operation } from "./client/observe/observe.ts"
export type { Sent, SentCommand, SentKey } from "./client/call/sent.ts"
export { describeTarget, type Target } from "./client/target.ts"
export { isUnavailable } from "./client/call/unavailable.ts"
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
