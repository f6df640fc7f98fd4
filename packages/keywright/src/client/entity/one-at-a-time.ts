/* Changes of one record made by one process go one after another: they would only
 * make each other try again. Between processes the script's comparison decides. */

export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const mine = before === undefined ? work() : before.then(work, work)
    this.#last.set(key, mine)
    const done = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
    mine.then(done, done)
    return mine
  }
}
