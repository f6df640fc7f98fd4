/* What a run did (REC-10): it is answered and logged, and stored nowhere. */

import type { Day } from "keywright"
import { TABLES, type TableName } from "../../tables.ts"

export type SkippedFor =
  | "unknown_category"
  | "unknown_challenge"
  | "challenge_not_ongoing"
  | "post_not_in_pool"
  | "nothing_to_cancel"

export interface Skipped {
  readonly table: TableName
  readonly id: number
  readonly reason: SkippedFor
}

export interface RunReport {
  readonly date: Day
  readonly day_index: number
  readonly added: Record<TableName, number>
  /** The first ones; an answer has to end somewhere. */
  readonly skipped: Skipped[]
  /** How many more there were. */
  more_skipped?: number
  duration_ms: number
}

const MOST_SKIPPED = 10_000

export function newReport(date: Day, day_index: number) {
  const added = Object.fromEntries(TABLES.map((name) => [name, 0])) as Record<TableName, number>
  const report: RunReport = { date, day_index, added, skipped: [], duration_ms: 0 }
  return {
    report,
    added(table: TableName, count = 1): void {
      added[table] += count
    },
    skipped(table: TableName, id: number, reason: SkippedFor): void {
      if (report.skipped.length < MOST_SKIPPED) report.skipped.push({ table, id, reason })
      else report.more_skipped = (report.more_skipped ?? 0) + 1
    },
  }
}

export type ReportKeeper = ReturnType<typeof newReport>
