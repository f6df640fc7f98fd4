/* A signal for many calls at once. It implements as much of AbortSignal as node-redis
 * uses; a real one compares each new listener with all it has. */

export class Cancel {
  aborted = false
  reason: unknown = undefined
  readonly #listeners = new Set<() => void>()

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener)
  }

  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
