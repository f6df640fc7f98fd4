import type { Reply } from "../../../driver/driver.ts"
import type { KeywrightError } from "../../../errors/error.ts"

/** The owner of the sets: it creates the error for a key of another type. */
export interface SetOwner {
  wrongType(key: string, type: "set", found: Reply): KeywrightError
}

/** SADD and SREM: the sets that a member enters, and those that it leaves. */
export interface MoveMember {
  readonly write: "move"
  readonly member: string
  readonly owner: SetOwner
  readonly enters: string[]
  readonly leaves: string[]
}
