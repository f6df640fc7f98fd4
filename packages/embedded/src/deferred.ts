/** A promise that is settled from outside. */
export class Deferred<T> {
  readonly promise: Promise<T>
  resolve!: (value: T) => void
  reject!: (reason: Error) => void

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // Code that awaits it learns of the failure; if nobody does, it must not end the process.
    this.promise.catch(() => {})
  }
}
