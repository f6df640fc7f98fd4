/* The background scan of one system: through all of its keys once at the start, and
 * again now and then while somebody looks, slower and with long pauses. The counts of
 * the last whole scan stay until the next one is whole. */

import { setTimeout as sleep } from "node:timers/promises"
import { walk } from "../../inspect/walk/walk.ts"
import type { DatabaseOverview, ScanState } from "../api.ts"
import { failureOf } from "./answer.ts"
import { Count } from "./counted.ts"
import type { EventHub } from "./event-hub.ts"
import type { OpenSystem } from "./open-system.ts"
import { PAGE_KEYS } from "./page-map.ts"

/** Keys a second of every scan but the first. */
const RATE = 20_000
const PAUSE_MS = 10_000
/** A scan that took long is repeated rarely. */
const PAUSE_PER_SCAN = 10
const TELL_MS = 400

export class Scan {
  readonly #system: OpenSystem
  readonly #hub: EventHub
  readonly #stopping = new AbortController()
  #whole: Count | undefined
  #running: Count | undefined
  #state: ScanState
  #wake = new AbortController()
  #wanted = true
  #isIdle = false
  #work: Promise<void> = Promise.resolve()

  constructor(system: OpenSystem, hub: EventHub) {
    this.#system = system
    this.#hub = hub
    this.#state = {
      system: system.name,
      revision: 0,
      state: "waiting",
      round: 0,
      keys: 0,
      of: 0,
      perSecond: 0,
      secondsLeft: undefined,
      doneAt: undefined,
    }
  }

  get state(): ScanState {
    return this.#state
  }

  /** What the last whole scan counted; until there is one, what the first has counted so far. */
  get count(): Count | undefined {
    return this.#whole ?? this.#running
  }

  /** Complete from the beginning: patterns without counts have none yet. */
  overview(): DatabaseOverview[] {
    return (this.count ?? new Count(this.#system)).overview(this.#system)
  }

  get isWhole(): boolean {
    return this.#whole !== undefined
  }

  start(): void {
    this.#work = this.#rounds()
  }

  /** Scan as soon as possible. */
  again(): void {
    this.#wanted = true
    this.#wake.abort()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake.abort()
    await this.#work
  }

  async #rounds(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const started = performance.now()
      this.#wanted = false
      await this.#round(signal)
      if (signal.aborted) return
      const pause = Math.max(PAUSE_MS, PAUSE_PER_SCAN * (performance.now() - started))
      await this.#rest(pause)
      // Nobody is watching: nothing is asked of the server.
      while (!signal.aborted && !this.#hub.watched && !this.#wanted) await this.#idle()
    }
  }

  /** Somebody has begun to look: the pause, if it is over, ends. */
  noticed(): void {
    if (this.#isIdle) this.#wake.abort()
  }

  async #idle(): Promise<void> {
    this.#isIdle = true
    await this.#rest(60_000)
    this.#isIdle = false
  }

  async #rest(ms: number): Promise<void> {
    if (this.#wanted) return
    this.#wake = new AbortController()
    await sleep(ms, undefined, { signal: this.#wake.signal, ref: false }).catch(() => undefined)
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { databases } = this.#system.background
    const count = new Count(this.#system)
    const isFirst = this.#whole === undefined
    this.#running = count
    this.#tell({ state: "running", keys: 0, perSecond: 0, secondsLeft: undefined })
    let told = 0
    try {
      await walk(
        databases,
        {
          signal,
          page: PAGE_KEYS,
          ...(isFirst ? {} : { rate: RATE }),
          onProgress: ({ keys, of, perSecond, secondsLeft }) => {
            if (performance.now() - told < TELL_MS) return
            told = performance.now()
            this.#tell({ keys, of, perSecond, secondsLeft })
            if (isFirst) this.#tellCounts(count, false)
          },
        },
        (page) => count.page(page),
      )
      this.#whole = count
      const keys = count.keys()
      this.#tell({
        state: "done",
        round: this.#state.round + 1,
        keys,
        of: keys,
        secondsLeft: 0,
        doneAt: new Date().toISOString(),
      })
      this.#tellCounts(count, true)
    } catch (error) {
      if (!signal.aborted) this.#tell({ state: "failed", error: failureOf(error).error })
    } finally {
      this.#running = undefined
    }
  }

  #tell(change: Partial<ScanState>): void {
    const { error: _, ...before } = this.#state
    this.#state = { ...before, ...change, revision: before.revision + 1 }
    this.#hub.emit("scan", this.#state)
  }

  #tellCounts(count: Count, whole: boolean): void {
    if (this.#hub.watched) this.#hub.emit("counts", { system: this.#system.name, whole, patterns: count.patterns() })
  }
}
