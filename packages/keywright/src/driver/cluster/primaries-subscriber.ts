/* Notifications of the keyspace (`__keyevent@0__:expired`) are published by the node that has the key, and not
 * passed on to others as messages are: they are heard from every primary, over one connection each. When a primary
 * joins or is replaced, it is listened to from then on, and the caller is told that there was a gap. */

import { driverClosed, timedOutInQueue } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { failedAt } from "../../errors/failed-at.ts"
import type { SubscribeTo, Subscription } from "../driver.ts"
import { backoffAfter } from "../resp/backoff.ts"
import { ANY_NODE } from "../resp/call.ts"
import { subscribeOver } from "../resp/subscriber.ts"
import { isRefusal } from "../server-errors.ts"
import { type Node, whereOf } from "./node.ts"
import type { ShardedOptions } from "./sharded-subscriber.ts"
import type { TopologyWatcher } from "./topology.ts"

type PrimariesOptions = Omit<ShardedOptions, "movedTo">

/** Whether a channel, or what a pattern stands for, is a notification of the keyspace. */
export const isOfNode = (channel: string): boolean => channel.startsWith("__key")

export function subscribeToPrimaries(options: PrimariesOptions, to: SubscribeTo): Promise<Subscription> {
  return new PrimariesSubscriber(options, to).start()
}

class PrimariesSubscriber implements Subscription, TopologyWatcher {
  readonly #options: PrimariesOptions
  readonly #to: SubscribeTo
  /** What is heard, or will be. */
  readonly #heard = new Map<Node, Promise<Subscription>>()
  #starting: { resolve: (subscription: Subscription) => void; reject: (error: unknown) => void } | undefined
  #unheard = 0
  #again: NodeJS.Timeout | undefined
  /** Nodes that could not be listened to since all were. */
  #failed = 0
  #isRefused = false
  #isClosed = false

  constructor(options: PrimariesOptions, to: SubscribeTo) {
    this.#options = options
    this.#to = to
  }

  start(): Promise<Subscription> {
    const { label, timeoutMs, topology } = this.#options
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => this.#fail(timedOutInQueue("SUBSCRIBE", label, timeoutMs, topology.lastError)),
        timeoutMs,
      )
      this.#starting = {
        resolve: (subscription) => (clearTimeout(late), resolve(subscription)),
        reject: (error) => (clearTimeout(late), reject(error)),
      }
      topology.watch(this)
      this.onChange()
    })
  }

  close(): Promise<void> {
    this.#fail(driverClosed("SUBSCRIBE", this.#options.label))
    return Promise.resolve()
  }

  get isWaiting(): boolean {
    return this.#heard.size === 0
  }

  onChange(): void {
    if (this.#isClosed) return
    const { topology } = this.#options
    const primaries = new Set(topology.primaries)
    if (primaries.size === 0) return topology.want(0)
    for (const [node, heard] of this.#heard) if (!primaries.has(node)) this.#leave(node, heard)
    for (const node of primaries) if (!this.#heard.has(node)) this.#listen(node)
  }

  #listen(node: Node): void {
    const isFirst = this.#starting !== undefined
    this.#unheard++
    const heard = subscribeOver(this.#options.listenTo(node), this.#to)
    this.#heard.set(node, heard)
    heard.then(
      () => {
        this.#unheard--
        if (this.#heard.get(node) !== heard) return
        if (!isFirst) this.#to.onGap?.()
        if (this.#unheard > 0) return
        this.#failed = 0
        this.#isRefused = false
        this.#starting?.resolve(this)
        this.#starting = undefined
      },
      (error: unknown) => {
        this.#unheard--
        if (this.#heard.get(node) !== heard) return
        if (error instanceof KeywrightError) failedAt(error, whereOf(node, ANY_NODE))
        if (this.#starting !== undefined) return this.#fail(error)
        // It did not answer, and nobody has taken its place yet.
        this.#heard.delete(node)
        this.#later(error)
      },
    )
  }

  #later(error: unknown): void {
    if (isRefusal(error) && !this.#isRefused) {
      this.#isRefused = true
      this.#to.onRefused?.(error)
    }
    this.#again ??= setTimeout(
      () => {
        this.#again = undefined
        this.onChange()
      },
      backoffAfter(error, this.#failed++),
    )
  }

  #leave(node: Node, heard: Promise<Subscription>): void {
    this.#heard.delete(node)
    heard.then(
      (subscription) => subscription.close(),
      () => undefined,
    )
  }

  #fail(error: unknown): void {
    this.#isClosed = true
    clearTimeout(this.#again)
    this.#options.topology.unwatch(this)
    for (const [node, heard] of this.#heard) this.#leave(node, heard)
    this.#starting?.reject(error)
    this.#starting = undefined
  }
}
