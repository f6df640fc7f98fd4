import type { OnFailure } from "./check.ts"

/** Nothing, or a key of this Redis type. */
export interface HasType {
  readonly check: "type"
  readonly key: string
  readonly type: string
  readonly onFailure: OnFailure
}
