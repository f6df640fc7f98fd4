/* Which turns a transaction holds: see turns.ts. */

import type { Deadline } from "../call/deadline.ts"
import type { Turns } from "../call/turns.ts"

export class TransactionTurns {
  readonly #turns: Turns
  readonly #deadline: Deadline
  #held: Set<string> | undefined
  /** It is waiting for a turn, so it must not wait for another. */
  #isWaiting = false
  #isOver = false

  constructor(turns: Turns, deadline: Deadline) {
    this.#turns = turns
    this.#deadline = deadline
  }

  /** Whether others compete for a key. */
  isContended(key: string): boolean {
    return this.#turns.isContended(key)
  }

  /** Before a key is read: where others compete for it, a transaction that holds nothing yet takes its turn. */
  arrive(key: string): Promise<void> | undefined {
    if (this.#held !== undefined || this.#isWaiting || !this.#turns.isContended(key)) return undefined
    return this.#enter(key)
  }

  /**
   * After it has lost: takes its turn at everything that it writes, in one order, so that no two wait for each other.
   */
  async queue(keys: readonly string[]): Promise<void> {
    this.#leave()
    for (const key of [...new Set(keys)].sort()) await this.#enter(key)
  }

  end(): void {
    this.#isOver = true
    this.#leave()
  }

  #leave(): void {
    for (const key of this.#held ?? []) this.#turns.leave(key)
    this.#held = undefined
  }

  async #enter(key: string): Promise<void> {
    this.#isWaiting = true
    try {
      const isHeld = (await this.#turns.enter(key, this.#deadline, () => "the transaction", true)) ?? true
      // A turn that arrives after the end is passed to the next in the queue.
      if (isHeld && this.#isOver) this.#turns.leave(key)
      else if (isHeld) (this.#held ??= new Set()).add(key)
    } finally {
      this.#isWaiting = false
    }
  }
}
