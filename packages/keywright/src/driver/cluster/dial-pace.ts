/* How often one address is dialled. A connection waits longer and longer between its tries, but
 * a node that names strangers causes a new connection each time one was given up: so the
 * address itself has a pace, which all of them share. */

import { setTimeout as sleep } from "node:timers/promises"
import { backoffMs } from "../resp/backoff.ts"

interface DialState {
  attempts: number
  nextAt: number
}

/** An address that was not dialled for this long has nothing to wait for. */
const FORGOTTEN_MS = 10_000
const FURTHEST_MS = 1000
const MOST_ADDRESSES = 10_000

export class DialPace {
  readonly #addresses = new Map<string, DialState>()

  /** Resolves when the address may be dialled; rejects when the signal is aborted before. */
  async turn(address: string, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    let state = this.#addresses.get(address)
    if (state === undefined || now - state.nextAt > FORGOTTEN_MS) {
      if (this.#addresses.size >= MOST_ADDRESSES) this.#forget(now)
      this.#addresses.set(address, (state = { attempts: 0, nextAt: 0 }))
    }
    const turn = Math.min(Math.max(state.nextAt, now), now + FURTHEST_MS)
    state.nextAt = turn + backoffMs(state.attempts++)
    if (turn > now) await sleep(turn - now, undefined, { signal }).catch(() => signal.throwIfAborted())
  }

  /** There is a node of the cluster: it is dialled at once when its connection is lost. */
  reached(address: string): void {
    this.#addresses.delete(address)
  }

  #forget(now: number): void {
    for (const [address, { nextAt }] of this.#addresses) if (nextAt < now) this.#addresses.delete(address)
  }
}
