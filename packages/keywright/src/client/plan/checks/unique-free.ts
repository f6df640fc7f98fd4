import type { RecordKey } from "../plan.ts"
import type { OnFailure } from "./check.ts"

/** A unique value that no other record has: it is free, held by `id`, or by a record that is gone. Found: its holder. */
export interface UniqueFree {
  readonly check: "unique-free"
  readonly key: string
  readonly id: string
  readonly record: RecordKey
  /** The holder's id may be stored in quotes. */
  readonly isQuoted: boolean
  readonly onFailure: OnFailure
}

/**
 * The same without looking at the holder's record, for a cluster, where a script can only access the keys it was given.
 */
export interface UniqueUnheld {
  readonly check: "unique-unheld"
  readonly key: string
  readonly id: string
  readonly isQuoted: boolean
  readonly onFailure: OnFailure
}
