import type { Wire } from "../../../driver/driver.ts"
import type { OnFailure } from "./check.ts"

/** The string at `key` is exactly `value`. */
export interface StringIs {
  readonly check: "string"
  readonly key: string
  readonly value: Wire
  readonly onFailure: OnFailure
}
