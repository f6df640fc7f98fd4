import type { OnFailure } from "./check.ts"

/** A set of exactly these members. */
export interface SetIs {
  readonly check: "set"
  readonly key: string
  readonly members: readonly string[]
  readonly onFailure: OnFailure
}
