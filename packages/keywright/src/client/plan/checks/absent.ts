import type { OnFailure } from "./check.ts"

/** There is no such key. */
export interface Absent {
  readonly check: "absent"
  readonly key: string
  readonly onFailure: OnFailure
}
