/* How a connection gets its links: it dials, greets, and dials again. After each useless link
 * it waits longer: otherwise a server that greets and then breaks the protocol would be
 * dialled many times a second. */

import { KeywrightError } from "../../errors/error.ts"
import type { Transport } from "../driver.ts"
import { backoffMs, STEADY_MS } from "./backoff.ts"
import { greet, type Greeting } from "./greet.ts"
import type { Link } from "./link.ts"

/** Opens a transport. Gives up, and leaves nothing open, when the signal says so. */
export type Dial = (signal: AbortSignal) => Promise<Transport>

export interface DiallerOptions extends Greeting {
  readonly dial: Dial
  readonly connectTimeoutMs: number
}

/** A server does not answer in time: it may be gone, or only busy. */
export class Silence extends Error {}

/** For whom it dials. */
export interface LinkUser {
  /** Why a link that was greeted is not to be used; undefined: it is. */
  refusalOf(link: Link): Error | undefined
  onLink(link: Link): void
  onNoLink(error: unknown): void
}

export class Dialler {
  readonly #options: DiallerOptions
  readonly #user: LinkUser
  #dialling: AbortController | undefined
  #redial: NodeJS.Timeout | undefined
  #attempt = 0
  #linkedAt = 0
  /** Replies on the link when it was handed over. */
  #receivedBefore = 0
  /** Whether the last link was of no use: soon after its greeting it broke the protocol, or ended without an answer. */
  #isBroken = false
  #ended = false

  constructor(options: DiallerOptions, user: LinkUser) {
    this.#options = options
    this.#user = user
  }

  dial(): void {
    const dialling = new AbortController()
    this.#dialling = dialling
    const { dial, connectTimeoutMs } = this.#options
    const late = setTimeout(
      () => dialling.abort(new Silence(`no connection within ${connectTimeoutMs} ms`)),
      connectTimeoutMs,
    )
    dial(dialling.signal)
      .then((transport) => greet(transport, this.#options, dialling.signal))
      .finally(() => clearTimeout(late))
      .then(
        (link) => this.#linked(link),
        (error: unknown) => this.#notLinked(error),
      )
  }

  /** The link in use has ended: dials the next one. */
  lost(link: Link, reason: Error | undefined): void {
    const isProtocol = reason instanceof KeywrightError && reason.code === "DRIVER.PROTOCOL"
    this.#dialAfter(isProtocol || link.received === this.#receivedBefore)
  }

  /** The link in use is to the wrong server: dials the next one. */
  left(): void {
    this.#dialAfter(true)
  }

  /** The server that is being dialled is the wrong one: dials again. */
  giveUp(reason: Error): void {
    this.#dialling?.abort(reason)
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#redial)
    this.#dialling?.abort(new Error("closed"))
  }

  #dialAfter(isUseless: boolean): void {
    this.#isBroken = isUseless && performance.now() - this.#linkedAt < STEADY_MS
    if (!this.#isBroken) this.#attempt = 0
    this.#dialLater()
  }

  #dialLater(): void {
    if (this.#ended) return
    this.#redial = setTimeout(() => this.dial(), backoffMs(this.#attempt++))
  }

  #linked(link: Link): void {
    this.#dialling = undefined
    const isOver = link.ended || this.#ended
    const refusal = isOver ? new Error("the server closed the connection") : this.#user.refusalOf(link)
    if (refusal !== undefined) {
      link.end(isOver ? undefined : refusal)
      return this.#notLinked(refusal)
    }
    this.#linkedAt = performance.now()
    this.#receivedBefore = link.received
    if (!this.#isBroken) this.#attempt = 0
    this.#user.onLink(link)
  }

  #notLinked(error: unknown): void {
    this.#dialling = undefined
    this.#dialLater()
    this.#user.onNoLink(error)
  }
}
