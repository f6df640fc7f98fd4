/* Filling what is missing from a source: once in this process (a flight that others join, see
 * flight.ts), once among all processes (a lease, which the others wait for up to a limit), and
 * never with what was loaded before an invalidation, because dropping a value takes the lease
 * from the loader, and storing asks for the lease in the same script.
 *
 * A writer that changes the source holds the key meanwhile (`whileHeld`): the value is
 * gone before the change begins, and readers load without storing until it is over. A
 * writer that dies in between leaves nothing stale behind. */

import { requireFunction } from "../call/require-function.ts"
import { optionsRefusal } from "../../driver/call-options.ts"
import { randomUUID } from "node:crypto"
import { sha1 } from "../../driver/reply-digest.ts"
import { directOnly, loadAborted } from "../../errors/client.ts"
import { LONGEST_FILL, toMs, toMsUpTo, type Duration } from "../../schema/duration.ts"
import type { Deadline } from "../call/deadline.ts"
import { type Flight, type Flights, joined } from "./flight.ts"
import type { CallNotes } from "../call/notes.ts"
import { DirectLane, type Lane } from "../call/lane.ts"
import { asNumber } from "../call/reply.ts"
import { fillBeginScript, fillHoldScript, leaseReleaseScript } from "../lua/index.ts"
import { slotTag } from "../call/slot-tag.ts"
import { sleep } from "../call/sleep.ts"
import { isUnavailable } from "../call/unavailable.ts"

export interface FillTerms {
  /** How long one process may load before another tries, up to an hour. Default: 10 s. */
  readonly lease?: Duration
  /** How long to wait for another process that loads; then it is loaded here too, and not stored. Default: 2 s. */
  readonly wait?: Duration
  /** This caller no longer waits; what others wait for continues. */
  readonly signal?: AbortSignal
}

export interface FillTarget {
  readonly lane: Lane
  /** Its first key: names the flight and the lease. */
  readonly key: string
  /** Everything that goes when it is dropped. */
  readonly keys: readonly string[]
  /** One of these exists when it is loaded. */
  readonly loaded: readonly string[]
  /** Loads under way in this process. */
  readonly flights: Flights
}

export interface Filling<V> {
  /** The time limit for Redis; the load itself is not limited. */
  readonly deadline: Deadline
  /** The cached value, if there is one. */
  readonly read: () => Promise<V | undefined>
  /** Loads from the source; if that returns undefined, nothing is stored. */
  readonly load: () => Promise<V | undefined>
  /** Returns false when the lease was gone. */
  readonly store: (token: string, value: V) => Promise<boolean>
  /** Called with whether the loaded value could be stored. */
  readonly onLoaded?: (stored: boolean) => void
}

const POLL_MS = 15
const LONGEST_POLL_MS = 100
const HOLD: Duration = "30s"

/**
 * Loads and stores what is missing, or joins a load in this process whose result is valid as of `since`, the time of
 * the reader's call.
 */
export function fill<V>(
  place: FillTarget,
  filling: Filling<V>,
  since: number,
  given?: FillTerms,
): Promise<V | undefined> {
  const terms = given ?? {}
  if (!(place.lane instanceof DirectLane)) return Promise.reject(directOnly())
  const refusal = optionsRefusal(terms)
  if (refusal !== undefined) return Promise.reject(refusal)
  const fly = (flight: Flight<V | undefined>) => load(flight, place, filling, terms, false)
  return abortable(joined(place.flights, place.key, since, fly), terms.signal)
}

/** The same in the background. It may end without a value, so callers that need one do not join it. */
export function refresh<V>(place: FillTarget, filling: Filling<V>, terms: FillTerms): Promise<V | undefined> {
  const fly = (flight: Flight<V | undefined>) => load(flight, place, filling, terms, true)
  return joined(place.flights, `refresh ${place.key}`, -Infinity, fly)
}

function abortable<T>(flight: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return flight
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(loadAborted(signal.reason))
    if (signal.aborted) giveUp()
    signal.addEventListener("abort", giveUp, { once: true })
    flight.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp))
  })
}

async function load<V>(
  flight: Flight<unknown>,
  place: FillTarget,
  filling: Filling<V>,
  terms: FillTerms,
  isRefresh: boolean,
): Promise<V | undefined> {
  const token = randomUUID()
  const { deadline } = filling
  const until = performance.now() + toMs(terms.wait ?? "2s")
  for (let pollMs = POLL_MS; ; pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)) {
    const state = await begin(place, token, toMsUpTo(terms.lease ?? "10s", LONGEST_FILL), isRefresh, deadline.notes())
    if (state === 1) return await loadAndStore(flight, place, filling, token)
    if (state === 0 && isRefresh) return undefined
    flight.asOf = performance.now()
    if (state === 2) {
      const found = await filling.read()
      if (found !== undefined) return found
    }
    if (state === -1 || performance.now() > until) {
      const value = await deadline.excluding(filling.load)
      filling.onLoaded?.(false)
      return value
    }
    await deadline.excluding(() => sleep(pollMs * (0.5 + Math.random() / 2)))
  }
}

async function begin(
  { lane, key, loaded }: FillTarget,
  token: string,
  ms: number,
  isRefresh: boolean,
  notes: CallNotes | undefined,
): Promise<number> {
  const keys = [fillKey(lane, key), holdKey(lane, key), ...(isRefresh ? [] : loaded)]
  return asNumber(await lane.script(fillBeginScript, keys, [token, String(ms)], { ...notes, safe: true }))
}

/** An invalidation removes the lease: while the lease exists, the loaded value is valid. */
async function loadAndStore<V>(
  flight: Flight<unknown>,
  { lane, key }: FillTarget,
  filling: Filling<V>,
  token: string,
): Promise<V | undefined> {
  flight.asOf = performance.now()
  let value: V | undefined
  let before: number
  try {
    value = await filling.deadline.excluding(filling.load)
  } finally {
    before = performance.now()
    const isOurs = value === undefined && (await release(lane, key, token, filling.deadline.notes()))
    if (isOurs) flight.asOf = before
  }
  if (value === undefined) return undefined
  let stored = false
  try {
    stored = await filling.store(token, value)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
  if (stored) flight.asOf = before
  filling.onLoaded?.(stored)
  return value
}

/**
 * Releases the lease so that the next loader need not wait; it would expire anyway. Returns whether
 * it was still ours.
 */
async function release(lane: Lane, key: string, token: string, notes: CallNotes | undefined): Promise<boolean> {
  try {
    return (await lane.script(leaseReleaseScript, [fillKey(lane, key)], [token], { ...notes, safe: true })) === 1
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return false
  }
}

/** UNLINK: the value is gone, and what is being loaded now will not be stored. True when something was there. */
export async function drop({ lane, key, keys, flights }: FillTarget): Promise<boolean> {
  flights.delete(key)
  // Each reply is looked at separately, because the lease does not count as a cached value.
  const [, count] = await lane.atomic([
    ["DEL", fillKey(lane, key)],
    ["UNLINK", ...keys],
  ])
  flights.delete(key)
  return count !== 0
}

/** Runs a change of the source while nothing is cached and nothing can be. */
export async function whileHeld<T>(place: FillTarget, change: () => Promise<T> | T, hold: Duration = HOLD): Promise<T> {
  const { lane, key, keys, flights } = place
  if (!(lane instanceof DirectLane)) throw directOnly()
  requireFunction("what changes the source", change)
  const token = randomUUID()
  const args = [token, String(toMsUpTo(hold, LONGEST_FILL))]
  await lane.script(fillHoldScript, [fillKey(lane, key), holdKey(lane, key), ...keys], args, { safe: true })
  flights.delete(key)
  try {
    return await change()
  } finally {
    flights.delete(key)
    await unhold(place, token)
  }
}

async function unhold({ lane, key, keys }: FillTarget, token: string): Promise<void> {
  const commands = [
    ["ZREM", holdKey(lane, key), token],
    ["UNLINK", fillKey(lane, key), ...keys],
  ]
  try {
    await lane.atomic(commands, { safe: true })
  } catch (error) {
    // Nothing is cached until the hold expires.
    if (!isUnavailable(error)) throw error
  }
}

export const fillKey = (lane: Lane, key: string): string => ownKey("fill", lane, key)
const holdKey = (lane: Lane, key: string): string => ownKey("hold", lane, key)

const ownKey = (what: string, lane: Lane, key: string): string =>
  `keywright:${what}:${slotTag(key, lane.driver.cluster)}${sha1(key)}`
