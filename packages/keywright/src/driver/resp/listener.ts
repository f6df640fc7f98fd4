/* A connection that only listens, in RESP2, where every message is a plain array. It connects again
 * whenever it was lost, and a PING now and then finds out when the server has gone silent. */

import type { Command, Reply } from "../driver.ts"
import { backoffAfter, STEADY_MS } from "./backoff.ts"
import type { ConnectionOptions } from "./connection.ts"
import { greet } from "./greet.ts"
import type { Link, LinkOwner } from "./link.ts"

const PING: Command = ["PING"]

export interface Ears {
  /** A new link: time to subscribe. */
  onLinked(): void
  onReply(reply: Reply): void
  /** There is no link any more, or none could be made. It is tried again. */
  onUnlinked(error: unknown): void
}

export class Listener implements LinkOwner {
  readonly label: string
  readonly #options: ConnectionOptions
  readonly #ears: Ears
  #link: Link | undefined
  #dialling: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  #attempt = 0
  #calmSince = Infinity
  /** When the server was last asked for what it has to confirm. */
  #askedAt = 0
  #isHeard = true
  #isClosed = false

  constructor(options: ConnectionOptions, ears: Ears) {
    this.label = options.label
    this.#options = { ...options, protocol: 2 }
    this.#ears = ears
    this.#dial()
  }

  /** Sends a command, if there is a link. */
  tell(command: Command): void {
    this.#link?.tell(command)
  }

  /** Sends what has to be confirmed: a link on which that does not happen in time is given up, whatever else it answers. */
  ask(command: Command): void {
    this.#askedAt = performance.now()
    this.#calmSince = Infinity
    this.tell(command)
  }

  /** What was subscribed to was confirmed: if it stays so for a while, the next loss is a first one. */
  calm(): void {
    this.#calmSince = performance.now()
  }

  /** Gives up the link; another is made later. */
  leave(reason: Error): void {
    this.#link?.end(reason)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#dialling?.abort(new Error("closed"))
    this.#link?.end()
  }

  onAnswer(): void {
    // No calls are made on this connection after the greeting.
  }

  onStray(reply: Reply): void {
    this.#isHeard = true
    // More of the bytes in which the link was given up.
    if (this.#link === undefined) return
    if (!this.#isClosed) this.#ears.onReply(reply)
  }

  onRoom(): void {
    // Nothing waits: what is sent on this connection is small and rare.
  }

  onEnd(link: Link, reason: Error | undefined): void {
    if (link !== this.#link) return
    this.#link = undefined
    if (performance.now() - this.#calmSince >= STEADY_MS) this.#attempt = 0
    this.#calmSince = Infinity
    this.#notLinked(reason)
  }

  #dial(): void {
    const dialling = new AbortController()
    this.#dialling = dialling
    this.#timer = setTimeout(() => dialling.abort(new Error("no connection in time")), this.#options.connectTimeoutMs)
    this.#options
      .dial(dialling.signal)
      .then((transport) => greet(transport, this.#options, dialling.signal))
      .finally(() => clearTimeout(this.#timer))
      .then(
        (link) => this.#linked(link),
        (error: unknown) => this.#notLinked(error),
      )
  }

  #notLinked(error: unknown): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.#dial(), backoffAfter(error, this.#attempt++))
    this.#ears.onUnlinked(error)
  }

  #linked(link: Link): void {
    link.owner = this
    if (this.#isClosed) return link.end()
    if (link.ended) return this.#notLinked(new Error("the server closed the connection"))
    this.#link = link
    this.#watch()
    this.#ears.onLinked()
  }

  #watch(): void {
    const silenceMs = Math.max(this.#options.timeoutMs, 1000)
    this.#isHeard = true
    this.#timer = setInterval(() => {
      if (!this.#isHeard) return this.#link?.end(new Error("the server does not answer"))
      if (this.#calmSince === Infinity && performance.now() - this.#askedAt >= silenceMs)
        return this.#link?.end(new Error("the server does not confirm the subscription"))
      this.#isHeard = false
      this.#link?.tell(PING)
    }, silenceMs)
  }
}
