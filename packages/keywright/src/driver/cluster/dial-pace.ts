/* How often one address is dialled. A connection waits longer and longer between its tries, but
 * a node that names strangers causes a new connection each time one was given up: so the
 * address itself has a pace, which all of them share. */

import { setTimeout as sleep } from "node:timers/promises"
import { backoffMs } from "../resp/backoff.ts"

interface Place {
  attempts: number
  nextAt: number
}

/** An address that was not dialled for this long has nothing to wait for. */
const FORGOTTEN_MS = 10_000
const FURTHEST_MS = 1000
const MOST_PLACES = 10_000

export class DialPace {
  readonly #places = new Map<string, Place>()

  /** Resolves when the address may be dialled; rejects when the signal is aborted before. */
  async turn(address: string, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    let place = this.#places.get(address)
    if (place === undefined || now - place.nextAt > FORGOTTEN_MS) {
      if (this.#places.size >= MOST_PLACES) this.#forget(now)
      this.#places.set(address, (place = { attempts: 0, nextAt: 0 }))
    }
    const turn = Math.min(Math.max(place.nextAt, now), now + FURTHEST_MS)
    place.nextAt = turn + backoffMs(place.attempts++)
    if (turn > now) await sleep(turn - now, undefined, { signal }).catch(() => signal.throwIfAborted())
  }

  /** There is a node of the cluster: it is dialled at once when its connection is lost. */
  reached(address: string): void {
    this.#places.delete(address)
  }

  #forget(now: number): void {
    for (const [address, { nextAt }] of this.#places) if (nextAt < now) this.#places.delete(address)
  }
}
