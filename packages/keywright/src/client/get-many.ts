/* Several strings, counters and hashes, of any definitions, in one round trip: one
 * MGET for each database and, in a cluster, each slot; one batch of what has no such
 * command. Where a TTL slides, reading moves it. */

import { clusterSlot } from "../driver/cluster-slot.ts"
import type { Reply, Wire } from "../driver/driver.ts"
import { KeywrightError } from "../errors/error.ts"
import { Undecodable, WrongType } from "../errors/outcome.ts"
import { asking, type CallNotes } from "./handle.ts"
import type { Lane } from "./lane.ts"
import { observed } from "./observe.ts"
import { listOf } from "./reply.ts"

/** What a handle says of how its value is read. */
export interface ReadingOf {
  readonly lane: Lane
  readonly pattern: string
  /** Where reading moves the deadline, by how much. */
  readonly slidesMs: number | undefined
  readonly bytes: boolean
  readonly explained: (error: unknown) => unknown
}

/** A handle whose whole value one command reads. */
export interface Readable<R> {
  readonly key: string
  readonly "~reading": ReadingOf
  /** The command, where MGET does not read it. */
  readonly "~command"?: string
  "~decoded"(reply: Reply): R
}

/** With `onUndecodable`, a value that does not decode or is of another type is reported with its place, and is undefined. */
export interface GetManyNotes extends CallNotes {
  readonly onUndecodable?: (error: Undecodable | WrongType, place: number) => void
}

export async function getMany(handles: readonly Readable<unknown>[], notes: GetManyNotes = {}): Promise<unknown[]> {
  const { onUndecodable, ...call } = notes
  const options = asking(
    call,
    handles.some((handle) => handle["~reading"].bytes),
  )
  const replies: (Reply | KeywrightError)[] = handles.map(() => null)
  const reads = sharesOf(handles).map(async ({ lane, commands, places }) => {
    const { explained, pattern } = handles[places[0]!]!["~reading"]
    const done = observed(pattern, commands[0]!)
    try {
      const found = await (commands[0]![0] === "MGET"
        ? lane.send(commands[0]!, options).then(listOf)
        : lane.driver.batch(commands, options))
      for (const [i, place] of places.entries()) if (place !== NOWHERE) replies[place] = found[i] ?? null
    } catch (error) {
      done?.(error)
      throw explained(error)
    }
    done?.()
  })
  await Promise.all(reads)
  const decoded = (handle: Readable<unknown>, i: number): unknown => {
    const reply = replies[i]!
    if (reply instanceof KeywrightError) throw handle["~reading"].explained(reply)
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

/** The place of a reply that nobody asked for. */
const NOWHERE = -1

/** What is sent together: one MGET, or commands for one place each. */
interface Share {
  readonly lane: Lane
  readonly commands: Wire[][]
  readonly places: number[]
}

function sharesOf(handles: readonly Readable<unknown>[]): Share[] {
  const shares = new Map<Lane, Map<number | "each", Share>>()
  const shareOf = (lane: Lane, slot: number | "each", commands: Wire[][]): Share => {
    const ofLane = shares.get(lane) ?? new Map<number | "each", Share>()
    const share = ofLane.get(slot) ?? { lane, commands, places: [] }
    shares.set(lane, ofLane.set(slot, share))
    return share
  }
  for (const [place, handle] of handles.entries()) {
    const {
      key,
      "~command": command,
      "~reading": { lane, slidesMs },
    } = handle
    if (command !== undefined || slidesMs !== undefined) {
      const share = shareOf(lane, "each", [])
      if (command === undefined) share.commands.push(["GETEX", key, "PX", String(slidesMs)])
      else share.commands.push([command, key])
      share.places.push(place)
      if (command === undefined || slidesMs === undefined) continue
      share.commands.push(["PEXPIRE", key, String(slidesMs)])
      share.places.push(NOWHERE)
    } else {
      const share = shareOf(lane, lane.driver.cluster ? clusterSlot(key) : 0, [["MGET"]])
      share.commands[0]!.push(key)
      share.places.push(place)
    }
  }
  return [...shares.values()].flatMap((ofLane) => [...ofLane.values()])
}
