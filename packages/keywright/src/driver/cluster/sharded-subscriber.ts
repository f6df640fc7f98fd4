/* Sharded channels in a cluster: each is heard from the owner of its slot, over one connection per
 * node. A slot that moves is announced by the node that loses it, or by MOVED; its channels
 * are subscribed to at the new owner, and the caller is told that there was a gap. */

import { driverClosed, timedOutInQueue } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { NotApplied } from "../../errors/outcome.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Reply, SubscribeTo, Subscription } from "../driver.ts"
import { isRefusal } from "../server-errors.ts"
import type { ConnectionOptions } from "../resp/connection.ts"
import { type Ears, Listener } from "../resp/listener.ts"
import type { Endpoint } from "./endpoint.ts"
import type { Node } from "./node.ts"
import type { Topology, TopologyWatcher } from "./topology.ts"

export interface ShardedOptions {
  readonly label: string
  readonly timeoutMs: number
  readonly topology: Topology
  readonly listenTo: (node: Node) => ConnectionOptions
  /** What a node's MOVED names. */
  readonly movedTo: (error: KeywrightError, node: Node) => { readonly slot: number; readonly to: Endpoint } | undefined
}

/** The channels of one slot: one SSUBSCRIBE takes no more. */
interface SlotChannels {
  readonly slot: number
  readonly channels: readonly string[]
  ear: Ear | undefined
  confirmed: number
}

const AGAIN_MS = 50

export function subscribeSharded(options: ShardedOptions, to: SubscribeTo): Promise<Subscription> {
  return new ShardedSubscriber(options, to).start()
}

class ShardedSubscriber implements Subscription, TopologyWatcher {
  readonly options: ShardedOptions
  readonly to: SubscribeTo
  readonly groups = new Map<number, SlotChannels>()
  readonly #ears = new Map<Node, Ear>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #isRefused = false
  lastError: unknown
  #started: { resolve: (subscription: Subscription) => void; reject: (error: unknown) => void } | undefined

  constructor(options: ShardedOptions, to: SubscribeTo) {
    this.options = options
    this.to = to
    for (const channel of new Set(to.sharded)) {
      const slot = clusterSlot(channel)
      const channels = [...(this.groups.get(slot)?.channels ?? []), channel]
      this.groups.set(slot, { slot, channels, ear: undefined, confirmed: 0 })
    }
  }

  start(): Promise<Subscription> {
    const { label, timeoutMs, topology } = this.options
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => this.fail(timedOutInQueue("SSUBSCRIBE", label, timeoutMs, this.lastError)),
        timeoutMs,
      )
      this.#started = {
        resolve: (subscription) => (clearTimeout(late), resolve(subscription)),
        reject: (error) => (clearTimeout(late), reject(error)),
      }
      topology.watch(this)
      this.onChange()
    })
  }

  close(): Promise<void> {
    this.fail(driverClosed("SSUBSCRIBE", this.options.label))
    return Promise.resolve()
  }

  get isWaiting(): boolean {
    return [...this.groups.values()].some((group) => !isHeard(group))
  }

  get isStarting(): boolean {
    return this.#started !== undefined
  }

  /** Owners are known, or have changed: each group is heard from the owner of its slot. */
  onChange(): void {
    if (this.#isClosed) return
    const { topology } = this.options
    for (const group of this.groups.values()) {
      const owner = topology.ownerOf(group.slot)
      if (owner === undefined) topology.want(0)
      else if (group.ear?.node !== owner) this.#move(group, owner)
    }
    for (const [node, ear] of this.#ears) if (ear.isIdle) this.#drop(node, ear)
  }

  /** All groups of an ear are heard. */
  heard(isAgain: boolean): void {
    if (isAgain) this.to.onGap?.()
    if (this.isWaiting) return
    this.#isRefused = false
    this.#started?.resolve(this)
    this.#started = undefined
  }

  /** A node refuses what it was asked for again. */
  refused(error: KeywrightError): void {
    if (!this.#isRefused) this.to.onRefused?.(error)
    this.#isRefused = true
  }

  /** A moment later, in case the cluster has not agreed yet. */
  again(): void {
    this.options.topology.want(0)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.onChange()
      for (const ear of this.#ears.values()) ear.askAgain()
    }, AGAIN_MS)
  }

  fail(error: unknown): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.options.topology.unwatch(this)
    for (const ear of this.#ears.values()) ear.close()
    this.#started?.reject(error)
    this.#started = undefined
  }

  #move(group: SlotChannels, owner: Node): void {
    group.ear?.leave(group)
    let ear = this.#ears.get(owner)
    if (ear === undefined) this.#ears.set(owner, (ear = new Ear(this, owner)))
    ear.take(group)
  }

  #drop(node: Node, ear: Ear): void {
    ear.close()
    this.#ears.delete(node)
  }
}

const isHeard = ({ confirmed, channels }: SlotChannels): boolean => confirmed === channels.length

/** The connection to one node, and the groups that are heard over it. */
class Ear implements Ears {
  readonly node: Node
  readonly #subscriber: ShardedSubscriber
  readonly #groups = new Set<SlotChannels>()
  readonly #listener: Listener
  /** Those whose SSUBSCRIBE is not answered yet, in order: an error does not say which one it answers. */
  #asked: SlotChannels[] = []
  #isLinked = false
  #isAgain = false

  constructor(subscriber: ShardedSubscriber, node: Node) {
    this.#subscriber = subscriber
    this.node = node
    this.#listener = new Listener(subscriber.options.listenTo(node), this)
  }

  get isIdle(): boolean {
    return this.#groups.size === 0
  }

  take(group: SlotChannels): void {
    this.#isAgain ||= !this.#subscriber.isStarting
    this.#groups.add(group)
    group.ear = this
    group.confirmed = 0
    if (this.#isLinked) this.#ask(group)
  }

  leave(group: SlotChannels): void {
    this.#groups.delete(group)
    if (this.#isLinked && isHeard(group)) this.#listener.tell(["SUNSUBSCRIBE", ...group.channels])
    group.ear = undefined
    group.confirmed = 0
  }

  /** What was refused, once more. */
  askAgain(): void {
    if (!this.#isLinked) return
    for (const group of this.#groups) if (group.confirmed === 0 && !this.#asked.includes(group)) this.#ask(group)
  }

  close(): void {
    this.#listener.close()
  }

  onLinked(): void {
    this.#isLinked = true
    this.#asked = []
    for (const group of this.#groups) this.#ask(group)
  }

  onUnlinked(error: unknown): void {
    this.#isLinked = false
    this.#asked = []
    const subscriber = this.#subscriber
    subscriber.lastError = error
    if (error instanceof KeywrightError && subscriber.isStarting) return subscriber.fail(error)
    const groups = [...this.#groups]
    if (isRefusal(error) && !groups.every(isHeard)) subscriber.refused(error)
    this.#isAgain ||= groups.some(isHeard)
    for (const group of this.#groups) group.confirmed = 0
    subscriber.options.topology.want(0)
  }

  onReply(reply: Reply): void {
    if (reply instanceof KeywrightError) return this.#refused(reply)
    if (!Array.isArray(reply)) return
    const [kind, channel, text] = reply as Reply[]
    if (kind === "smessage") this.#subscriber.to.onMessage({ channel: String(channel), text: String(text) })
    else if (kind === "ssubscribe") this.#confirmed(String(channel))
    else if (kind === "sunsubscribe" && channel !== null) this.#lost(String(channel))
  }

  #ask(group: SlotChannels): void {
    group.confirmed = 0
    this.#asked.push(group)
    this.#listener.ask(["SSUBSCRIBE", ...group.channels])
  }

  #confirmed(channel: string): void {
    const group = this.#subscriber.groups.get(clusterSlot(channel))
    if (group?.ear !== this) return
    if (this.#asked[0] === group) this.#asked.shift()
    group.confirmed++
    if ([...this.#groups].some((one) => !isHeard(one))) return
    this.#listener.calm()
    const isAgain = this.#isAgain
    this.#isAgain = false
    this.#subscriber.heard(isAgain)
  }

  /** The node has lost the slot. Asking it again finds out where it is now. */
  #lost(channel: string): void {
    const group = this.#subscriber.groups.get(clusterSlot(channel))
    if (group?.ear !== this || this.#asked.includes(group)) return
    this.#isAgain = true
    this.#ask(group)
  }

  #refused(error: KeywrightError): void {
    const group = this.#asked.shift()
    const { options } = this.#subscriber
    this.#subscriber.lastError = error
    const moved = error.code === "SERVER.MOVED" ? options.movedTo(error, this.node) : undefined
    if (group !== undefined && moved?.slot === group.slot) {
      options.topology.moved(group.slot, moved.to)
      if (!this.#subscriber.isStarting) this.#isAgain = true
      this.#subscriber.onChange()
    } else if (error instanceof NotApplied) this.#subscriber.again()
    else if (this.#subscriber.isStarting) this.#subscriber.fail(error)
    else this.#listener.leave(error)
  }
}
