/* Reads that a replica may answer. A replica is used only while there is a link to it: until
 * then, and when it is lost or refuses, the primary answers, so no call ever waits for a
 * replica. */

import type { Call } from "../resp/call.ts"
import type { Connection } from "../resp/connection.ts"
import type { Node } from "./node.ts"
import { Pool, type PoolOptions } from "./pool.ts"

export class Replicas {
  readonly #pool: Pool
  readonly #elsewhere: (node: Node, call: Call) => void
  #turn = 0

  /** `elsewhere` takes calls that a replica did not answer. */
  constructor(
    options: Omit<PoolOptions, "onBack" | "onAway" | "onRefused">,
    elsewhere: (node: Node, call: Call) => void,
  ) {
    this.#elsewhere = elsewhere
    this.#pool = new Pool({
      ...options,
      connection: { ...options.connection, readOnly: true },
      onlyPrimaries: false,
      onBack: () => undefined,
      onAway: (node, connection) => {
        for (const call of connection.takeQueued()) elsewhere(node, call)
      },
      onRefused: (node, call, error) => {
        if (!/^SERVER\.(MOVED|ASK|CLUSTERDOWN|LOADING|MASTERDOWN|READONLY|TRYAGAIN)$/.test(error.code)) return false
        elsewhere(node, call)
        return true
      },
    })
  }

  /** A replica of this primary that answers, in rotation; undefined when there is none for now. */
  of({ replicas }: Node): Connection | undefined {
    for (let i = 0; i < replicas.length; i++) {
      const connection = this.#pool.to(replicas[this.#turn++ % replicas.length]!)
      if (connection.isLinked) return connection
    }
    return undefined
  }

  /** Closes connections to nodes that have left. */
  dismiss(): void {
    for (const { calls, node } of this.#pool.takeStranded()) for (const call of calls) this.#elsewhere(node, call)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
