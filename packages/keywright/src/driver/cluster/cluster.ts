/* A cluster, from the addresses of some of its nodes: what is known of it, and the
 * connections to its nodes. */

import { knowsNoSlots } from "../../errors/cluster.ts"
import type { ReadRole, Reply } from "../driver.ts"
import { SAFE } from "../safe.ts"
import { saidIn } from "../server-errors.ts"
import { Connection, type ConnectionOptions } from "../resp/connection.ts"
import type { Dial } from "../resp/dialler.ts"
import { type Endpoint, type Nat, redirectIn, showEndpoint, throughNat } from "./endpoint.ts"
import { Router } from "./router.ts"
import type { SlotState } from "../scan-nodes.ts"
import type { ShardedOptions } from "./sharded-subscriber.ts"
import { readSlotState } from "./slot-state.ts"
import { readSlotView, type SlotView } from "./slot-view.ts"
import { Topology } from "./topology.ts"

export interface ClusterOptions {
  /** For people: the cluster as a whole. */
  readonly label: string
  /** What the connections to all nodes have in common. */
  readonly connection: Omit<ConnectionOptions, "dial" | "label" | "overseer" | "onGreeted" | "onNotLinked">
  /** The addresses that were given: never forgotten, and always resolved again. */
  readonly seeds: readonly Endpoint[]
  readonly dial: (endpoint: Endpoint) => Dial
  readonly labelOf: (endpoint: Endpoint) => string
  readonly nat: Nat | undefined
  /** Who answers reads for which the caller does not say it. */
  readonly read: ReadRole
}

/** How long to wait for a node's view of the slots, also if it has to be dialled first. */
const ANSWER_MS = 1000
/** A primary that is silent for longer may have been replaced. */
const LONGEST_SILENCE_MS = 2000

export class Cluster {
  readonly topology: Topology
  readonly router: Router
  readonly #options: ClusterOptions
  #silenceMs = LONGEST_SILENCE_MS
  #isTimeoutKnown = false

  constructor(options: ClusterOptions) {
    this.#options = options
    this.topology = new Topology(options.seeds, {
      linked: () => this.router.pool.nodes.filter((node) => this.router.pool.isLinked(node)),
      ask: (node) => this.#ask(this.router.on(node), node.endpoint, ANSWER_MS),
      dial: (endpoint) => this.#dial(endpoint),
    })
    this.router = this.newRouter(() => this.#silenceMs)
  }

  /** Separate connections to the same nodes: for blocking calls, or for another database. */
  newRouter(
    silenceMs: () => number = () => this.#silenceMs,
    db = this.#options.connection.db,
    name = this.#options.connection.name,
  ): Router {
    const { label, connection, dial, labelOf, nat, read } = this.#options
    return new Router({
      label,
      timeoutMs: connection.timeoutMs,
      queueCalls: connection.queueCalls,
      nat,
      topology: this.topology,
      read,
      pool: { connection: { ...connection, db, name }, dial, labelOf, silenceMs, onlyPrimaries: true },
    })
  }

  slots(router: Router): Promise<SlotState> {
    return readSlotState(router, (node) => router.scanned.numberOf(node), this.#options.nat)
  }

  /** A connection to any reachable node, in rotation. */
  anywhere(): ConnectionOptions {
    const { connection, dial, label, seeds } = this.#options
    let turn = Math.floor(Math.random() * 1000)
    const next = (): Endpoint => {
      const near = this.topology.primaries.filter(({ awaySince }) => awaySince === undefined)
      const known = near.length > 0 ? near.map(({ endpoint }) => endpoint) : seeds
      return known[turn++ % known.length]!
    }
    return { ...connection, label, dial: (signal) => dial(next())(signal) }
  }

  /** How sharded channels are listened to. */
  sharded(): ShardedOptions {
    const { connection, dial, label, labelOf, nat } = this.#options
    return {
      label,
      timeoutMs: connection.timeoutMs,
      topology: this.topology,
      listenTo: (node) => ({
        ...connection,
        label: labelOf(node.endpoint),
        dial: (signal) => dial(node.endpoint)(signal),
      }),
      movedTo: (error, { endpoint }) => {
        const found = redirectIn(saidIn(error), endpoint)
        return found?.to && { slot: found.slot, to: throughNat(found.to, nat) }
      },
    }
  }

  async close(): Promise<void> {
    await this.router.close()
    this.topology.close()
  }

  async #dial(endpoint: Endpoint): Promise<SlotView> {
    const { connection: common, dial, labelOf } = this.#options
    const connectTimeoutMs = Math.min(common.connectTimeoutMs, ANSWER_MS)
    const connection = new Connection({
      ...common,
      db: 0,
      connectTimeoutMs,
      label: labelOf(endpoint),
      dial: dial(endpoint),
    })
    try {
      return await this.#ask(connection, endpoint, connectTimeoutMs)
    } finally {
      void connection.close()
    }
  }

  async #ask(connection: Connection, endpoint: Endpoint, timeoutMs: number): Promise<SlotView> {
    if (!this.#isTimeoutKnown) this.#learnTimeout(connection, timeoutMs)
    const slots = ["CLUSTER", "SLOTS"]
    const reply = await connection.call("one", slots, undefined, undefined, { ...SAFE, timeoutMs })
    const view = readSlotView(reply, endpoint, this.#options.nat)
    if (view.length === 0) throw knowsNoSlots(showEndpoint(endpoint))
    return view
  }

  /**
   * Half of the time after which a node that does not answer is replaced; where CONFIG is not permitted, two seconds.
   */
  #learnTimeout(connection: Connection, timeoutMs: number): void {
    const command = ["CONFIG", "GET", "cluster-node-timeout"]
    connection.call("one", command, undefined, undefined, { ...SAFE, timeoutMs }).then(
      (reply: Reply) => {
        const ms = Array.isArray(reply) ? Number(reply[1]) : Number.NaN
        if (ms > 0) this.#silenceMs = Math.min(LONGEST_SILENCE_MS, ms / 2)
        this.#isTimeoutKnown = true
      },
      () => undefined,
    )
  }
}
