import type { Reply, Wire } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"

/** Says what a failed check means: `found` is what stood there. */
export type OnFailure = (found: Reply) => KeywrightError

/** Strings that are compared: what they are, and what it means when they are not. */
export class Texts {
  readonly keys: string[] = []
  readonly values: Wire[] = []
  readonly failures: OnFailure[] = []

  push(key: string, value: Wire, onFailure: OnFailure): void {
    this.keys.push(key)
    this.values.push(value)
    this.failures.push(onFailure)
  }

  /** Hands over the last one, if it is that of this key. */
  moveLast(key: string, to: Texts): boolean {
    if (this.keys.at(-1) !== key) return false
    to.push(this.keys.pop()!, this.values.pop()!, this.failures.pop()!)
    return true
  }
}
