/* Which server a plan was made on, and a journal written on. One server is known by its address
 * and database; a cluster by the ids of its nodes, which they keep when they restart, move or
 * change roles: whatever node is asked, it is the same cluster while they have one in common. */

import type { Driver } from "../driver/driver.ts"

const CLUSTER = "cluster:"
const NODE_ID = /^[0-9a-f]{40}(?= )/gm

/** Where a driver leads to, as it is noted in plans and journals. */
export async function serverMark(driver: Driver): Promise<string> {
  if (!driver.cluster) return addressInLabel(driver.label)
  const nodes = String(await driver.send(["CLUSTER", "NODES"]))
  return CLUSTER + (nodes.match(NODE_ID) ?? []).toSorted().join()
}

/** Whether both are the same server, or the same cluster. */
export function isSameServer(one: string, other: string): boolean {
  if (!one.startsWith(CLUSTER) || !other.startsWith(CLUSTER)) return addressInLabel(one) === addressInLabel(other)
  const nodes = new Set(nodesIn(one))
  return nodesIn(other).some((node) => nodes.has(node))
}

const nodesIn = (mark: string): string[] => mark.slice(CLUSTER.length).split(",").filter(Boolean)

/** `"redis://localhost:6379/0 (own connection)"` → `"redis://127.0.0.1:6379/0"`: what a label says about a place. */
const addressInLabel = (label: string): string =>
  label.replace(/ \([^()]*\)$/, "").replace(/^(\w+:\/\/)(?:localhost|\[::1\])(?=[:/])/, "$1127.0.0.1")
