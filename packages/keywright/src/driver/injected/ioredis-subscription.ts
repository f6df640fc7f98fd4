/* A subscription beside an ioredis client that was handed in. Its connection is our own, and it is
 * renewed here: what ioredis renews by itself is answered to nobody.
 *
 *  - On a single server, ioredis opens a lost connection again. In a cluster the node may be gone,
 *    so another connection is opened, to a node that the client knows by then.
 *  - What the server refuses is asked again at growing intervals, until it is accepted. */

import type { SubscribeTo } from "../driver.ts"
import { backoffAfter, backoffMs } from "../resp/backoff.ts"
import { serverError } from "../server-errors.ts"
import type { IoRedis } from "./ioredis-shape.ts"

export class IoSubscription {
  readonly #open: () => IoRedis
  readonly #isCluster: boolean
  readonly #to: SubscribeTo
  #client: IoRedis | undefined
  /** Another number for each connection, and while there is none. */
  #links = 0
  /** Connections that were lost, since one was last subscribed. */
  #losses = 0
  #isBegun = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(open: () => IoRedis, isCluster: boolean, to: SubscribeTo) {
    this.#open = open
    this.#isCluster = isCluster
    this.#to = to
  }

  async begin(): Promise<void> {
    this.#connect()
    let link: number
    do {
      link = Math.max(1, this.#links)
      await this.#ask()
      // A connection that was lost between two replies has only what was asked last.
    } while (link !== this.#links)
    this.#isBegun = true
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#client?.disconnect()
  }

  #connect(): void {
    const client = this.#open()
    this.#client = client
    client.on("message", (channel: string, text: string) => this.#to.onMessage({ channel, text }))
    client.on("pmessage", (pattern: string, channel: string, text: string) =>
      this.#to.onMessage({ pattern, channel, text }),
    )
    client.on("ready", () => {
      this.#links++
      if (this.#isBegun) void this.#renew(this.#links, 0)
    })
    if (this.#isCluster) client.on("close", () => this.#isBegun && this.#client === client && this.#replace())
  }

  /** Another connection, after a while. */
  #replace(): void {
    if (this.#isClosed) return
    this.#client?.disconnect()
    this.#client = undefined
    this.#links++ // What was asked on it does not count any more.
    this.#later(backoffMs(this.#losses++), () => {
      try {
        this.#connect()
      } catch {
        this.#replace() // The client knows no node.
      }
    })
  }

  #later(ms: number, work: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(work, ms)
  }

  async #ask(): Promise<void> {
    const { channels = [], patterns = [] } = this.#to
    if (channels.length > 0) await this.#client?.subscribe(...channels)
    if (patterns.length > 0) await this.#client?.psubscribe(...patterns)
  }

  async #renew(link: number, attempt: number): Promise<void> {
    const isOutdated = () => this.#isClosed || link !== this.#links
    if (isOutdated()) return
    try {
      await this.#ask()
    } catch (error) {
      const refusal = serverError(error instanceof Error ? error.message : "")
      // Lost again: the next connection asks again.
      if (!isOutdated()) this.#later(backoffAfter(refusal, attempt), () => void this.#renew(link, attempt + 1))
      return
    }
    if (isOutdated()) return
    this.#losses = 0
    this.#to.onGap?.()
  }
}
