/* A subscription on a separate connection, in RESP2, where every message is a plain
 * array. It subscribes again after each reconnect and says that there was a gap. A PING
 * now and then finds out when the server has gone silent. */

import { driverClosed, timedOutInQueue } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { Command, Reply, SubscribeTo, Subscription } from "../driver.ts"
import { backoffMs } from "./backoff.ts"
import type { ConnectionOptions } from "./connection.ts"
import { greet } from "./greet.ts"
import type { Link, LinkOwner } from "./link.ts"

const PING: Command = ["PING"]

/** Resolves when the server has confirmed every channel and pattern. */
export function subscribeOver(options: ConnectionOptions, to: SubscribeTo): Promise<Subscription> {
  const subscriber = new Subscriber(options, to)
  return subscriber.start()
}

class Subscriber implements Subscription, LinkOwner {
  readonly label: string
  readonly #options: ConnectionOptions
  readonly #to: SubscribeTo
  readonly #awaited: number
  #link: Link | undefined
  #dialling: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  #attempt = 0
  #confirmed = 0
  #heard = true
  #closed = false
  #lastError: unknown
  #started: { resolve: (subscription: Subscription) => void; reject: (error: unknown) => void } | undefined

  constructor(options: ConnectionOptions, to: SubscribeTo) {
    this.label = options.label
    this.#options = { ...options, protocol: 2 }
    this.#to = to
    this.#awaited = (to.channels?.length ?? 0) + (to.patterns?.length ?? 0)
  }

  start(): Promise<Subscription> {
    const { timeoutMs } = this.#options
    if (this.#awaited === 0) return Promise.resolve(this)
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#fail(timedOutInQueue("SUBSCRIBE", this.label, timeoutMs, this.#lastError))
      }, timeoutMs)
      this.#started = {
        resolve: (subscription) => (clearTimeout(late), resolve(subscription)),
        reject: (error) => (clearTimeout(late), reject(error)),
      }
      this.#dial()
    })
  }

  close(): Promise<void> {
    this.#fail(driverClosed("SUBSCRIBE", this.label))
    return Promise.resolve()
  }

  onAnswer(): void {
    // No calls are made on this connection after the greeting.
  }

  onStray(reply: Reply): void {
    this.#heard = true
    if (reply instanceof KeywrightError) return this.#fail(reply)
    if (!Array.isArray(reply)) return
    const [kind, first, second, third] = reply as Reply[]
    if (kind === "message") this.#to.onMessage({ channel: String(first), text: String(second) })
    else if (kind === "pmessage") {
      this.#to.onMessage({ pattern: String(first), channel: String(second), text: String(third) })
    } else if ((kind === "subscribe" || kind === "psubscribe") && ++this.#confirmed === this.#awaited) this.#ready()
  }

  onRoom(): void {
    // Nothing waits: what is sent on this connection is small and rare.
  }

  onEnd(link: Link, reason: Error | undefined): void {
    if (link !== this.#link) return
    this.#link = undefined
    this.#lastError = reason
    this.#dialLater()
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
        (error: unknown) => {
          this.#lastError = error
          if (error instanceof KeywrightError && this.#started !== undefined) this.#fail(error)
          else this.#dialLater()
        },
      )
  }

  #dialLater(): void {
    clearTimeout(this.#timer)
    if (!this.#closed) this.#timer = setTimeout(() => this.#dial(), backoffMs(this.#attempt++))
  }

  #linked(link: Link): void {
    link.owner = this
    if (link.ended) return this.#dialLater()
    if (this.#closed) return link.end()
    this.#link = link
    this.#confirmed = 0
    const { channels = [], patterns = [] } = this.#to
    if (channels.length > 0) link.tell(["SUBSCRIBE", ...channels])
    if (patterns.length > 0) link.tell(["PSUBSCRIBE", ...patterns])
    this.#listen()
  }

  #ready(): void {
    this.#attempt = 0
    const started = this.#started
    this.#started = undefined
    if (started !== undefined) started.resolve(this)
    else this.#to.onGap?.()
  }

  #listen(): void {
    const silenceMs = Math.max(this.#options.timeoutMs, 1000)
    this.#heard = true
    this.#timer = setInterval(() => {
      if (!this.#heard) return this.#link?.end(new Error("the server does not answer"))
      this.#heard = false
      this.#link?.tell(PING)
    }, silenceMs)
  }

  #fail(error: unknown): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#dialling?.abort(new Error("closed"))
    this.#link?.end()
    this.#started?.reject(error)
    this.#started = undefined
  }
}
