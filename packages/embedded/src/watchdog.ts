/* Distinguishes a frozen engine from a busy one. The worker leaves signs of life in
 * shared memory; it is frozen when it is inside WebAssembly and neither finished a step
 * nor moved a byte within the time limit. So a save or a load may take minutes, and an
 * idle engine is never suspected.
 *
 * Time is counted in our own ticks, each at most twice its length: when this
 * thread was busy itself, it has seen nothing and judges nothing. */

import { signal } from "./signals.js"

export class Watchdog {
  readonly #signals: () => Int32Array<SharedArrayBuffer> | undefined
  readonly #patienceMs: number
  readonly #onFrozen: () => void
  readonly #timer: NodeJS.Timeout
  readonly #tickMs: number
  #seen = ""
  #stillMs = 0
  #lastTick = Date.now()

  /** Without signals there is nothing to judge for now. */
  constructor(signals: () => Int32Array<SharedArrayBuffer> | undefined, patienceMs: number, onFrozen: () => void) {
    this.#signals = signals
    this.#patienceMs = patienceMs
    this.#onFrozen = onFrozen
    this.#tickMs = Math.min(500, Math.max(10, patienceMs / 10))
    this.#timer = setInterval(() => this.#tick(), this.#tickMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const signals = this.#signals()
    const steps = signals ? Atomics.load(signals, signal.steps) : 0
    const seen = signals ? `${steps} ${Atomics.load(signals, signal.moved)}` : ""
    const passed = Math.min(Date.now() - this.#lastTick, this.#tickMs * 2)
    const inside = steps % 2 !== 0
    this.#stillMs = inside && seen === this.#seen ? this.#stillMs + passed : 0
    this.#seen = seen
    this.#lastTick = Date.now()
    if (this.#stillMs < this.#patienceMs) return
    this.stop()
    this.#onFrozen()
  }
}
