/* One node of a cluster, as it is known. */

import type { FailedAt } from "../../errors/failed-at.ts"
import { type Endpoint, showEndpoint } from "./endpoint.ts"

export class Node {
  /** Counted from 0 within a cluster: every call finds its connection by it. */
  readonly number: number
  /** Its own name for itself; until that is known, where it was found. */
  id: string
  endpoint: Endpoint
  /** Since when it cannot be reached or does not answer; undefined: it can, or nobody has tried. */
  awaySince: number | undefined
  /** When it was taken for gone, so that nothing is expected of it; undefined: it is not. */
  goneAt: number | undefined
  replicas: readonly Node[] = []
  /** Found by a redirect, and so far not named by any node as a member of the cluster. */
  isStranger = false
  /** The nodes have agreed that it is a member of the cluster: it is asked about the others, and its answer counts. */
  hasVote = false
  /** It is no longer a member of the cluster, or has another address. */
  hasLeft = false

  constructor(number: number, id: string, endpoint: Endpoint) {
    this.number = number
    this.id = id
    this.endpoint = endpoint
  }

  get isGone(): boolean {
    return this.goneAt !== undefined && this.goneAt <= performance.now()
  }

  get label(): string {
    return showEndpoint(this.endpoint)
  }
}

/** For errors: this node, and the slot of the call if it has one. */
export const whereOf = ({ label }: Node, slot: number, role: FailedAt["role"] = "primary"): FailedAt => ({
  address: label,
  role,
  ...(slot >= 0 && { slot }),
})
