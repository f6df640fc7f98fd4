/* Changing a server's data with care: by a plan, or from a file. */

export { backup, type BackupResult } from "./backup.ts"
export {
  applyRepair,
  type CarryOutOptions,
  type ChangeReport,
  doneOf,
  settleRepair,
  undoRepair,
} from "./carry-out/carry-out.ts"
export { exportKeys, type ExportOptions, type ExportResult, type ExportSource } from "./copy/export-keys.ts"
export { importKeys, type ImportOptions, type ImportResult } from "./copy/import-keys.ts"
export type { Closing, KeyLine, Manifest } from "./copy/lines.ts"
export { copyKeys, type CopyOptions, type CopyProgress, type CopyResult, type CopyRound } from "./transfer/copy-keys.ts"
export { type Deletion, deletions } from "./make-plan/deletions.ts"
export type { Action, ChangePlan, Expectation } from "./plan/plan.ts"
export type { CheckPlanOptions } from "./check-plan/check-plan.ts"
export { journalOf, loadPlan, savePlan, undoJournalOf } from "./make-plan/plan-file.ts"
export { planPurge, type PurgeCandidate, type PurgeOptions } from "./make-plan/plan-purge.ts"
export { planRepair, type PlanRepairOptions } from "./make-plan/plan-repair.ts"
export { showCommand } from "./plan/show-words.ts"
