/* What `stats` knows about the keys of one pattern: sums and spreads, and the biggest
 * few. Its size does not depend on the number of keys. */

import type { Wire } from "../../driver/driver.ts"

/** Names and upper bounds, in milliseconds. */
const TTLS = [
  ["under a minute", 60_000],
  ["under an hour", 3_600_000],
  ["under a day", 86_400_000],
  ["under 30 days", 2_592_000_000],
  ["30 days and more", Infinity],
] as const

/** Names and upper bounds, in bytes. */
const SIZES = [
  ["under 128 B", 128],
  ["under 1 kB", 1024],
  ["under 16 kB", 16_384],
  ["under 1 MB", 1_048_576],
  ["1 MB and more", Infinity],
] as const

/**
 * How many keys expire when; `none` are those without a TTL.
 * @example
 * const forever = (ttl: TtlSpread) => ttl.none
 */
export type TtlSpread = Readonly<Record<"none" | (typeof TTLS)[number][0], number>>

/**
 * How many keys there are of each size.
 * @example
 * const sizes = async (): Promise<SizeSpread> => (await stats(shop, db.$driver())).sizes
 */
export type SizeSpread = Readonly<Record<(typeof SIZES)[number][0], number>>

/**
 * One of the biggest keys of a pattern.
 * @example
 * const line = ({ key, bytes }: BigKey) => `${key}: ${bytes} bytes`
 */
export interface BigKey {
  /** Secrets redacted. */
  readonly key: string
  readonly type: string
  readonly bytes: number
}

/**
 * What `stats` counts, of a pattern, a database or all of a server.
 * @example
 * const average = ({ bytes, keys }: Tallied) => bytes / Math.max(keys, 1)
 */
export interface Tallied {
  readonly keys: number
  /** For the keys whose size could be read: `sizes` counts those. */
  readonly bytes: number
  /** Keys by Redis type. */
  readonly types: Readonly<Record<string, number>>
  readonly ttl: TtlSpread
  readonly sizes: SizeSpread
  /** The biggest first. */
  readonly biggest: readonly BigKey[]
}

export class Tally {
  keys = 0
  bytes = 0
  readonly #types = new Map<string, number>()
  readonly #ttl = new Float64Array(TTLS.length + 1)
  readonly #sizes = new Float64Array(SIZES.length)
  #biggest: { key: Wire; type: string; bytes: number }[] = []
  #smallestOfBiggest = -1
  readonly #top: number

  constructor(top: number) {
    this.#top = top
  }

  /** `ttlMs` as PTTL has it: -1 for none; undefined is what could not be read. */
  add(key: Wire, type: string, ttlMs: number | undefined, bytes: number | undefined): void {
    this.keys++
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1)
    let at = 0
    if (ttlMs !== undefined && ttlMs >= 0) while (ttlMs >= TTLS[at++]![1]);
    if (ttlMs !== undefined) this.#ttl[at]!++
    if (bytes === undefined) return
    this.bytes += bytes
    at = 0
    while (bytes >= SIZES[at]![1]) at++
    this.#sizes[at]!++
    if (bytes > this.#smallestOfBiggest) this.#keep(key, type, bytes)
  }

  #keep(key: Wire, type: string, bytes: number): void {
    const place = this.#biggest.findIndex((other) => other.bytes < bytes)
    this.#biggest.splice(place < 0 ? this.#biggest.length : place, 0, { key, type, bytes })
    if (this.#biggest.length > this.#top) this.#biggest.pop()
    if (this.#biggest.length === this.#top) this.#smallestOfBiggest = this.#biggest.at(-1)?.bytes ?? Infinity
  }

  result(show: (key: Wire) => string): Tallied {
    return {
      keys: this.keys,
      bytes: this.bytes,
      types: Object.fromEntries([...this.#types].sort(([, a], [, b]) => b - a)),
      ttl: Object.fromEntries(
        ["none", ...TTLS.map(([name]) => name)].map((name, i) => [name, this.#ttl[i]!]),
      ) as TtlSpread,
      sizes: Object.fromEntries(SIZES.map(([name], i) => [name, this.#sizes[i]!])) as SizeSpread,
      biggest: this.#biggest.map(({ key, type, bytes }) => ({ key: show(key), type, bytes })),
    }
  }
}

/** Several tallies as one. */
export function total(parts: readonly Tallied[], top: number): Tallied {
  const sum = (pick: (one: Tallied) => Readonly<Record<string, number>>) => {
    const all: Record<string, number> = {}
    for (const part of parts)
      for (const [name, count] of Object.entries(pick(part))) all[name] = (all[name] ?? 0) + count
    return all
  }
  const none = new Tally(0).result(String)
  return {
    keys: parts.reduce((count, { keys }) => count + keys, 0),
    bytes: parts.reduce((count, { bytes }) => count + bytes, 0),
    types: sum(({ types }) => types),
    ttl: { ...none.ttl, ...sum(({ ttl }) => ttl) },
    sizes: { ...none.sizes, ...sum(({ sizes }) => sizes) },
    biggest: parts
      .flatMap(({ biggest }) => biggest)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, top),
  }
}
