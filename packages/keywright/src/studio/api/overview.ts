/* How a server is, and how many keys of what it has. */

import type { CheckFinding } from "../../inspect/check/check-finding.ts"
import type { DoctorResult } from "../../inspect/doctor/doctor.ts"
import type { SizeSpread, TtlSpread } from "../../inspect/stats/tally.ts"
import type { KeyLink } from "./keys.ts"
import type { Failure } from "./session.ts"

export type { CheckFinding, DoctorResult, SizeSpread, TtlSpread }

export interface OverviewCalls {
  "GET /api/systems/:system/overview": { readonly answer: Overview }
  /** Scan again now, instead of when it is time. */
  "POST /api/systems/:system/scan": { readonly body: {}; readonly answer: ScanState }
  "GET /api/systems/:system/doctor": { readonly answer: DoctorResult }
}

export interface Overview {
  readonly system: string
  readonly scan: ScanState
  /** The server as it is now. */
  readonly pulse: Pulse
  readonly databases: readonly DatabaseOverview[]
  /** Growth while the studio runs: at most some hundreds of points, the oldest first. */
  readonly history: readonly HistoryPoint[]
}

export interface ScanState {
  readonly system: string
  /** Grows with every change: of two states, the one with the lower number is out of date. */
  readonly revision: number
  /** Where the running scan is; counts of `Overview` are of the last whole one, or of this one while it is the first. */
  readonly state: "waiting" | "running" | "done" | "failed"
  /** How many whole scans there were. */
  readonly round: number
  readonly keys: number
  /** How many there are, as DBSIZE says. */
  readonly of: number
  readonly perSecond: number
  readonly secondsLeft: number | undefined
  /** When the last whole scan ended. */
  readonly doneAt: string | undefined
  readonly error?: Failure["error"]
}

/** Cheap facts, every two seconds or so. */
export interface Pulse {
  readonly system: string
  readonly at: string
  readonly up: boolean
  readonly version: string
  readonly flavour: string
  readonly uptimeSeconds: number
  readonly usedMemory: number
  readonly maxMemory: number
  readonly opsPerSecond: number
  readonly clients: number
  /** This system's databases. */
  readonly databases: readonly { readonly db: number; readonly keys: number; readonly expires: number }[]
}

export interface DatabaseOverview extends Counted {
  readonly db: number
  readonly name?: string
  readonly doc?: string
  /** Every declared pattern, those without keys too, in the schema's order. */
  readonly patterns: readonly PatternOverview[]
  /** The toolkit's own, where there are some. */
  readonly toolkit: readonly PatternOverview[]
  /** Keys that no pattern owns, by what their pattern may be; most keys first, at most 200. */
  readonly unknown: readonly PatternOverview[]
  /** How many kinds of unknown keys there are in all. */
  readonly unknownKinds: number
}

export interface PatternOverview extends Counted {
  /** What `pattern=` takes: the name in the schema, `"<db>/<name>"` of the toolkit's own, `"?<db>/<pattern>"` of unknown ones. */
  readonly name: string
  readonly pattern: string
  readonly known: "schema" | "toolkit" | "unknown"
  readonly ttlRule: string
}

export interface Counted {
  readonly keys: number
  readonly bytes: number
  readonly types: Readonly<Record<string, number>>
  readonly ttl: TtlSpread
  readonly ttlHealth: TtlHealth
  readonly sizes: SizeSpread
  readonly biggest: readonly (KeyLink & { readonly type: string; readonly bytes: number })[]
}

/** Keys by whether their TTL is as declared. */
export interface TtlHealth {
  readonly right: number
  /** Should expire, and never will. */
  readonly missing: number
  /** Will expire, and should not. */
  readonly unexpected: number
  readonly tooLong: number
  /** Undecided: no pattern, or no TTL declared. */
  readonly undecided: number
}

export interface HistoryPoint {
  readonly at: string
  readonly usedMemory: number
  readonly keys: number
}
