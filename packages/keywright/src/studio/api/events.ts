/* What happens by itself. */

import type { TopFrame } from "../../inspect/stats/top.ts"
import type { AuditState } from "./audit.ts"
import type { LogEntry } from "./edit.ts"
import type { Pulse, ScanState } from "./overview.ts"
import type { Failure } from "./session.ts"

export type { TopFrame }

/**
 * `new EventSource("/api/events?live=shop,messaging")`. Without `live`, nothing is watched with MONITOR; to change it,
 * open another stream and close this one. Each event's data is one of these as JSON. A slow page misses events and
 * learns how many from `missed`; each event is a complete state, so the next one makes up for it.
 */
export interface Events {
  readonly scan: ScanState
  /** While a scan is running: counts so far (first scan), or of the whole scan that has just ended. */
  readonly counts: KeyCounts
  readonly pulse: Pulse
  readonly audit: AuditState
  readonly live: LiveFrame
  readonly commands: LiveCommands
  readonly log: LogEntry
  readonly missed: { readonly count: number }
  /** The studio ends: do not reconnect. */
  readonly bye: {}
}

export interface KeyCounts {
  readonly system: string
  /** False while they are still being counted for the first time. */
  readonly whole: boolean
  readonly patterns: readonly {
    readonly db: number
    readonly name: string
    readonly pattern: string
    readonly keys: number
    readonly bytes: number
  }[]
}

/** Commands per second by pattern. `rows[].name` links a row to its pattern. */
export interface LiveFrame extends Omit<TopFrame, "rows"> {
  readonly system: string
  readonly rows: readonly (TopFrame["rows"][number] & { readonly name?: string })[]
  /** Why there are none, if something is in the way. */
  readonly error?: Failure["error"]
}

/** Some of the commands that passed by: never keys' secrets, never values. */
export interface LiveCommands {
  readonly system: string
  readonly commands: readonly LiveCommand[]
  /** How many more were seen and left out. */
  readonly more: number
}

export interface LiveCommand {
  readonly at: string
  readonly db: number
  /** `"hset"` */
  readonly command: string
  /** Redacted; undefined for commands without a key. */
  readonly key?: string
  readonly name?: string
  readonly pattern?: string
  /** Called by a script. */
  readonly script: boolean
}
