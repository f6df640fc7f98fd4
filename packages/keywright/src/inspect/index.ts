/* Looking at a server: everything here reads, and nothing writes. */

export { audit, type AuditOptions, type AuditResult, type AuditSource } from "./audit/audit.ts"
export type { AuditRule, RuleContext, RuleFinding } from "./audit/rules.ts"
export { expectClean, type Auditable } from "./audit/expect-clean.ts"
export type { Finding, Fix, KeyPart, ReadCommand, FindingTarget } from "./audit/finding.ts"
export { findingCodes, type FindingCode, type FindingCodeName } from "./audit/finding-codes.ts"
export { infer, type Inference, type InferOptions, type InferSource } from "./infer/infer.ts"
export type { Lack } from "./infer/propose/against.ts"
export type { OwnKeys } from "./infer/mine/own-keys.ts"
export type { InferredKey, Unexplained } from "./infer/propose/report.ts"
export { inspectKey, type InspectedKey, type InspectKeyOptions } from "./model/inspect-key.ts"
export type { UnreadableKeys } from "./model/unreadable.ts"
export {
  stats,
  type DatabaseStats,
  type PatternStats,
  type StatsOptions,
  type StatsResult,
  type StatsSource,
} from "./stats/stats.ts"
export type { RdbSource } from "./snapshot/rdb-source.ts"
export type { BigKey, SizeSpread, Tallied, TtlSpread } from "./stats/tally.ts"
export { likelyPattern, showUnknown, UnknownPatterns } from "./model/unknown-patterns.ts"
export { walk, type Page, type Progress, type WalkOptions } from "./walk/walk.ts"
