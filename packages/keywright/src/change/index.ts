/* Changing a server's data with care: by a plan, or from a file. */

export { backup, type BackupResult } from "./backup.ts"
export { applyRepair, type CarryOutOptions, type ChangeReport, doneOf, undoRepair } from "./carry-out.ts"
export { exportKeys, type ExportOptions, type ExportResult, type ExportSource } from "./copy/export-keys.ts"
export { importKeys, type ImportOptions, type ImportResult } from "./copy/import-keys.ts"
export type { Closing, KeyLine, Manifest } from "./copy/lines.ts"
export { type Deletion, deletions } from "./deletions.ts"
export type { Action, ChangePlan, Expectation } from "./plan.ts"
export type { CheckPlanOptions } from "./check-plan.ts"
export { journalOf, loadPlan, savePlan, undoJournalOf } from "./plan-file.ts"
export { planPurge, type PurgeCandidate, type PurgeOptions } from "./plan-purge.ts"
export { planRepair, type PlanRepairOptions } from "./plan-repair.ts"
export { showCommand } from "./show-words.ts"
