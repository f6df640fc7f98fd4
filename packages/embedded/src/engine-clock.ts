/* The engine's time as this thread knows it: the system's clock plus what it was moved
 * by, or an instant at which it is stopped. The worker is given the same facts. */

import type { ClockSetup } from "./protocol.ts"

/**
 * The clock of an engine: when it starts, and whether it moves by itself.
 * @example
 * const clock: ClockOptions = { startAt: new Date("2026-01-01"), still: true }
 * const engine = await start({ clock })
 */
export interface ClockOptions {
  /** The time at which the engine starts. Default: now. */
  readonly startAt?: Date | number
  /** The clock moves only by `forward()`, so that a test sees the same time at each run. */
  readonly still?: boolean
}

export class EngineClock {
  #offsetMs: number
  #stillAtMs: number | undefined

  constructor(options: ClockOptions = {}) {
    const start = Number(options.startAt ?? Date.now())
    this.#offsetMs = options.startAt === undefined ? 0 : start - Date.now()
    this.#stillAtMs = options.still ? start : undefined
  }

  now(): number {
    return this.#stillAtMs ?? Date.now() + this.#offsetMs
  }

  forward(ms: number): void {
    this.#offsetMs += ms
    if (this.#stillAtMs !== undefined) this.#stillAtMs += ms
  }

  setup(): ClockSetup {
    return { offsetMs: this.#offsetMs, stillAtMs: this.#stillAtMs }
  }
}
