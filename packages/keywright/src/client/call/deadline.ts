/* One deadline and one signal for the whole of a call: waiting for its turn, every
 * round trip, every retry and the pause between. A call that made several round trips
 * with a deadline each could take several times as long as its caller allowed. */

import type { Driver } from "../../driver/driver.ts"
import { abortedInQueue, outOfTime } from "../../errors/driver.ts"
import type { CallNotes } from "../kinds/handle.ts"

/** Round trips that begin this soon use the connection's own deadline: that costs no timer of their own. */
const EARLY_MS = 10

export class Deadline {
  /** How long the whole call may take. */
  readonly ms: number
  readonly signal: AbortSignal | undefined
  #begun = performance.now()
  readonly #isDefault: boolean

  constructor(driver: Pick<Driver, "timeoutMs">, notes: CallNotes | undefined) {
    this.ms = notes?.timeoutMs ?? driver.timeoutMs
    this.signal = notes?.signal
    this.#isDefault = notes?.timeoutMs === undefined
  }

  get leftMs(): number {
    return this.ms - (performance.now() - this.#begun)
  }

  /** Whether there is time for another round trip. */
  get isOver(): boolean {
    return this.leftMs <= 0 || this.signal?.aborted === true
  }

  /** What the next round trip is given. */
  notes(): CallNotes | undefined {
    const { leftMs, signal } = this
    if (this.#isDefault && this.ms - leftMs < EARLY_MS) return signal && { signal }
    const timeoutMs = Math.max(1, leftMs)
    return signal ? { signal, timeoutMs } : { timeoutMs }
  }

  /** Throws when there is no time left. `what` had not been sent: that is certain. */
  check(what: string): void {
    if (this.signal?.aborted === true) throw abortedInQueue(what, this.signal.reason)
    if (this.leftMs <= 0) throw outOfTime(what, this.ms)
  }

  /** What `waiting` gives, unless the time is over first: then `what` was not sent. */
  async before<T>(waiting: Promise<T>, what: string): Promise<T> {
    // Nobody waits for it any more when the time is over: that it fails then is no news.
    waiting.catch(() => undefined)
    this.check(what)
    let giveUp: (() => void) | undefined
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<never>((_, reject) => {
      giveUp = () => {
        const aborted = this.signal?.aborted === true
        reject(aborted ? abortedInQueue(what, this.signal?.reason) : outOfTime(what, this.ms))
      }
      if (this.ms !== Infinity) timer = setTimeout(giveUp, Math.min(this.leftMs, LONGEST_MS))
      this.signal?.addEventListener("abort", giveUp, { once: true })
    })
    try {
      return await Promise.race([waiting, over])
    } finally {
      clearTimeout(timer)
      if (giveUp) this.signal?.removeEventListener("abort", giveUp)
    }
  }

  /** What `work` gives; its time is not counted. */
  async excluding<T>(work: () => Promise<T>): Promise<T> {
    const before = performance.now()
    try {
      return await work()
    } finally {
      this.#begun += performance.now() - before
    }
  }

  /** Waits a while; not beyond the deadline. */
  async pause(ms: number, what: string): Promise<void> {
    const wait = Math.min(ms, Math.max(0, this.leftMs))
    let timer: NodeJS.Timeout | undefined
    try {
      await this.before(new Promise<void>((resolve) => (timer = setTimeout(resolve, wait))), what)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The longest that a timer can be set to. */
const LONGEST_MS = 2_147_483_647

/** The same notes, for calls that read in several round trips: each is given what the ones before have left. */
export function bounded<N extends CallNotes>(driver: Pick<Driver, "timeoutMs">, notes?: N): N {
  const end = performance.now() + (notes?.timeoutMs ?? driver.timeoutMs)
  return {
    ...(notes as N),
    get timeoutMs() {
      return Math.max(1, end - performance.now())
    },
  }
}
