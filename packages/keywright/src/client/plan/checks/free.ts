import type { RecordKey } from "../plan.ts"
import type { OnFailure } from "./check.ts"

/** A unique value that nobody else has: it is free, held by `id`, or by a record that is gone. Found: its holder. */
export interface Free {
  readonly check: "free"
  readonly key: string
  readonly id: string
  readonly record: RecordKey
  /** Its holder may stand there in quotes. */
  readonly isQuoted: boolean
  readonly onFailure: OnFailure
}

/** The same without looking at the holder's record, for a cluster: there a script cannot go where its keys do not say. */
export interface Unheld {
  readonly check: "unheld"
  readonly key: string
  readonly id: string
  readonly isQuoted: boolean
  readonly onFailure: OnFailure
}
