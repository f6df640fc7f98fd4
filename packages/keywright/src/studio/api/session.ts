/* Who asks, and which systems there are. */

import type { ErrorReport } from "../../errors/error-report.ts"

export interface SessionCalls {
  /** The token of the printed link for the session; works once. */
  "POST /api/enter": { readonly body: { readonly token: string }; readonly answer: { readonly session: string } }
  "GET /api/session": { readonly answer: Session }
}

export interface Session {
  readonly version: string
  /** Edits and repairs are allowed (--write). */
  readonly write: boolean
  /** Secrets can be shown on request (not --no-reveal). */
  readonly reveal: boolean
  readonly systems: readonly SystemInfo[]
}

export interface SystemInfo {
  /** Unique; the value of `:system`. */
  readonly name: string
  readonly title: string
  readonly doc: string | undefined
  /** For people, without credentials: `"redis://127.0.0.1:6379/0 (own connection)"`. */
  readonly server: string
  /** Where the system itself is reached, if it is an application that runs alongside the studio. */
  readonly url?: string
  /** What its schema can be compared with: `"HEAD:schema.ts"`. */
  readonly against?: string
  readonly fingerprint: string
  /** Its schema was inferred from its keys when the studio was started: how many of them it explains. */
  readonly inferred?: { readonly keys: number; readonly explained: number }
  readonly databases: readonly { readonly db: number; readonly name?: string; readonly doc?: string }[]
  /** Numbers of declared patterns and entities. */
  readonly patterns: number
  readonly entities: number
  /** Whether commands can be watched (MONITOR is possible). */
  readonly live: boolean
}

/**
 * 400 not understood · 401 no session (`STUDIO.NO_SESSION`: open the printed link again) · 403 refused
 * (`STUDIO.READ_ONLY` without --write, `STUDIO.REVEAL_OFF`, `STUDIO.ORIGIN`, …) · 404 no such system, pattern or key ·
 * 409 changed meanwhile, or already under way · 422 the schema refuses it (`issues` by field) · 502 the server cannot
 * be reached.
 */
export interface Failure {
  readonly error: ErrorReport & {
    /** What is wrong with an edit, by field (`"value"` for a plain one, `"params.id"` for a parameter). */
    readonly issues?: readonly Issue[]
  }
}

export interface Issue {
  readonly field: string
  readonly message: string
}
