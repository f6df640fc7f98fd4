/* Calls made in the same tick with the same time-out share a turn: one abort signal and
 * one deadline, driven by one timer.
 *
 * When the deadline passes, the signal is aborted first, so that the client
 * forgets what it has not written. Those calls settle by themselves as not sent;
 * the rest, one round of the event loop later, have an unknown outcome. */

import { Deadlines } from "../resp/deadlines.ts"
import { Cancel } from "./cancel.ts"

export interface PendingCall {
  readonly settled: boolean
  /** The deadline has passed, and the client has had its chance to say that it was not sent. */
  expire(): void
}

export class CallTurn {
  readonly deadline: number
  readonly timeoutMs: number
  readonly signal = new Cancel()
  #waiting: PendingCall[] = []
  #open = 0

  constructor(deadline: number, timeoutMs: number) {
    this.deadline = deadline
    this.timeoutMs = timeoutMs
  }

  get done(): boolean {
    return this.#open === 0
  }

  join(call: PendingCall): void {
    this.#open++
    this.#waiting.push(call)
  }

  leave(): void {
    if (--this.#open === 0) this.#waiting = []
  }

  /** Ends the turn now. */
  end(reason: unknown): void {
    this.signal.abort(reason)
    setImmediate(() => {
      for (const call of this.#waiting) if (!call.settled) call.expire()
    })
  }
}

export class CallTurns {
  #turns: CallTurn[] = []
  #current: CallTurn | undefined
  readonly #deadlines = new Deadlines((now) => this.#sweep(now))

  /** The turn of this tick, or a separate one for a call that has its own abort signal. */
  take(timeoutMs: number, alone: boolean): CallTurn {
    const current = this.#current
    if (!alone && current !== undefined && current.timeoutMs === timeoutMs) return current
    const turn = new CallTurn(performance.now() + timeoutMs, timeoutMs)
    this.#turns.push(turn)
    this.#deadlines.add(turn.deadline)
    if (alone) return turn
    if (current === undefined) setImmediate(() => (this.#current = undefined))
    this.#current = turn
    return turn
  }

  stop(): void {
    this.#deadlines.stop()
  }

  #sweep(now: number): number {
    let next = Infinity
    this.#turns = this.#turns.filter((turn) => {
      if (turn.done) return false
      if (turn.deadline > now) {
        next = Math.min(next, turn.deadline)
        return true
      }
      turn.end(new Error("the deadline has passed"))
      return false
    })
    return next
  }
}
