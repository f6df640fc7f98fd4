/* A subscription on a separate connection. It subscribes again after each reconnect and says that
 * there was a gap. */

import { driverClosed, timedOutInQueue } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { Reply, SubscribeTo, Subscription } from "../driver.ts"
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
    this.#confirmed = 0
    const { channels = [], patterns = [], sharded = [] } = this.#to
    if (channels.length > 0) this.#listener?.tell(["SUBSCRIBE", ...channels])
    if (patterns.length > 0) this.#listener?.tell(["PSUBSCRIBE", ...patterns])
    // A single server has no slots, but one in cluster mode wants the channels of each apart.
    for (const channel of sharded) this.#listener?.tell(["SSUBSCRIBE", channel])
  }

  onReply(reply: Reply): void {
    if (reply instanceof KeywrightError) return this.#fail(reply)
    if (!Array.isArray(reply)) return
    const [kind, first, second, third] = reply as Reply[]
    if (kind === "message" || kind === "smessage") {
      this.#to.onMessage({ channel: String(first), text: String(second) })
    } else if (kind === "pmessage") {
      this.#to.onMessage({ pattern: String(first), channel: String(second), text: String(third) })
    } else if (CONFIRMED.has(kind) && ++this.#confirmed === this.#awaited) this.#ready()
  }

  onUnlinked(error: unknown): void {
    this.#lastError = error
    if (error instanceof KeywrightError && this.#started !== undefined) this.#fail(error)
  }

  #ready(): void {
    this.#listener?.calm()
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
