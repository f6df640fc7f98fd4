/* Changes of one record made by one process go one after another: they would only
 * make each other try again. Between processes the script's comparison decides. */

export class OneAtATime {
  /** By key that is busy: those who wait for it. */
  readonly #waiting = new Map<string, (() => void)[] | undefined>()

  /** Resolves when it is one's turn; at once, and without a promise, when nobody is before. */
  enter(key: string): Promise<void> | undefined {
    if (!this.#waiting.has(key)) {
      this.#waiting.set(key, undefined)
      return undefined
    }
    return new Promise((turn) => {
      const others = this.#waiting.get(key)
      if (others) others.push(turn)
      else this.#waiting.set(key, [turn])
    })
  }

  /** Lets the next one in. */
  leave(key: string): void {
    const next = this.#waiting.get(key)?.shift()
    if (next) next()
    else this.#waiting.delete(key)
  }
}
