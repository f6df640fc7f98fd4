/* Findings, and the plan that repairs them. */

import type { ChangeReport } from "../../change/carry-out/carry-out.ts"
import type { Deletion } from "../../change/make-plan/deletions.ts"
import type { Action } from "../../change/plan/plan.ts"
import type { Finding } from "../../inspect/audit/finding.ts"
import type { KeyLink } from "./keys.ts"
import type { Failure } from "./session.ts"

export type { ChangeReport, Deletion }

export interface AuditCalls {
  "GET /api/systems/:system/audit": { readonly answer: AuditState }
  "POST /api/systems/:system/audit": { readonly body: {}; readonly answer: AuditState }
  "POST /api/systems/:system/audit/stop": { readonly body: {}; readonly answer: AuditState }
  "GET /api/systems/:system/audit/findings": { readonly query: FindingsQuery; readonly answer: FindingsPage }
  /** Makes a plan of the last audit's findings. Reads only: also without --write. */
  "POST /api/systems/:system/audit/plan": { readonly body: PlanBody; readonly answer: PlanState }
  "GET /api/systems/:system/audit/plan": { readonly query: PlanQuery; readonly answer: PlanPage }
  /** Needs --write. */
  "POST /api/systems/:system/audit/apply": { readonly body: ApplyBody; readonly answer: ApplyAnswer }
}

export interface AuditState {
  readonly system: string
  /** As that of `ScanState`: an answer may arrive after the event of what followed it. */
  readonly revision: number
  readonly state: "never" | "running" | "done" | "stopped" | "failed"
  readonly startedAt: string | undefined
  readonly endedAt: string | undefined
  readonly keys: number
  readonly of: number
  readonly perSecond: number
  readonly secondsLeft: number | undefined
  /** Findings by code, and in all. */
  readonly summary: Readonly<Record<string, number>>
  readonly findings: number
  readonly fixable: number
  /** What the codes mean. */
  readonly codes: Readonly<Record<string, CodeInfo>>
  readonly error?: Failure["error"]
}

export interface CodeInfo {
  readonly title: string
  readonly why?: string
  readonly fix?: string
  /** Whether repair can fix it; "flag": only with the option to delete data that is not derived. */
  readonly fixable: boolean | "flag"
}

export interface FindingsQuery {
  readonly code?: string
  /** A pattern as it appears in the findings. */
  readonly pattern?: string
  readonly offset?: number
  /** Default: 50; at most 500. */
  readonly limit?: number
}

export interface FindingsPage {
  readonly findings: readonly FindingRow[]
  /** How many fit the filter. */
  readonly total: number
  /** Numbers for the filter: by code and pattern, of all findings that are kept. */
  readonly groups: readonly { readonly code: string; readonly pattern: string; readonly count: number }[]
}

export interface FindingRow extends Pick<Finding, "code" | "pattern" | "place" | "expected" | "found" | "fixable"> {
  readonly link: KeyLink
}

export interface PlanBody {
  /** What may be deleted although it is not derived. */
  readonly delete?: readonly Deletion[]
}

export interface PlanState {
  readonly id: string
  readonly actions: number
  /** Findings that are not in it, by code: only a person can know, or `delete` is needed. */
  readonly left: Readonly<Record<string, number>>
  /** For each word that `delete` takes: how many findings it would add. */
  readonly deletable: Readonly<Record<string, number>>
  /** What `ApplyBody.confirm` has to be: `"apply 12 actions to shop"`. */
  readonly confirm: string
}

export interface PlanQuery {
  readonly id: string
  readonly code?: string
  readonly offset?: number
  readonly limit?: number
}

export interface PlanPage extends PlanState {
  readonly total: number
  readonly rows: readonly PlanRow[]
}

export interface PlanRow extends Pick<Action, "code" | "db" | "pattern" | "key" | "place" | "why"> {
  /** As they would be typed; secrets hidden. */
  readonly commands: readonly string[]
}

export interface ApplyBody {
  readonly id: string
  readonly confirm: string
}

export interface ApplyAnswer {
  readonly report: Omit<ChangeReport, "outcomes">
  /** The audit that follows has been started: watch it come out clean. */
  readonly audit: AuditState
}
