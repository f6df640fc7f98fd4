/* Work that many ask for at once, and that is done once for all who asked before it began:
 * a caller that comes while it is under way gets the next one, so nobody gets an answer that is older
 * than their question. */

export class NextFlight<T> {
  readonly #work: () => Promise<T>
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

  constructor(work: () => Promise<T>) {
    this.#work = work
  }

  get(): Promise<T> {
    if (this.#running === undefined) return this.#begin()
    return (this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    ))
  }

  #begin(): Promise<T> {
    this.#next = undefined
    const running = this.#work().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
