/* The way from a call to a node: the layer in front of the connections of a cluster.
 *
 * A call goes to the known owner of its slot. That node's answer is final, except:
 *   MOVED        the slot is elsewhere: there, at once, and so is all that follows
 *   ASK          this key may be elsewhere already: there, once, with ASKING before it
 *   TRYAGAIN, CLUSTERDOWN, LOADING, MASTERDOWN, READONLY
 *                not now: retried in some milliseconds, at the owner the slot has then
 * Nothing was carried out in any of these cases. A lost connection is another matter, and
 * decided by the connection itself (see connection.ts). Nothing here awaits anything, so a
 * slow or broken node does not delay calls to other nodes. */

import {
  downBecauseOf,
  noOwner,
  nodeLeft,
  redirectedTooOften,
  refusedAt,
  severalSlots,
  strangers,
} from "../../errors/cluster.ts"
import { driverClosed } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { failedAt } from "../../errors/failed-at.ts"
import type { CallOptions, Command, ReadRole, Reply, ReplyReader, Script } from "../driver.ts"
import { clusterSlot } from "../cluster-slot.ts"
import { fixedKey } from "../first-key.ts"
import { isReadCommand } from "../read-commands.ts"
import { saidIn } from "../server-errors.ts"
import { ANY_NODE, Call, type CallKind, SEVERAL_SLOTS } from "../resp/call.ts"
import type { Connection } from "../resp/connection.ts"
import { Silence } from "../resp/dialler.ts"
import { batchOf, everywhere, inParts } from "./several.ts"
import { redirectIn, showEndpoint, throughNat, type Nat } from "./endpoint.ts"
import { Lobby } from "./lobby.ts"
import { type Node, whereOf } from "./node.ts"
import { Pool, type PoolOptions } from "./pool.ts"
import { isPassing, meansAllNodes, partsBySlot, slotOfCall } from "./routing.ts"
import { Replicas } from "./replicas.ts"
import { Scanned } from "./scanned.ts"
import { MOST_STRANGERS, type Topology, type TopologyWatcher } from "./topology.ts"

export interface RouterOptions {
  readonly label: string
  readonly timeoutMs: number
  readonly queueCalls: number
  readonly nat: Nat | undefined
  readonly pool: Omit<PoolOptions, "onBack" | "onAway" | "onRefused">
  readonly topology: Topology
  /** Who may answer reads that say nothing about it. */
  readonly read: ReadRole
}

/** The number of redirects followed at once; after that, a call waits a moment for the nodes to agree. */
const MOST_HOPS = 5
/** While replicas are wanted and none is known, how long until nodes are asked again. */
const REPLICAS_MS = 1000

export class Router implements TopologyWatcher {
  readonly label: string
  readonly topology: Topology
  readonly pool: Pool
  readonly scanned: Scanned
  readonly #options: RouterOptions
  readonly #lobby: Lobby
  readonly #replicas: Replicas
  #now = 0
  #isTimed = false
  #isClosed = false

  constructor(options: RouterOptions) {
    this.#options = options
    this.label = options.label
    this.topology = options.topology
    this.scanned = new Scanned(options.topology)
    this.pool = new Pool({
      ...options.pool,
      onBack: (node) => this.topology.back(node),
      onAway: (node, _, reason) => this.topology.away(node, reason instanceof Silence),
      onRefused: (node, call, error) => this.#refused(node, call, error),
    })
    this.#replicas = new Replicas(options.pool, (node, call) => this.#elsewhere(node, call))
    this.#lobby = new Lobby({
      label: options.label,
      queueCalls: options.queueCalls,
      route: (call) => this.take(call),
      tooLate: (call) => this.#tooLate(call),
    })
    this.topology.watch(this)
  }

  call(
    kind: CallKind,
    command: Command,
    commands: readonly Command[] | undefined,
    script: Script | undefined,
    options: CallOptions | undefined,
    reader?: ReplyReader<unknown>,
  ): Promise<Reply> {
    // The usual way: as if the owner of its key were the only server.
    const usual = kind === "one" && options?.read === undefined ? fixedKey(command) : undefined
    if (usual !== undefined && !this.#isClosed) {
      const slot = clusterSlot(usual)
      const node = this.topology.ownerOf(slot)
      if (node !== undefined) return this.pool.to(node).call(kind, command, commands, script, options, reader, slot)
    }
    return this.#otherwise(kind, command, commands, script, options, reader)
  }

  /** A call that has no key or several, may be read elsewhere, or whose owner is not known. */
  #otherwise(
    kind: CallKind,
    command: Command,
    commands: readonly Command[] | undefined,
    script: Script | undefined,
    options: CallOptions | undefined,
    reader?: ReplyReader<unknown>,
  ): Promise<Reply> {
    if (kind === "batch") return batchOf(this, commands!, options)
    if (kind === "one") {
      const split = partsBySlot(command)
      if (split !== undefined) return readBy(reader, inParts(this, split, options))
    }
    const slot = slotOfCall(kind, command, commands, script)
    if (options?.read !== undefined && kind === "one" && slot !== undefined && isReadCommand(command)) {
      const connection = this.readerOf(slot, options)
      if (connection !== undefined) return connection.call(kind, command, commands, script, options, reader, slot)
    }
    if (slot === ANY_NODE && kind === "one") {
      const join = meansAllNodes(command)
      if (join !== undefined) return readBy(reader, everywhere(this, command, join, options))
    }
    if (slot !== undefined && slot !== ANY_NODE && !this.#isClosed) {
      const node = this.topology.ownerOf(slot)
      if (node !== undefined) return this.pool.to(node).call(kind, command, commands, script, options, reader, slot)
    }
    return new Promise((resolve, reject) => {
      const deadline = this.now + (options?.timeoutMs ?? this.#options.timeoutMs)
      const call = new Call(kind, command, commands, script, options, deadline, resolve, reject)
      call.reader = reader
      if (slot === undefined) return call.fail(severalSlots(call.name))
      if (this.#isClosed) return call.fail(driverClosed(call.name, this.label))
      call.slot = slot
      this.take(call)
    })
  }

  /** Sends a call where it belongs now. */
  take(call: Call): void {
    if (call.isTooLate) return call.refuse(call.refusal!, this.label)
    call.asking = false
    call.hops = 0
    const node = call.slot === ANY_NODE ? this.anyNode() : this.topology.ownerOf(call.slot)
    if (node !== undefined) return this.pool.to(node).take(call)
    this.#lobby.await(call)
    this.topology.want(0)
  }

  /** The same call, after a node has refused it: to where the refusal says. Returns false when the refusal is final. */
  redirect(node: Node, call: Call, error: KeywrightError): boolean {
    call.refused()
    const reason = error.code === "SERVER.EXECABORT" && error.cause instanceof KeywrightError ? error.cause : error
    switch (reason.code) {
      case "SERVER.MOVED":
      case "SERVER.ASK":
        this.#follow(node, call, reason)
        return true
      case "SERVER.CLUSTERDOWN":
      case "SERVER.READONLY":
      case "SERVER.MASTERDOWN":
      case "SERVER.LOADING":
        this.topology.want(0)
        this.#park(node, call, reason)
        return true
      case "SERVER.TRYAGAIN":
        this.#park(node, call, reason)
        return true
      default:
        return false
    }
  }

  /** Waits and retries, as `redirect` would: false when the refusal is final, or the time is up. */
  async pause(node: Node, slot: number, error: KeywrightError, until: number): Promise<boolean> {
    const found = error.code === "SERVER.MOVED" ? redirectIn(saidIn(error), node.endpoint) : undefined
    if (!isPassing(error)) return false
    if (found?.to !== undefined && found.slot === slot)
      this.topology.moved(slot, throughNat(found.to, this.#options.nat))
    else this.topology.want(0)
    const ms = 10 + Math.random() * 40
    if (performance.now() + ms >= until) return false
    await new Promise((resolve) => setTimeout(resolve, ms))
    return true
  }

  /** The error that a call ends with if its time is up: what a node refused it for, and which one. */
  noted(node: Node, slot: number, reason: KeywrightError, name = "a batch"): KeywrightError {
    const isRedirect = reason.code === "SERVER.MOVED" || reason.code === "SERVER.ASK"
    const refusal = isRedirect ? redirectedTooOften(name, node.label, reason) : refusedAt(node.label, reason)
    failedAt(refusal, whereOf(node, slot))
    if (refusal.code === "SERVER.CLUSTERDOWN") downBecauseOf(refusal, this.topology.unreached)
    return refusal
  }

  /** The node that a refusal says to ask this once; undefined for all other refusals. */
  askedFor(node: Node, error: KeywrightError): Node | undefined {
    const found = error.code === "SERVER.ASK" ? redirectIn(saidIn(error), node.endpoint) : undefined
    return found?.to && this.topology.at(throughNat(found.to, this.#options.nat))
  }

  /** A call that was made before it was known that this is a cluster. */
  adopt(call: Call): void {
    const { kind, command, commands, script, options, deadline } = call
    const slot =
      kind === "batch" || partsBySlot(command) !== undefined ? undefined : slotOfCall(kind, command, commands, script)
    if (slot !== undefined && slot !== ANY_NODE) {
      call.slot = slot
      return this.take(call)
    }
    const timeoutMs = Math.max(1, deadline - performance.now())
    this.call(kind, command, commands, script, { ...options, timeoutMs }).then(
      (reply) => call.settled || call.answer(reply, this.label),
      (error: unknown) => call.settled || call.refuse(error as Error, this.label),
    )
  }

  /** A call to one node, whatever its keys. */
  on(node: Node): Connection {
    return this.pool.to(node)
  }

  /** A replica for a read that may go to one; undefined: the primary answers. */
  readerOf(slot: number, { read }: CallOptions): Connection | undefined {
    const reader = read === "as-opened" ? this.#options.read : read
    const node = reader !== "replica" || slot < 0 || this.#isClosed ? undefined : this.topology.ownerOf(slot)
    if (node === undefined) return undefined
    // Redis does not name replicas that have received nothing yet.
    if (node.replicas.length === 0) this.topology.want(REPLICAS_MS)
    return this.#replicas.of(node)
  }

  /** One that can be reached, if there is one. */
  anyNode(): Node | undefined {
    const { primaries } = this.topology
    return (
      primaries.find((node) => this.pool.isLinked(node)) ??
      primaries.find((node) => node.awaySince === undefined) ??
      primaries[0]
    )
  }

  onChange(): void {
    for (const { calls, node } of this.pool.takeStranded()) {
      if (calls.length === 0) continue
      const mayComeBack = !node.hasLeft && !this.topology.isReplica(node)
      for (const call of calls) {
        if (call.slot < ANY_NODE && call.slot !== SEVERAL_SLOTS && mayComeBack) this.pool.to(node).take(call)
        else this.#elsewhere(node, call)
      }
    }
    this.#replicas.dismiss()
    this.#lobby.retry()
  }

  get isWaiting(): boolean {
    return this.#lobby.isAwaiting
  }

  /** The time, as of this tick. */
  get now(): number {
    if (!this.#isTimed) {
      this.#isTimed = true
      this.#now = performance.now()
      setImmediate(() => (this.#isTimed = false))
    }
    return this.#now
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#lobby.close()
    this.topology.unwatch(this)
    await Promise.all([this.pool.close(), this.#replicas.close()])
  }

  /** A call that its node cannot answer: to the owner of its slot; what is for several slots is taken apart by its sender. */
  #elsewhere(node: Node, call: Call): void {
    if (call.slot >= ANY_NODE) this.take(call)
    else call.refuse(nodeLeft(call.name, node.label), this.label)
  }

  #refused(node: Node, call: Call, error: KeywrightError): boolean {
    return call.slot >= ANY_NODE && this.redirect(node, call, error)
  }

  #follow(node: Node, call: Call, reason: KeywrightError): void {
    const found = redirectIn(saidIn(reason), node.endpoint)
    const to = found?.to && throughNat(found.to, this.#options.nat)
    if (found === undefined || to === undefined) {
      // The node says "elsewhere" but not where: other nodes know.
      this.topology.want(0)
      return this.#park(node, call, reason)
    }
    const isAsk = reason.code === "SERVER.ASK"
    // A node has no say about a slot that it was not asked about: the answer would be another node's.
    const isOwn = found.slot === call.slot
    if (!isAsk && !isOwn) this.topology.want(0)
    const target = isAsk || !isOwn ? this.topology.at(to) : this.topology.moved(found.slot, to)
    if (target === undefined) {
      // Too many unknown addresses: it waits until it is known which of them are nodes of the cluster.
      const refusal = strangers(call.name, node.label, showEndpoint(to), MOST_STRANGERS, reason)
      failedAt(refusal, whereOf(node, call.slot))
      return this.#wait(call, refusal)
    }
    if (++call.hops > MOST_HOPS) return this.#park(node, call, reason)
    // A redirect is followed once; its error is reported if the time is up there.
    if (call.isTooLate) return this.#park(node, call, reason)
    if (call.hops > 1) call.refusal = this.noted(node, call.slot, reason, call.name)
    call.asking = isAsk
    this.pool.to(target).take(call)
  }

  #park(node: Node, call: Call, reason: KeywrightError): void {
    this.#wait(call, this.noted(node, call.slot, reason, call.name))
  }

  /** Until it is tried again: see `take`. */
  #wait(call: Call, refusal: KeywrightError): void {
    call.refusal = refusal
    this.#lobby.park(call)
  }

  #tooLate(call: Call): Error {
    const ms = call.options?.timeoutMs ?? this.#options.timeoutMs
    const { lastError, isKnown } = this.topology
    return call.refusal ?? noOwner(call.name, call.slot, this.label, ms, isKnown ? undefined : lastError)
  }
}

/** In the form in which a connection would deliver the reply. */
function readBy(reader: ReplyReader<unknown> | undefined, reply: Promise<Reply>): Promise<Reply> {
  if (reader === undefined) return reply
  return reply.then(
    (found) => reader.answered(found) as Reply,
    (error: unknown) => {
      throw reader.failed(error)
    },
  )
}
