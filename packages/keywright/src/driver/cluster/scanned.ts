/* Numbers of nodes, for cursors: given when a node is first walked, and kept. */

import { tooManyNodes } from "../../errors/cluster.ts"
import { MOST_NODES } from "../scan-nodes.ts"
import type { Node } from "./node.ts"
import type { Topology } from "./topology.ts"

export class Scanned {
  readonly #topology: Topology
  readonly #nodes: Node[] = []

  constructor(topology: Topology) {
    this.#topology = topology
  }

  numberOf(node: Node): number {
    const known = this.#nodes.indexOf(node)
    if (known >= 0) return known
    // Numbers of nodes that have left are reused only when all are taken.
    const free = this.#nodes.length < MOST_NODES ? this.#nodes.length : this.#nodes.findIndex(({ hasLeft }) => hasLeft)
    if (free < 0) throw tooManyNodes("the cluster", MOST_NODES + 1, MOST_NODES)
    this.#nodes[free] = node
    return free
  }

  /** The node of this number; undefined when it has left, or follows another one. */
  at(number: number): Node | undefined {
    this.#number()
    const node = this.#nodes[number]
    return node === undefined || node.hasLeft || this.#topology.isReplica(node) ? undefined : node
  }

  /** The next primary in the order of numbers; undefined after the last. */
  after(number: number): number | undefined {
    const primaries = this.#number()
    for (let next = number + 1; next < this.#nodes.length; next++) if (primaries.has(this.#nodes[next]!)) return next
    return undefined
  }

  #number(): ReadonlySet<Node> {
    const primaries = this.#topology.primaries
    for (const node of primaries) this.numberOf(node)
    return new Set(primaries)
  }
}
