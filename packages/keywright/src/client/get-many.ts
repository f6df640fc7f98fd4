/* Several strings and counters, of any definitions, in one MGET for each database
 * and, in a cluster, each slot. Where a TTL slides, GETEX: reading moves it. */

import { clusterSlot } from "../driver/cluster-slot.ts"
import type { Reply, Wire } from "../driver/driver.ts"
import { asking, type CallNotes } from "./handle.ts"
import type { Lane } from "./lane.ts"
import { listOf } from "./reply.ts"
import type { ValueHandle } from "./value.ts"

export async function getMany(handles: readonly ValueHandle<unknown>[], notes?: CallNotes): Promise<unknown[]> {
  const bytes = handles.some((handle) => handle["~reading"].bytes)
  const replies: Reply[] = handles.map(() => null)
  const reads = sharesOf(handles).map(async ({ lane, command, places }) => {
    try {
      const reply = await lane.send(command, asking(notes, bytes))
      const found = command[0] === "MGET" ? listOf(reply) : [reply]
      places.forEach((place, i) => (replies[place] = found[i] ?? null))
    } catch (error) {
      throw handles[places[0]!]!["~reading"].explained(error)
    }
  })
  await Promise.all(reads)
  return handles.map((handle, i) => handle["~decoded"](replies[i]!))
}

interface Share {
  readonly lane: Lane
  readonly command: Wire[]
  readonly places: number[]
}

function sharesOf(handles: readonly ValueHandle<unknown>[]): Share[] {
  const shares: Share[] = []
  const many = new Map<Lane, Map<number, Share>>()
  for (const [place, { key, "~reading": reading }] of handles.entries()) {
    const { lane, slidesMs } = reading
    if (slidesMs !== undefined) {
      shares.push({ lane, command: ["GETEX", key, "PX", String(slidesMs)], places: [place] })
      continue
    }
    const slot = lane.driver.cluster ? clusterSlot(key) : 0
    const slots = many.get(lane) ?? new Map<number, Share>()
    many.set(lane, slots)
    const share = slots.get(slot) ?? { lane, command: ["MGET"], places: [] }
    slots.set(slot, share)
    share.command.push(key)
    share.places.push(place)
  }
  for (const slots of many.values()) shares.push(...slots.values())
  return shares
}
