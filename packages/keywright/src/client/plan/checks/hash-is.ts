import type { Wire } from "../../../driver/driver.ts"
import type { OnFailure } from "./check.ts"

/** A hash of exactly these fields and values, in any order. */
export interface HashIs {
  readonly check: "hash"
  readonly key: string
  /** Field, value, field, value … */
  readonly pairs: readonly Wire[]
  readonly onFailure: OnFailure
}
