/* One deadline and one signal for the whole of a call: waiting for its turn, every
 * round trip, every retry and the pause between. A call that made several round trips
 * with a deadline each could take several times as long as its caller allowed. */

import { optionsRefusal } from "../../driver/call-options.ts"
import type { Driver } from "../../driver/driver.ts"
import { abortedInQueue, outOfTime } from "../../errors/driver.ts"
import { NotApplied } from "../../errors/outcome.ts"
import type { CallNotes } from "./notes.ts"
import { clearAlarm, now, setAlarm } from "./alarms.ts"

/** Round trips that begin this soon use the connection's own deadline, which many calls share. */
const EARLY_MS = 10

export class Deadline {
  /** How long the whole call may take. */
  readonly ms: number
  readonly signal: AbortSignal | undefined
  /** When the time is up, and until when the connection's own deadline is sufficient. */
  #end: number
  #early: number

  constructor(driver: Pick<Driver, "timeoutMs">, notes: CallNotes | undefined) {
    const refusal = notes ? optionsRefusal(notes) : undefined
    if (refusal !== undefined) throw refusal
    const begun = now()
    const chosen = notes?.timeoutMs
    this.signal = notes?.signal
    this.ms = chosen ?? driver.timeoutMs
    this.#end = begun + this.ms
    this.#early = chosen === undefined ? begun + EARLY_MS : -Infinity
  }

  get leftMs(): number {
    return this.#end - now()
  }

  /** Whether there is no time for another round trip. */
  get isOver(): boolean {
    return this.leftMs <= 0 || this.signal?.aborted === true
  }

  /** The time left for the next round trip; undefined: the connection's default. */
  get timeoutMs(): number | undefined {
    const time = now()
    return time < this.#early ? undefined : Math.max(1, this.#end - time)
  }

  /** What the next round trip is given. */
  notes(): CallNotes | undefined {
    const { signal, timeoutMs } = this
    if (timeoutMs === undefined) return signal && { signal }
    return signal ? { signal, timeoutMs } : { timeoutMs }
  }

  /** Throws when there is no time left. `what` had not been sent: that is certain. */
  check(what: string): void {
    if (this.isOver) throw this.over(what)
  }

  /** The result of `waiting`, unless the time is up first: then `what` was not sent. */
  before<T>(waiting: Promise<T>, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const { signal } = this
      const giveUp = () => {
        end()
        reject(this.over(what))
      }
      const alarm = setAlarm(this.#end, giveUp)
      const end = () => {
        clearAlarm(alarm)
        signal?.removeEventListener("abort", giveUp)
      }
      signal?.addEventListener("abort", giveUp, { once: true })
      if (this.isOver) giveUp()
      // When the time was up first, nobody waits for it any more, so how it ends does not matter.
      waiting.then(
        (value) => {
          end()
          resolve(value)
        },
        (error: unknown) => {
          end()
          reject(error)
        },
      )
    })
  }

  /** The result of `work`; its time is not counted. */
  async excluding<T>(work: () => Promise<T>): Promise<T> {
    const before = now()
    try {
      return await work()
    } finally {
      const took = now() - before
      this.#end += took
      this.#early += took
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

  /** The error for a deadline that has passed or a signal that was aborted. */
  over(what: string): Error {
    return this.signal?.aborted === true ? abortedInQueue(what, this.signal.reason) : outOfTime(what, this.ms)
  }
}

/** The same notes, for calls that read in several round trips: each is given what the ones before have left. */
export function bounded<N extends CallNotes>(driver: Pick<Driver, "timeoutMs">, notes?: N): N {
  const deadline = new Deadline(driver, notes)
  return {
    ...(notes as N),
    get timeoutMs() {
      return deadline.timeoutMs
    },
  }
}

/** The time was up before it was sent. */
export const isLate = (error: unknown): boolean => error instanceof NotApplied && error.code === "DRIVER.TIMEOUT"
