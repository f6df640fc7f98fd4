/* Walking all keys of a cluster by SCAN, so that no key that existed throughout is missed,
 * while slots move from node to node and primaries are replaced.
 *
 * A cursor says which node it belongs to, so that one loop goes through all of them. Each
 * node is walked once. Then slots that have changed hands meanwhile are walked again where
 * they are now, and those that are moving: first at their source, then at their
 * destination, so that no key slips through. That is repeated until nothing has changed. */

import { clusterSlot } from "./cluster-slot.ts"
import type { Driver, Wire } from "./driver.ts"

/** Who has which slots, by the numbers that cursors have for nodes. */
export interface SlotState {
  /** Numbers of the primaries, in the order of their slots. */
  readonly nodes: readonly number[]
  readonly owners: readonly (number | undefined)[]
  /** Slots whose keys are on the way, and where they go. */
  readonly moving: ReadonlyMap<number, number>
}

/** A part of the keys: from this cursor on, for as long as cursors are of the same node. */
export interface ScanTarget {
  readonly first: string
  /** For a cluster: the number of the node. */
  readonly node?: number
  /** Which keys are meant, if not all. */
  readonly wants?: (key: Wire) => boolean
}

const NODE_BITS = 10n
export const MOST_NODES = Number(1n << NODE_BITS)
/** The largest number of passes over a cluster that keeps changing. */
const MOST_ROUNDS = 100

/** The cursor of a node, as a cursor of the cluster. SCAN counts from the highest bit: so nodes come one after another. */
export function cursorOn(node: number, cursor: string): string {
  let low = 0n
  for (let bit = 0n; bit < NODE_BITS; bit++) low = (low << 1n) | ((BigInt(node) >> bit) & 1n)
  return String((BigInt(cursor) << NODE_BITS) | low)
}

export function nodeOf(cursor: string): { readonly node: number; readonly cursor: string } {
  const whole = BigInt(cursor)
  let node = 0n
  for (let bit = 0n; bit < NODE_BITS; bit++) node = (node << 1n) | ((whole >> bit) & 1n)
  return { node: Number(node), cursor: String(whole >> NODE_BITS) }
}

/** Whether a target is done when this is the next cursor. */
export const isBeyond = (target: ScanTarget, next: string): boolean =>
  next === "0" || (target.node !== undefined && nodeOf(next).node !== target.node)

/** What to walk, in turn. Each target is to be walked to its end before the next is asked for. */
export async function* scanTargets(driver: Driver): AsyncGenerator<ScanTarget> {
  await driver.ready?.()
  if (driver.slots === undefined || !driver.cluster) return yield { first: "0" }
  const before = await driver.slots()
  for (const node of before.nodes) yield { first: cursorOn(node, "0"), node }
  let known = before
  let isFirst = true
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const now = await driver.slots()
    const slots = unsure(known, now, isFirst)
    if (slots.size === 0) return
    const from = [...slots].flatMap((slot) => now.owners[slot] ?? [])
    const to = [...slots].flatMap((slot) => now.moving.get(slot) ?? [])
    const wants = (key: Wire) => slots.has(clusterSlot(key))
    for (const nodes of [new Set(from), new Set(to)])
      for (const node of nodes) yield { first: cursorOn(node, "0"), node, wants }
    known = now
    isFirst = false
  }
}

/** Slots of which keys may have been missed between two looks. */
function unsure(before: SlotState, now: SlotState, isFirst: boolean): Set<number> {
  const slots = new Set<number>(isFirst ? before.moving.keys() : [])
  for (const [slot, to] of now.moving) if (isFirst || before.moving.get(slot) !== to) slots.add(slot)
  now.owners.forEach((owner, slot) => {
    // A slot that was walked on both nodes while it moved has arrived.
    const hasArrived = !isFirst && before.moving.get(slot) === owner
    if (owner !== before.owners[slot] && !hasArrived) slots.add(slot)
  })
  return slots
}

/** For a SCAN that failed: whether the node it asked has been replaced. Then its keys are walked elsewhere, later. */
export async function isReplaced(driver: Driver, cursor: string, timeoutMs: number): Promise<boolean> {
  if (driver.slots === undefined || !driver.cluster) return false
  const { node } = nodeOf(cursor)
  const until = performance.now() + timeoutMs
  do {
    const { nodes } = await driver.slots()
    if (!nodes.includes(node)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  } while (performance.now() < until)
  return false
}
