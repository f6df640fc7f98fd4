/* A subscription on a separate connection. It subscribes again after each reconnect and says that
 * there was a gap. Once it was confirmed, only `close` ends it: whatever the server says or refuses, it is tried again. */

import { driverClosed, timedOutInQueue } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { Reply, SubscribeTo, Subscription } from "../driver.ts"
import { isRefusal, passesByItself } from "../server-errors.ts"
import type { ConnectionOptions } from "./connection.ts"
import { type Ears, Listener } from "./listener.ts"

/** Resolves when the server has confirmed every channel and pattern. */
export function subscribeOver(options: ConnectionOptions, to: SubscribeTo): Promise<Subscription> {
  const subscriber = new Subscriber(options, to)
  return subscriber.start()
}

class Subscriber implements Subscription, Ears {
  readonly #options: ConnectionOptions
  readonly #to: SubscribeTo
  readonly #awaited: number
  #listener: Listener | undefined
  #confirmed = 0
  #isRefused = false
  #lastError: unknown
  #started: { resolve: (subscription: Subscription) => void; reject: (error: unknown) => void } | undefined

  constructor(options: ConnectionOptions, to: SubscribeTo) {
    this.#options = options
    this.#to = to
    const { channels = [], patterns = [], sharded = [] } = to
    this.#awaited = channels.length + patterns.length + sharded.length
  }

  start(): Promise<Subscription> {
    const { timeoutMs, label } = this.#options
    if (this.#awaited === 0) return Promise.resolve(this)
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#fail(timedOutInQueue("SUBSCRIBE", label, timeoutMs, this.#lastError))
      }, timeoutMs)
      this.#started = {
        resolve: (subscription) => (clearTimeout(late), resolve(subscription)),
        reject: (error) => (clearTimeout(late), reject(error)),
      }
      this.#listener = new Listener(this.#options, this)
    })
  }

  close(): Promise<void> {
    this.#fail(driverClosed("SUBSCRIBE", this.#options.label))
    return Promise.resolve()
  }

  onLinked(): void {
    const { channels = [], patterns = [], sharded = [] } = this.#to
    if (channels.length > 0) this.#listener?.ask(["SUBSCRIBE", ...channels])
    if (patterns.length > 0) this.#listener?.ask(["PSUBSCRIBE", ...patterns])
    // A single server has no slots, but one in cluster mode wants the channels of each apart.
    for (const channel of sharded) this.#listener?.ask(["SSUBSCRIBE", channel])
  }

  onReply(reply: Reply): void {
    if (reply instanceof KeywrightError) return this.#refused(reply)
    if (!Array.isArray(reply)) return
    const [kind, first, second, third] = reply as Reply[]
    if (kind === "message" || kind === "smessage") {
      this.#to.onMessage({ channel: String(first), text: String(second) })
    } else if (kind === "pmessage") {
      this.#to.onMessage({ pattern: String(first), channel: String(second), text: String(third) })
    } else if (CONFIRMED.has(kind) && ++this.#confirmed === this.#awaited) this.#ready()
  }

  onUnlinked(error: unknown): void {
    const wasHeard = this.#isHeard
    this.#confirmed = 0
    this.#lastError = error
    if (this.#started !== undefined) {
      if (error instanceof KeywrightError && !passesByItself(error)) this.#fail(error)
      return
    }
    // An error that ends a link which was heard is a loss like any other; that the next link is refused is news.
    if (wasHeard || this.#isRefused || !isRefusal(error)) return
    this.#isRefused = true
    this.#to.onRefused?.(error)
  }

  get #isHeard(): boolean {
    return this.#confirmed >= this.#awaited
  }

  #refused(error: KeywrightError): void {
    // After the confirmation it answers a PING, and proves that the server is there.
    if (this.#isHeard && passesByItself(error)) return
    this.#listener?.leave(error)
  }

  #ready(): void {
    this.#listener?.calm()
    this.#isRefused = false
    const started = this.#started
    this.#started = undefined
    if (started !== undefined) started.resolve(this)
    else this.#to.onGap?.()
  }

  #fail(error: unknown): void {
    this.#listener?.close()
    this.#started?.reject(error)
    this.#started = undefined
  }
}

const CONFIRMED: ReadonlySet<Reply | undefined> = new Set(["subscribe", "psubscribe", "ssubscribe"])
