/* One timer for all calls of a connection. It is set to the earliest deadline and
 * sweeps the calls when it fires; a call that was answered in time costs nothing
 * but the comparison in `add`. */

/** Deadlines closer together than this are swept together. */
const GRAIN_MS = 5
const LONGEST_MS = 2_147_483_647

export class Deadlines {
  readonly #sweep: (now: number) => number
  #timer: NodeJS.Timeout | undefined
  #next = Infinity

  /** `sweep` settles what is due and returns the earliest deadline that is left, or Infinity. */
  constructor(sweep: (now: number) => number) {
    this.#sweep = sweep
  }

  add(deadline: number): void {
    if (deadline < this.#next) this.#set(deadline)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#next = Infinity
  }

  #set(deadline: number): void {
    clearTimeout(this.#timer)
    this.#next = deadline
    const wait = Math.max(GRAIN_MS, Math.ceil(deadline - performance.now()))
    this.#timer = setTimeout(() => this.#fire(), Math.min(wait, LONGEST_MS))
  }

  #fire(): void {
    this.#timer = undefined
    this.#next = Infinity
    const next = this.#sweep(performance.now())
    if (next < this.#next) this.#set(next)
  }
}
