/* A read-through cache on a string. What is stored in Redis is exactly what the schema
 * says, so that other programs can read it: whether a value is fresh follows from its
 * remaining TTL, and the only other key is a lease while the value is being loaded (see
 * fill.ts).
 *
 *   |------- fresh -------|- refreshEarly -|--- staleFor ---|
 *   stored                                                  gone (the declared TTL)
 *
 * A stale value is returned at once and reloaded in the background, by one process only.
 * Shortly before a value becomes stale, a randomly chosen reader reloads it, so that a
 * value in demand never gets stale. */

import { requireFunction } from "../call/require-function.ts"
import type { Wire } from "../../driver/driver.ts"
import { argumentRefused, cacheRefused } from "../../errors/client.ts"
import { toMs, type Duration } from "../../schema/duration.ts"
import type { Key } from "../../schema/key.ts"
import { Deadline } from "../call/deadline.ts"
import { lifeMs, type ReadyKey } from "../call/ready-key.ts"
import { fill, fillKey, type Filling, type FillTerms, type FillTarget, refresh } from "./fill.ts"
import { joined } from "./flight.ts"
import type { CallNotes } from "../call/notes.ts"
import { cacheStoreScript } from "../lua/index.ts"
import { observedCache, type CacheOutcome } from "../observe/observe.ts"
import { isUnavailable } from "../call/unavailable.ts"

/**
 * Options of `cached` of a string: how early to reload, and what to do without Redis.
 * @example
 * const options: CacheOptions = { staleFor: "1m", onUnavailable: "load" }
 * const page = await db.page({ hash: "1" }).cached(async () => "<html>", options)
 */
export interface CacheOptions extends FillTerms {
  /** The last part of the TTL, during which the value is returned while it is being reloaded. */
  readonly staleFor?: Duration
  /** How long before that (or before the end of the TTL) a reader may reload it. The probability grows with time. */
  readonly refreshEarly?: Duration
  /**
   * The largest fraction of the TTL that is cut off at random, so that values stored together do not expire
   * together. Default: 0.1.
   */
  readonly jitter?: number
  /** The TTL, where the schema leaves the choice to the writer. */
  readonly ttl?: Duration | "never"
  /** When Redis cannot be reached: answer from the loader, or fail. Default: `"fail"`. */
  readonly onUnavailable?: "load" | "fail"
  /** How long the call may spend on Redis, in milliseconds; the time of the load itself is not limited. */
  readonly timeoutMs?: number
  /** Called with where the answer came from. */
  readonly onOutcome?: (outcome: CacheOutcome) => void
}

export type Loader<W> = () => Promise<W> | W

export interface FoundValue<R> {
  readonly value: R | undefined
  readonly raw: Wire | undefined
  /** PTTL; -1 when it never ends. */
  readonly leftMs: number
}

/** What the handle knows about its key. */
export interface CachedKey<R, W> {
  readonly place: FillTarget
  readonly ready: ReadyKey
  /** GET, with PTTL in the same step where it matters. */
  readonly look: (withTtl: boolean, notes: CallNotes | undefined) => Promise<FoundValue<R>>
  readonly encode: (value: W) => Wire
  readonly decode: (raw: Wire) => R
}

/** Marks an error of the loader, to distinguish it from one of Redis. */
class LoadFailed extends Error {}

export async function cached<R, W>(
  cell: CachedKey<R, W>,
  load: Loader<W | undefined>,
  options?: CacheOptions,
): Promise<R | undefined> {
  const cache = new Cache(cell, load, options ?? {})
  try {
    return await cache.answer()
  } catch (error) {
    throw error instanceof LoadFailed ? error.cause : error
  }
}

class Cache<R, W> {
  readonly #cell: CachedKey<R, W>
  readonly #load: Loader<W | undefined>
  readonly #options: CacheOptions
  readonly #deadline: Deadline
  readonly #staleMs: number
  readonly #earlyMs: number

  constructor(cell: CachedKey<R, W>, load: Loader<W | undefined>, options: CacheOptions) {
    const { declared, family } = cell.ready
    requireFunction("the loader", load)
    const { staleFor, refreshEarly, jitter = 0 } = options
    if (!(typeof jitter === "number" && jitter >= 0 && jitter <= 1))
      throw argumentRefused("jitter", "a number from 0 to 1", jitter)
    this.#cell = cell
    this.#load = load
    this.#options = options
    this.#deadline = this.#newDeadline()
    this.#staleMs = staleFor === undefined ? 0 : toMs(staleFor)
    this.#earlyMs = refreshEarly === undefined ? 0 : toMs(refreshEarly)
    if (family) throw cacheRefused(declared.pattern, `it lives in the family ${declared.family}; use its $load`)
    const ms = lifetimeMs(declared, options)
    if (this.#staleMs + this.#earlyMs > 0 && (ms === 0 || declared.ttl?.on === "access")) {
      throw cacheRefused(declared.pattern, "its age is not known: its TTL slides, or it has none")
    }
    if (ms > 0 && this.#staleMs >= ms) throw cacheRefused(declared.pattern, "it would always be stale")
  }

  async answer(): Promise<R | undefined> {
    const since = performance.now()
    try {
      const found = await this.#cell.look(this.#staleMs + this.#earlyMs > 0, this.#deadline.notes())
      if (found.value !== undefined) return this.#give(found)
      this.#tell("miss")
      const raw = await fill(this.#cell.place, this.#filling(undefined, this.#deadline), since, this.#options)
      return raw === undefined ? undefined : this.#cell.decode(raw)
    } catch (error) {
      if (this.#options.onUnavailable !== "load" || !isUnavailable(error)) throw error
      this.#tell("unavailable")
      const raw = await this.#loadAlone(since)
      return raw === undefined ? undefined : this.#cell.decode(raw)
    }
  }

  #give({ value, raw, leftMs }: FoundValue<R>): R | undefined {
    const isStale = leftMs >= 0 && leftMs < this.#staleMs
    const isEarly = leftMs >= 0 && leftMs - this.#staleMs < this.#earlyMs * -Math.log(Math.random())
    this.#tell(isStale ? "stale" : "hit")
    if (isStale || isEarly) void this.#refresh(raw!)
    return value
  }

  /** In the background: nobody waits for it, so it never rejects. */
  async #refresh(replaced: Wire): Promise<void> {
    const { pattern } = this.#cell.ready.declared
    try {
      const loaded = await refresh(this.#cell.place, this.#filling(replaced, this.#newDeadline()), this.#options)
      if (loaded !== undefined) observedCache(pattern, "refresh")
    } catch {
      observedCache(pattern, "refresh failed")
    }
  }

  #filling(replaced: Wire | undefined, deadline: Deadline): Filling<Wire> {
    const { place, ready, look } = this.#cell
    const { lane, key } = place
    return {
      deadline,
      read: async () => (await look(false, deadline.notes())).raw,
      load: () => this.#loaded(),
      store: async (token, value) => {
        const args = [token, value, String(this.#storedMs()), ...(replaced === undefined ? [] : [replaced])]
        return (
          (await lane.script(cacheStoreScript, [fillKey(lane, key), key], args, {
            ...deadline.notes(),
            safe: true,
          })) === 1
        )
      },
      onLoaded: (stored) => {
        if (!stored) observedCache(ready.declared.pattern, "not stored")
      },
    }
  }

  /** The signal ends a caller's wait, not what others wait for too. */
  #newDeadline(): Deadline {
    const { timeoutMs } = this.#options
    return new Deadline(this.#cell.place.lane.driver, timeoutMs === undefined ? undefined : { timeoutMs })
  }

  /** Redis is unreachable: loaded once in this process, and not stored. */
  #loadAlone(since: number): Promise<Wire | undefined> {
    const { flights, key } = this.#cell.place
    return joined(flights, `alone ${key}`, since, (flight) => {
      flight.asOf = performance.now()
      return this.#loaded()
    })
  }

  async #loaded(): Promise<Wire | undefined> {
    let value: W | undefined
    try {
      value = await this.#load()
    } catch (cause) {
      throw new LoadFailed("the loader failed", { cause })
    }
    return value === undefined ? undefined : this.#cell.encode(value)
  }

  /** The TTL with a random part cut off. */
  #storedMs(): number {
    const ms = lifetimeMs(this.#cell.ready.declared, this.#options)
    return Math.ceil(ms * (1 - (this.#options.jitter ?? 0.1) * Math.random()))
  }

  #tell(outcome: CacheOutcome): void {
    observedCache(this.#cell.ready.declared.pattern, outcome)
    this.#options.onOutcome?.(outcome)
  }
}

/** How long a value lives; 0 when it does not end. */
function lifetimeMs(row: Key, { ttl }: CacheOptions): number {
  if (ttl !== undefined && row.ttl?.on !== "choice" && row.ttl?.on !== "bound")
    throw cacheRefused(row.pattern, "it has its TTL in the schema")
  const ms = lifeMs(row, ttl)
  return ms === "never" ? 0 : ms
}
