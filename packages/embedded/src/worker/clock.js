/* The engine's time, in nanoseconds as WASI asks for it. The wall clock follows
 * the system's plus an offset, or stands still until it is moved; the monotonic
 * clock always runs, so that the server's own timers do. Both jump together.
 * No BigInt: the server asks several times per command. */

import { performance } from "node:perf_hooks"

/** @import { ClockSetup } from "../protocol.ts" */

const TWO_32 = 2 ** 32

export class Clock {
  #offsetMs
  #stillAtMs
  #jumpedMs = 0
  /** Exact, where Date.now() is cut to whole milliseconds: the engine's time would be up to one behind others'. */
  #anchorMs = performance.timeOrigin

  /** @param {ClockSetup} setup */
  constructor(setup) {
    this.#offsetMs = setup.offsetMs
    this.#stillAtMs = setup.stillAtMs
  }

  nowMs() {
    if (this.#stillAtMs !== undefined) return this.#stillAtMs
    return this.#anchorMs + performance.now() + this.#offsetMs
  }

  monotonicMs() {
    return performance.now() + this.#jumpedMs
  }

  /** @param {number} ms */
  jump(ms) {
    this.#jumpedMs += ms
    if (this.#stillAtMs === undefined) this.#offsetMs += ms
    else this.#stillAtMs += ms
  }

  /** Lets the server's timers run now without moving the wall clock.
   * @param {number} ms */
  hurry(ms) {
    this.#jumpedMs += ms
  }

  /** Follows the system's clock when that was set. */
  settle() {
    const anchor = Date.now() + 0.5 - performance.now()
    if (Math.abs(anchor - this.#anchorMs) > 5) this.#anchorMs = anchor
  }

  /** @param {DataView} memory @param {number} pointer @param {boolean} monotonic */
  write(memory, pointer, monotonic) {
    const us = Math.floor((monotonic ? this.monotonicMs() : this.nowMs()) * 1000)
    const high = Math.floor(us / TWO_32)
    const low = (us - high * TWO_32) * 1000
    memory.setUint32(pointer, low, true)
    memory.setUint32(pointer + 4, high * 1000 + Math.floor(low / TWO_32), true)
  }
}
