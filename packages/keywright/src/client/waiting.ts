/* Commands that wait for something to come (BLPOP, XREAD BLOCK) hold up all that
 * comes after them on a connection. So they run on connections that nobody else
 * uses, opened when they are first needed and used again, closed with the client.
 *
 * A wait that is given up is ended by CLIENT UNBLOCK, not by cutting the connection:
 * an item that was already taken from its list is handed over, not lost. */

import type { CallOptions, Command, Driver, Reply } from "../driver/driver.ts"
import { abortedInFlight, abortedInQueue, driverClosed, notSent } from "../errors/driver.ts"
import { KeywrightError } from "../errors/error.ts"
import { Refused } from "../errors/outcome.ts"
import { throwFirst } from "./lane.ts"

const UNBLOCK_EVERY_MS = 10
const UNBLOCK_TRIES = 30

interface Place {
  readonly driver: Driver
  /** CLIENT ID, where it may be asked. */
  readonly id: string | undefined
}

export class Waiting {
  readonly #driver: Driver
  readonly #timeoutMs: number
  readonly #idle: Place[] = []
  readonly #busy = new Map<Place, (reason: unknown) => void>()
  #closed = false

  /** `timeoutMs` is how long a call may take beyond its wait. */
  constructor(driver: Driver, timeoutMs: number) {
    this.#driver = driver
    this.#timeoutMs = timeoutMs
  }

  /** Sends a command that waits up to `waitMs`, and what is to follow it. */
  async send(commands: readonly Command[], waitMs: number, options: CallOptions = {}): Promise<Reply[]> {
    const name = String(commands[0]![0])
    if (options.signal?.aborted) throw abortedInQueue(name, options.signal.reason)
    const { timeoutMs = this.#timeoutMs } = options
    const until = performance.now() + waitMs + timeoutMs
    const place = this.#idle.pop() ?? (await this.#open(timeoutMs))
    if (this.#closed) {
      await place.driver.close()
      throw driverClosed(name, this.#driver.label)
    }
    return this.#wait(place, name, commands, { ...options, timeoutMs: Math.max(1, until - performance.now()) })
  }

  async close(): Promise<void> {
    this.#closed = true
    const closed = driverClosed("a call that waits", this.#driver.label)
    for (const giveUp of this.#busy.values()) giveUp(closed)
    await Promise.all(this.#idle.splice(0).map(({ driver }) => driver.close()))
  }

  async #wait(place: Place, name: string, commands: readonly Command[], options: CallOptions) {
    const { signal, ...rest } = options
    let reason: unknown
    let gone: ((error: Error) => void) | undefined
    const cut = new Promise<never>((_, reject) => (gone = reject))
    const giveUp = (given: unknown) => {
      if (reason !== undefined) return
      reason = given ?? new Error("aborted")
      void this.#unblock(place).then(() => gone?.(abortedInFlight(name, reason)))
    }
    const onAbort = () => giveUp(signal?.reason)
    signal?.addEventListener("abort", onAbort, { once: true })
    this.#busy.set(place, giveUp)
    let usable = false
    try {
      const replies = await Promise.race([place.driver.batch(commands, rest), cut])
      usable = true
      if (reason !== undefined && isNothing(replies[0]!))
        throw reason instanceof KeywrightError ? reason : abortedInQueue(name, reason)
      return throwFirst(replies)
    } finally {
      signal?.removeEventListener("abort", onAbort)
      this.#busy.delete(place)
      if (usable && !this.#closed) this.#idle.push(place)
      else void place.driver.close().catch(() => undefined)
    }
  }

  /** Within the time that a call has beyond its wait. */
  async #open(timeoutMs: number): Promise<Place> {
    const until = performance.now() + timeoutMs
    const driver = await this.#driver.dedicated()
    if (this.#driver.cluster) return { driver, id: undefined }
    try {
      const left = Math.max(1, until - performance.now())
      return { driver, id: String(await driver.send(["CLIENT", "ID"], { safe: true, timeoutMs: left })) }
    } catch (error) {
      if (error instanceof Refused) return { driver, id: undefined }
      void driver.close().catch(() => undefined)
      // Nothing of the call itself was sent.
      throw notSent("a call that waits", this.#driver.label, error)
    }
  }

  /** Until the wait has ended; or not, where the server does not let us. */
  async #unblock({ driver, id }: Place): Promise<void> {
    if (id === undefined) return
    for (let i = 0; i < UNBLOCK_TRIES; i++) {
      if (![...this.#busy.keys()].some((place) => place.driver === driver)) return
      const told = await this.#driver.send(["CLIENT", "UNBLOCK", id]).catch(() => undefined)
      if (told === undefined) return
      await new Promise((resolve) => setTimeout(resolve, UNBLOCK_EVERY_MS))
    }
  }
}

const isNothing = (reply: Reply): boolean => reply === null || (Array.isArray(reply) && reply.length === 0)
