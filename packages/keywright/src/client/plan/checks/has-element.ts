import type { Wire } from "../../../driver/driver.ts"
import type { OnFailure } from "./check.ts"

/** A list that has an element at this position. */
export interface HasElement {
  readonly check: "element"
  readonly key: string
  readonly position: Wire
  readonly onFailure: OnFailure
}
