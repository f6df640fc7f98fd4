import type { OnFailure } from "./check.ts"

/**
 * An instant (Unix milliseconds) in the future, by at most `ms`, by the clock of the server. Found: "past" or "late".
 */
export interface Ahead {
  readonly check: "ahead"
  readonly key: string
  readonly at: number
  readonly ms: number
  readonly onFailure: OnFailure
}
