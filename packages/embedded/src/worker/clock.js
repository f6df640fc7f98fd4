/* The engine's time, in nanoseconds as WASI asks for it. The wall clock follows the
 * system's plus an offset, or is stopped until it is moved; the monotonic clock always
 * runs, so that the server's own timers do. Both jump together. No BigInt: the server
 * asks several times per command. */

import { performance } from "node:perf_hooks"

/** @import { ClockSetup } from "../protocol.ts" */

const TWO_32 = 2 ** 32

export class Clock {
  #offsetMs
  #stillAtMs
  #jumpedMs = 0
  #wall = new Nanoseconds()
  #monotonic = new Nanoseconds()
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
    const ms = monotonic ? this.monotonicMs() : this.nowMs()
    ;(monotonic ? this.#monotonic : this.#wall).write(memory, pointer, ms)
  }
}

/** Milliseconds as 64-bit nanoseconds: the whole is divided once a second, and what has passed since is added. */
class Nanoseconds {
  #fromMs = Infinity
  #high = 0
  #low = 0

  /** @param {DataView} memory @param {number} pointer @param {number} ms */
  write(memory, pointer, ms) {
    let passed = ms - this.#fromMs
    if (!(passed >= 0 && passed < 1000)) {
      this.#rebase(ms)
      passed = 0
    }
    const low = this.#low + passed * 1e6
    const carry = low < TWO_32 ? 0 : 1
    memory.setUint32(pointer, low - carry * TWO_32, true)
    memory.setUint32(pointer + 4, this.#high + carry, true)
  }

  /** @param {number} ms */
  #rebase(ms) {
    this.#fromMs = ms
    const us = Math.floor(ms * 1000)
    const high = Math.floor(us / TWO_32)
    const low = (us - high * TWO_32) * 1000
    this.#high = high * 1000 + Math.floor(low / TWO_32)
    this.#low = low % TWO_32
  }
}
