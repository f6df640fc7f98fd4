import type { Wire } from "../../../driver/driver.ts"

/** A command of Redis on one key. It must not be able to fail once all checks hold. */
export interface CommandWrite {
  readonly write: "command"
  readonly name: string
  readonly key: string
  /** What comes after the key. */
  readonly words: readonly Wire[]
}
