/* Connections to the nodes of a cluster, one for each node in use, opened when it is
 * first needed and closed when the node has left. */

import { notAMember } from "../../errors/cluster.ts"
import { failedAt } from "../../errors/failed-at.ts"
import type { KeywrightError } from "../../errors/error.ts"
import type { Call } from "../resp/call.ts"
import { Connection, type ConnectionOptions } from "../resp/connection.ts"
import type { Dial } from "../resp/dialler.ts"
import { DialPace } from "./dial-pace.ts"
import type { Endpoint } from "./endpoint.ts"
import { type Node, whereOf } from "./node.ts"

export interface PoolOptions {
  /** What all connections have in common. */
  readonly connection: Omit<ConnectionOptions, "dial" | "label" | "overseer">
  readonly dial: (endpoint: Endpoint) => Dial
  readonly labelOf: (endpoint: Endpoint) => string
  /** See Overseer. */
  readonly silenceMs: () => number
  /** Whether nodes must be primaries. */
  readonly onlyPrimaries: boolean
  /** A node answers. */
  readonly onBack: (node: Node) => void
  /** A node cannot be reached or does not answer. */
  readonly onAway: (node: Node, connection: Connection, reason: unknown) => void
  readonly onRefused: (node: Node, call: Call, error: KeywrightError) => boolean
}

export class Pool {
  readonly #options: PoolOptions
  readonly #pace = new DialPace()
  readonly #connections = new Map<Node, Connection>()
  /** The same, by the numbers of the nodes: an array is several times as fast. */
  readonly #byNumber: (Connection | undefined)[] = []

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** The connection to a node; opened, if there is none. */
  to(node: Node): Connection {
    return this.#byNumber[node.number] ?? this.#open(node)
  }

  get nodes(): readonly Node[] {
    return [...this.#connections.keys()]
  }

  isLinked(node: Node): boolean {
    return this.#connections.get(node)?.isLinked === true
  }

  /** Calls that wait for nodes which have left or are not reached, to be sent elsewhere. Nodes that have left are closed. */
  takeStranded(): { readonly calls: readonly Call[]; readonly node: Node }[] {
    const stranded: { readonly calls: readonly Call[]; readonly node: Node }[] = []
    for (const [node, connection] of this.#connections) {
      if (!node.hasLeft && connection.isLinked) continue
      stranded.push({ calls: connection.takeQueued(), node })
      if (!node.hasLeft) continue
      this.#connections.delete(node)
      this.#byNumber[node.number] = undefined
      void connection.close()
    }
    return stranded
  }

  async close(): Promise<void> {
    const connections = [...this.#connections.values()]
    await Promise.all(connections.map((connection) => connection.close()))
    this.#connections.clear()
    this.#byNumber.length = 0
  }

  #open(node: Node): Connection {
    const { connection: common, dial, labelOf, silenceMs, onlyPrimaries, onBack, onAway, onRefused } = this.#options
    const connection: Connection = new Connection({
      ...common,
      label: labelOf(node.endpoint),
      // Where it is now: an address may change while the node stays the same.
      dial: async (signal) => {
        await this.#pace.turn(labelOf(node.endpoint), signal)
        return dial(node.endpoint)(signal)
      },
      asksWho: true,
      overseer: {
        get silenceMs() {
          return silenceMs()
        },
        greeted: ({ mode, role }) => {
          if (mode !== undefined && mode !== "cluster") return notAMember(labelOf(node.endpoint))
          if (onlyPrimaries && role === "replica") return new Error(`${node.label} is a replica`)
          this.#pace.reached(labelOf(node.endpoint))
          onBack(node)
          return undefined
        },
        takesBatches: true,
        unlinked: (reason) => onAway(node, connection, reason),
        refused: (call, error) => onRefused(node, call, error),
        failed: (call, error) => failedAt(error, whereOf(node, call.slot, onlyPrimaries ? "primary" : "replica")),
      },
    })
    this.#connections.set(node, connection)
    this.#byNumber[node.number] = connection
    return connection
  }
}
