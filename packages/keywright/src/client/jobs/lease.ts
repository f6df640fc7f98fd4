/* A lease: something that only one process has at a time, for a limited time. It is a key
 * with the holder's token and a TTL; the holder renews it, and a holder that died loses
 * it when the TTL is over.
 *
 * A holder counts its time from before the request was sent, and gives up a little early,
 * so it never believes in a lease that the server has let go. `signal` asks it to stop; a
 * process that slept through the deadline finds `held` false at once, by the clock,
 * before any timer has fired. */

import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import { inspect } from "node:util"
import type { Driver } from "../../driver/driver.ts"
import { numberIn, unexpected } from "../call/reply.ts"
import { leaseLost } from "../../errors/job.ts"
import { isUnavailable } from "../call/unavailable.ts"
import { leaseReleaseScript, leaseRenewScript, leaseTakeScript } from "../lua/index.ts"

export interface LeaseTerms {
  /** Without renewal it is free again after this long. */
  readonly ttlMs: number
  /** It lasts at least this long from when it was taken, even if it is not renewed. */
  readonly atLeastMs?: number
  /** Takes it from its current holder. */
  readonly force?: boolean
  /** The token of an attempt whose outcome is unknown: if it arrived, the lease is ours. */
  readonly token?: string
}

const RENEWALS_PER_TTL = 3
/** The fraction of the time that is not relied on, because clocks do not run at the same speed. */
const MARGIN = 0.02

export class Lease {
  readonly key: string
  readonly #driver: Driver
  readonly #token: string
  readonly #ttlMs: number
  readonly #lost = new AbortController()
  #until = new LeaseEnd(0)
  #renewal: NodeJS.Timeout | undefined
  #end: NodeJS.Timeout | undefined
  /** Lost, released or left to expire: a renewal that is under way is the last one. */
  #isOver = false

  private constructor(driver: Driver, key: string, ttlMs: number, token: string) {
    this.#driver = driver
    this.key = key
    this.#ttlMs = ttlMs
    this.#token = token
  }

  /** The lease, or for how many milliseconds another process still has it. */
  static async take(driver: Driver, key: string, terms: LeaseTerms): Promise<Lease | number> {
    const { ttlMs, atLeastMs = 0, force, token = randomUUID() } = terms
    const lease = new Lease(driver, key, ttlMs, token)
    const lasts = Math.max(ttlMs, atLeastMs)
    const until = new LeaseEnd(lasts)
    const args = [lease.#token, String(lasts), force ? "1" : "0"]
    const reply = await driver.run(leaseTakeScript, [key], args, { safe: true })
    const left = numberIn(reply)
    if (left < 0) throw unexpected(reply, "a time")
    if (left > 0) return left
    if (until.leftMs() <= 0) throw leaseLost(key) // The answer came so late that another may have it by now.
    lease.#until = until
    lease.#watch()
    lease.#renewLater()
    return lease
  }

  /** Aborted when the lease is lost: stop then. */
  get signal(): AbortSignal {
    return this.#lost.signal
  }

  /** Certainly still ours, by the clock. */
  get held(): boolean {
    return !this.#lost.signal.aborted && this.#until.leftMs() > 0
  }

  /**
   * Gives it back at once; what another has taken meanwhile stays. Otherwise it expires, so a failure is not an error: what
   * the work has returned counts more.
   */
  async release(): Promise<void> {
    this.keep()
    try {
      await this.#driver.run(leaseReleaseScript, [this.key], [this.#token], { safe: true })
    } catch (error) {
      if (!isUnavailable(error)) process.emitWarning(`${this.key} stays until it expires: ${inspect(error)}`)
    }
  }

  /** Stops renewing it and leaves it to expire. */
  keep(): void {
    this.#isOver = true
    clearTimeout(this.#renewal)
    clearTimeout(this.#end)
  }

  #lose(): void {
    this.keep()
    this.#lost.abort(leaseLost(this.key))
  }

  #watch(): void {
    clearTimeout(this.#end)
    this.#end = setTimeout(
      () => (this.held ? this.#watch() : this.#lose()),
      Math.min(this.#until.leftMs(), 2 ** 31 - 1),
    )
    this.#end.unref()
  }

  #renewLater(): void {
    this.#renewal = setTimeout(() => void this.#renew(), this.#ttlMs / RENEWALS_PER_TTL)
    this.#renewal.unref()
  }

  async #renew(): Promise<void> {
    const until = new LeaseEnd(this.#ttlMs)
    const timeoutMs = Math.max(1, Math.min(this.#ttlMs / RENEWALS_PER_TTL, this.#until.leftMs()))
    try {
      const ours = await this.#driver.run(leaseRenewScript, [this.key], [this.#token, String(this.#ttlMs)], {
        safe: true,
        timeoutMs,
      })
      if (this.#isOver) return
      if (ours !== 1) return this.#lose()
      if (until.leftMs() > this.#until.leftMs()) this.#until = until
      this.#watch()
    } catch (error) {
      if (this.#isOver) return
      if (!isUnavailable(error)) return this.#lose()
    }
    this.#renewLater()
  }
}

/**
 * This long from now, by whichever clock has advanced further: one stops while the machine sleeps, the other may be
 * set.
 */
class LeaseEnd {
  readonly #ms: number
  readonly #steady = performance.now()
  readonly #wall = Date.now()

  constructor(ms: number) {
    this.#ms = ms * (1 - MARGIN)
  }

  leftMs(): number {
    return this.#ms - Math.max(performance.now() - this.#steady, Date.now() - this.#wall)
  }
}
