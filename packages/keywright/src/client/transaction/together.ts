/* $batch and $multi: a client whose calls are recorded, the calls that were made on
 * it, and how they are sent. */

import { requireFunction } from "../call/require-function.ts"
import type { Driver } from "../../driver/driver.ts"
import { callsNotListed, multiDatabases, multiRefused } from "../../errors/batch.ts"
import type { Lane } from "../call/lane.ts"
import { RecordingLane } from "./recorded.ts"

export type CollectCalls = (db: never) => readonly unknown[]
type ClientOn = (laneOf: (db: number) => Lane) => object

/** Where recorded calls go. */
export interface Roads {
  readonly drivers: ReadonlyMap<number, Driver>
  readonly rememberMs: number | undefined
}

/** Several calls in one write and one wait. Each call fails separately. */
export function batchOver(roads: Roads, clientOn: ClientOn, calls: CollectCalls): Promise<unknown[]> {
  return together("$batch", roads, clientOn, calls, async (lanes) => {
    await Promise.all([...lanes.values()].map((lane) => lane.commitBatch()))
  })
}

/** Several calls as one MULTI: all of them or none, unless one fails in its turn. */
export function multiOver(roads: Roads, clientOn: ClientOn, calls: CollectCalls): Promise<unknown[]> {
  return together("$multi", roads, clientOn, calls, async (lanes) => {
    const used = [...lanes].filter(([, lane]) => !lane.isEmpty)
    const refused = [...lanes.values()].find((lane) => lane.refusal !== undefined)
    if (refused === undefined && used.length < 2) return used[0]?.[1].commitMulti()
    const refusal = refused === undefined ? multiDatabases(used.map(([db]) => db)) : multiRefused(refused.refusal)
    for (const [, lane] of used) lane.refuse(refusal)
    throw refused === undefined ? refusal : refused.refusal
  })
}

async function together(
  name: string,
  { drivers, rememberMs }: Roads,
  clientOn: ClientOn,
  calls: CollectCalls,
  commit: (lanes: ReadonlyMap<number, RecordingLane>) => Promise<void>,
): Promise<unknown[]> {
  const lanes = new Map<number, RecordingLane>()
  let isSent = false
  const laneOf = (db: number) => {
    const known = lanes.get(db)
    if (known !== undefined) return known
    const lane = new RecordingLane(drivers.get(db)!, rememberMs)
    if (isSent) lane.refuse(undefined)
    lanes.set(db, lane)
    return lane
  }
  let made: readonly unknown[]
  try {
    requireFunction(`what ${name} calls`, calls)
    made = calls(clientOn(laneOf) as never)
    if (!Array.isArray(made)) throw callsNotListed(name)
  } catch (error) {
    isSent = true
    for (const lane of lanes.values()) lane.refuse(error)
    throw error
  }
  // Handled from the start: a call may fail while others are still under way.
  const results = Promise.all(made)
  results.catch(() => undefined)
  await Promise.resolve()
  isSent = true
  await commit(lanes)
  return results
}
