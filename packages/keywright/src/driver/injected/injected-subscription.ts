/* A subscription beside a client that was handed in. Its connections are our own, and their library does not
 * open them again: what it renews by itself is answered to nobody, it gives up where the application's settings
 * say so, and in a cluster it waits for a node that may be gone. Instead, each loss leads to another connection, to a
 * node that the client knows by then.
 *
 *  - What the server refuses is asked again at growing intervals, until it is accepted.
 *  - A PING now and then finds out that the server has gone silent. */

import { setTimeout as sleep } from "node:timers/promises"
import { KeywrightError } from "../../errors/error.ts"
import type { SubscribeTo, Subscription } from "../driver.ts"
import { backoffAfter, backoffMs, STEADY_MS } from "../resp/backoff.ts"
import { isRefusal, looksLikeReply, serverError } from "../server-errors.ts"
import type { Cancel } from "./cancel.ts"

/** A connection that only listens, once. */
export interface ListeningConnection {
  /** Settles when it is connected and subscribed to everything, or when that has failed. */
  readonly opened: Promise<void>
  ping(): Promise<unknown>
  close(): void
}

/** Opens one; `onLost` is called when it is lost, perhaps more than once. May throw. */
export type Listen = (onLost: () => void) => ListeningConnection

/** For connecting and subscribing: a library may wait longer, or indefinitely. */
const LONGEST_OPENING_MS = 10_000

export class InjectedSubscription implements Subscription {
  readonly #listen: Listen
  readonly #to: SubscribeTo
  readonly #silenceMs: number
  /** The latest. */
  #connection: ListeningConnection | undefined
  /** Since when it is subscribed; undefined while it is not. */
  #since: number | undefined
  #losses = 0
  #timer: NodeJS.Timeout | undefined
  /** The server refused it, and `onRefused` was told. */
  #isRefused = false
  #isClosed = false

  /** A server that does not answer a PING for `silenceMs` is taken to be gone. */
  constructor(listen: Listen, to: SubscribeTo, silenceMs: number) {
    this.#listen = listen
    this.#to = to
    this.#silenceMs = silenceMs
  }

  /** Resolves when everything is subscribed to, or when the signal is aborted. Rejects if the server refuses it. */
  async begin(signal: Cancel): Promise<void> {
    signal.addEventListener("abort", () => void this.close())
    for (let attempt = 0; !this.#isClosed; attempt++) {
      try {
        return await this.#open()
      } catch (error) {
        const reply = asReply(error)
        if (isRefusal(reply)) throw reply
        await sleep(backoffMs(attempt))
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#connection?.close()
  }

  async #open(): Promise<void> {
    const connection = this.#listen(() => this.#lost(connection))
    this.#connection = connection
    try {
      await inTime(connection.opened, LONGEST_OPENING_MS)
    } catch (error) {
      connection.close()
      throw error
    }
    if (this.#isClosed) return connection.close()
    this.#since = performance.now()
    this.#watch(connection)
  }

  #watch(connection: ListeningConnection): void {
    let isHeard = true
    const heard = () => void (isHeard = true)
    this.#timer = setInterval(() => {
      if (!isHeard) return this.#lost(connection)
      isHeard = false
      connection.ping().then(heard, heard) // A refusal is an answer, too.
    }, this.#silenceMs)
  }

  #lost(connection: ListeningConnection): void {
    if (this.#isClosed || this.#connection !== connection || this.#since === undefined) return
    clearInterval(this.#timer)
    if (performance.now() - this.#since >= STEADY_MS) this.#losses = 0
    this.#since = undefined
    connection.close()
    this.#renewLater(undefined)
  }

  #renewLater(error: unknown): void {
    this.#timer = setTimeout(() => void this.#renew(), backoffAfter(error, this.#losses++))
  }

  async #renew(): Promise<void> {
    try {
      await this.#open()
    } catch (error) {
      if (this.#isClosed) return
      const reply = asReply(error)
      if (isRefusal(reply) && !this.#isRefused) {
        this.#isRefused = true
        this.#to.onRefused?.(reply)
      }
      return this.#renewLater(reply)
    }
    if (this.#isClosed) return
    this.#isRefused = false
    this.#to.onGap?.()
  }
}

/** What a server's error reply means, where the error is one. */
function asReply(error: unknown): unknown {
  if (error instanceof KeywrightError || !(error instanceof Error)) return error
  return looksLikeReply(error.message) ? serverError(error.message) : error
}

async function inTime(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
