import type { Wire } from "../../../driver/driver.ts"
import type { OnFailure } from "./check.ts"

/** Nothing, or a number that can be added to: the whole string, or a field of a hash. */
export interface IsNumber {
  readonly check: "number"
  readonly key: string
  /** Undefined: the whole string. */
  readonly field: Wire | undefined
  readonly isWhole: boolean
  readonly onFailure: OnFailure
}
