/* Who owns which slot, as one node sees it: its answer to CLUSTER SLOTS, read with care,
 * since it may be incomplete or wrong. */

import { slotsUnreadable, tooManyNodes } from "../../errors/cluster.ts"
import { SLOTS } from "../cluster-slot.ts"
import type { Reply } from "../driver.ts"
import { MOST_NODES } from "../scan-nodes.ts"
import { type Endpoint, endpointOf, HOST, type Nat, showEndpoint, throughNat } from "./endpoint.ts"

export interface SeenNode {
  /** The node's own name for itself; of servers before 4.0, its address. */
  readonly id: string
  /** Undefined: the node that was asked does not know it. */
  readonly endpoint: Endpoint | undefined
}

/** A range of slots, and the nodes that have them: the primary first. */
export interface SlotRange {
  readonly from: number
  readonly to: number
  readonly primary: SeenNode
  readonly replicas: readonly SeenNode[]
}

export type SlotView = readonly SlotRange[]

const MOST_RANGES = SLOTS
/** Primaries and replicas. */
export const MOST_MEMBERS = 4 * MOST_NODES

/** Throws when the reply is not one of CLUSTER SLOTS. */
export function readSlotView(reply: Reply | undefined, asked: Endpoint, nat?: Nat): SlotView {
  const where = showEndpoint(asked)
  if (!Array.isArray(reply)) throw slotsUnreadable(where, "It is not a list.")
  // A division of the slots has one for each of them at most.
  if (reply.length > MOST_RANGES) throw slotsUnreadable(where, `It has ${reply.length} ranges.`)
  const followers = new Set<string>()
  let slots = 0
  const view = reply.map((row: Reply): SlotRange => {
    if (!Array.isArray(row) || row.length < 3) throw slotsUnreadable(where, "A range names no node.")
    const [from, to, ...nodes] = row as readonly Reply[]
    if (nodes.length > MOST_NODES) throw slotsUnreadable(where, `A range names ${nodes.length} nodes.`)
    if (!isSlot(from) || !isSlot(to) || from > to) throw slotsUnreadable(where, "A range is not one of slots.")
    // Each slot once: a list that names all of them thousands of times would keep the process busy.
    if ((slots += to - from + 1) > SLOTS) throw slotsUnreadable(where, "It names slots more than once.")
    const [primary, ...replicas] = nodes.map((node) => readNode(node, asked, nat))
    if (primary === undefined) throw slotsUnreadable(where, "A range names no primary.")
    for (const node of replicas) if (node !== undefined) followers.add(node.id)
    if (followers.size > MOST_MEMBERS) throw slotsUnreadable(where, `It names more than ${MOST_MEMBERS} replicas.`)
    return { from, to, primary, replicas: replicas.filter((node) => node !== undefined) }
  })
  const primaries = new Set(view.map(({ primary }) => primary.id)).size
  if (primaries > MOST_NODES) throw tooManyNodes(where, primaries, MOST_NODES)
  return view
}

/** Who has which slots, and where: the same text for all views that say the same. */
export const primariesIn = (view: SlotView): string =>
  view
    .map(({ from, to, primary: { id, endpoint } }) => `${from}-${to} ${id} ${endpoint && showEndpoint(endpoint)}`)
    .sort()
    .join("\n")

const isSlot = (value: Reply | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < SLOTS

/** `[host, port, id, ["hostname", "a.example"]]` */
function readNode(node: Reply, asked: Endpoint, nat: Nat | undefined): SeenNode | undefined {
  if (!Array.isArray(node) || node.length < 2) return undefined
  const [host, port, id, more] = node as readonly Reply[]
  const found = endpointOf(host, port, asked)
  const endpoint = found && throughNat(withHostName(found, more), nat)
  if (typeof id === "string" && id !== "") return { id, endpoint }
  return endpoint && { id: showEndpoint(endpoint), endpoint }
}

function withHostName(endpoint: Endpoint, more: Reply | undefined): Endpoint {
  const at = Array.isArray(more) ? more.indexOf("hostname") : -1
  const name: unknown = at < 0 ? undefined : (more as readonly Reply[])[at + 1]
  return typeof name === "string" && HOST.test(name) ? { ...endpoint, name } : endpoint
}
