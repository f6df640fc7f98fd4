/* Work that many callers ask for at once, done once for all who asked before it began. A caller
 * that comes while it runs gets the next run, so no answer is older than its question. */

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
