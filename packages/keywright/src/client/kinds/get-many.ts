/* Several strings, counters and hashes, of any definitions, in one round trip: one MGET
 * for each database and, in a cluster, each slot; one batch for what MGET cannot read.
 * Where a TTL slides, reading moves it. */

import { Handle } from "./handle.ts"
import { argumentRefused } from "../../errors/client.ts"
import { clusterSlot } from "../../driver/cluster-slot.ts"
import type { Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { Undecodable, WrongType } from "../../errors/outcome.ts"
import type { Key } from "../../schema/key.ts"
import { slides } from "../call/ready-key.ts"
import { asking, type CallNotes } from "../call/notes.ts"
import type { Lane } from "../call/lane.ts"
import { observed } from "../observe/observe.ts"
import { listOf } from "../call/reply.ts"

/** A handle whose whole value one command reads. */
export interface Readable<R> {
  readonly key: string
  readonly "~lane": Lane
  readonly "~row": Key
  /** Its value is kept as bytes. */
  readonly "~bytes": boolean
  /** The command, where MGET does not read it. */
  readonly "~command"?: string
  "~decoded"(reply: Reply): R
  "~explained"(error: unknown): unknown
}

/**
 * With `onUndecodable`, a value that does not decode or is of another type is reported with its position, and is
 * undefined in the result.
 */
export interface GetManyNotes extends CallNotes {
  readonly onUndecodable?: (error: Undecodable | WrongType, place: number) => void
}

export async function getMany(handles: readonly Readable<unknown>[], notes?: GetManyNotes): Promise<unknown[]> {
  const onUndecodable = notes?.onUndecodable
  const given: unknown = handles
  if (!Array.isArray(given) || !given.every((one) => one instanceof Handle))
    throw argumentRefused("what $getMany reads", "an array of handles", handles)
  const options = asking(
    notes,
    handles.some((handle) => handle["~bytes"]),
  )
  const replies: (Reply | KeywrightError)[] = handles.map(() => null)
  const reads = sharesOf(handles).map(async ({ lane, commands, places }) => {
    const first = handles[places[0]!]!
    const done = observed(first["~row"].pattern, commands[0]!)
    try {
      const found = await (commands[0]![0] === "MGET"
        ? lane.send(commands[0]!, options).then(listOf)
        : lane.driver.batch(commands, options))
      for (let i = 0; i < places.length; i++) if (places[i] !== NOWHERE) replies[places[i]!] = found[i] ?? null
    } catch (error) {
      done?.(error)
      throw first["~explained"](error)
    }
    done?.()
  })
  await Promise.all(reads)
  const decoded = (handle: Readable<unknown>, i: number): unknown => {
    const reply = replies[i]!
    if (reply instanceof KeywrightError) throw handle["~explained"](reply)
    return handle["~decoded"](reply)
  }
  if (onUndecodable === undefined) return handles.map(decoded)
  return handles.map((handle, i) => {
    try {
      return decoded(handle, i)
    } catch (error) {
      if (!(error instanceof Undecodable || error instanceof WrongType)) throw error
      return onUndecodable(error, i)
    }
  })
}

/** The position of a reply that nobody asked for. */
const NOWHERE = -1

/** What is sent together: one MGET, or commands for one position each. */
interface Share {
  readonly lane: Lane
  readonly commands: Wire[][]
  readonly places: number[]
}

function sharesOf(handles: readonly Readable<unknown>[]): Share[] {
  const shares: Share[] = []
  const each = new Map<Lane, Share>()
  const together = new Map<Lane, Map<number, Share>>()
  const begin = (lane: Lane, commands: Wire[][]): Share => {
    const share: Share = { lane, commands, places: [] }
    shares.push(share)
    return share
  }
  for (let place = 0; place < handles.length; place++) {
    const { key, "~command": command, "~lane": lane, "~row": row } = handles[place]!
    const slidesMs = slides(row)
    if (command !== undefined || slidesMs !== undefined) {
      let share = each.get(lane)
      if (share === undefined) each.set(lane, (share = begin(lane, [])))
      if (command === undefined) share.commands.push(["GETEX", key, "PX", String(slidesMs)])
      else share.commands.push([command, key])
      share.places.push(place)
      if (command === undefined || slidesMs === undefined) continue
      share.commands.push(["PEXPIRE", key, String(slidesMs)])
      share.places.push(NOWHERE)
    } else {
      let bySlot = together.get(lane)
      if (bySlot === undefined) together.set(lane, (bySlot = new Map()))
      const slot = lane.driver.cluster ? clusterSlot(key) : 0
      let share = bySlot.get(slot)
      if (share === undefined) bySlot.set(slot, (share = begin(lane, [["MGET"]])))
      share.commands[0]!.push(key)
      share.places.push(place)
    }
  }
  return shares
}
