/* One key of a sharded group in all shards, read as if it were a single one: sums, the
 * first of all in their order, every element. Each shard is read at its own moment, and a
 * call asks all of them: for jobs and for pages of administrators. What is read on every
 * request is kept in one key instead, and fed by a drain. */

import type { Kind } from "../../schema/define.ts"
import type { CounterHandle } from "../kinds/counter.ts"
import type { CallNotes } from "../call/notes.ts"
import type { ReadPart, WritePart } from "../kinds/handles.ts"
import type { MapHandle } from "../kinds/map.ts"
import type { ScanNotes } from "../kinds/scan-elements.ts"
import type { SetHandle } from "../kinds/set.ts"
import type { RangeNotes, ScoreBound, ZsetHandle } from "../kinds/zset.ts"
import { compareRanked, type RankedMember, rankedOf } from "./merge-ranges.ts"

export interface TopNotes extends RangeNotes {
  /** How many of the first ones are passed over. */
  readonly offset?: number
}

/** The same key in each shard. */
class Merged<H> {
  protected readonly parts: readonly H[]

  constructor(parts: readonly H[]) {
    this.parts = parts
  }
}

/** A sorted set in all shards. */
export class MergedZset<R, RS, WS> extends Merged<ZsetHandle<R, never, RS, WS>> {
  /** ZCARD of each shard: how many members there are in all of them. */
  size(notes?: CallNotes): Promise<number> {
    return sum(this.parts, (part) => part.size(notes))
  }

  /** ZCOUNT of each shard: how many members have a score between these. */
  countBetween(min: ScoreBound<WS>, max: ScoreBound<WS>, notes?: CallNotes): Promise<number> {
    return sum(this.parts, (part) => part.countBetween(min, max, notes))
  }

  /**
   * ZRANGE of each shard: the members with the lowest scores of all, in order; with `reverse`, those with the highest. A
   * few are asked of each shard first, and more of those that may have more.
   *
   *     const oldest = await db.session.merged.recent().top(100)
   */
  async top(count: number, { offset = 0, ...notes }: TopNotes = {}): Promise<[R, RS][]> {
    const wanted = offset + count
    if (wanted <= 0) return []
    const compare = notes.reverse === true ? (a: RankedMember, b: RankedMember) => compareRanked(b, a) : compareRanked
    const heads: RankedMember[][] = this.parts.map(() => [])
    const read = async (shards: readonly number[], most: number): Promise<void> => {
      const found = await Promise.all(shards.map((i) => this.parts[i]!["~first"](most, notes)))
      found.forEach((flat, n) => (heads[shards[n]!] = rankedOf(flat)))
    }
    const few = Math.min(wanted, Math.ceil((2 * wanted) / this.parts.length) + 1)
    await read([...heads.keys()], few)
    let first = heads.flat().sort(compare)
    const last = first[wanted - 1]
    const mayHaveMore = (head: readonly RankedMember[]) =>
      head.length === few && (last === undefined || compare(head[few - 1]!, last) < 0)
    const open = few === wanted ? [] : [...heads.keys()].filter((i) => mayHaveMore(heads[i]!))
    if (open.length > 0) {
      await read(open, wanted)
      first = heads.flat().sort(compare)
    }
    const chosen = first.slice(offset, wanted)
    return this.parts[0]!["~entries"](
      chosen.flatMap(({ member, score }) => [member, score]),
      notes,
    )
  }

  /** ZSCAN of one shard after the other: members and scores, in no order. */
  scan(notes?: ScanNotes): AsyncIterable<[R, RS]> {
    return joined(this.parts, (part) => part.scan(notes))
  }
}

/** A set in all shards. */
export class MergedSet<R> extends Merged<SetHandle<R, never>> {
  /** SCARD of each shard: how many members there are in all of them. */
  size(notes?: CallNotes): Promise<number> {
    return sum(this.parts, (part) => part.size(notes))
  }

  /** SSCAN of one shard after the other: members, in no order. */
  scan(notes?: ScanNotes): AsyncIterable<R> {
    return joined(this.parts, (part) => part.scan(notes))
  }
}

/** A map in all shards. */
export class MergedMap<RF, RV> extends Merged<MapHandle<RF, never, RV, never>> {
  /** HLEN of each shard: how many fields there are in all of them. */
  size(notes?: CallNotes): Promise<number> {
    return sum(this.parts, (part) => part.size(notes))
  }

  /** HSCAN of one shard after the other: fields and values, in no order. */
  entries(notes?: ScanNotes): AsyncIterable<[RF, RV]> {
    return joined(this.parts, (part) => part.entries(notes))
  }
}

/** A counter in all shards. */
export class MergedCounter<R> extends Merged<CounterHandle<R, never>> {
  /** GET of each shard: their sum. */
  async sum(notes?: CallNotes): Promise<R> {
    const values = (await Promise.all(this.parts.map((part) => part.get(notes)))) as number[]
    // A counter of bigints sums up bigints: both kinds of number have +.
    return values.reduce((total, value) => total + value) as R
  }
}

const sum = async <P>(parts: readonly P[], count: (part: P) => Promise<number>): Promise<number> =>
  (await Promise.all(parts.map(count))).reduce((total, one) => total + one, 0)

async function* joined<P, T>(parts: readonly P[], scan: (part: P) => AsyncIterable<T>): AsyncGenerator<T> {
  for (const part of parts) yield* scan(part)
}

/** Kind → how it is read over all shards. */
export interface MergedHandles<S> {
  zset: MergedZset<ReadPart<S, "member">, ReadPart<S, "score">, WritePart<S, "score">>
  set: MergedSet<ReadPart<S, "member">>
  map: MergedMap<ReadPart<S, "field">, ReadPart<S, "value">>
  counter: MergedCounter<ReadPart<S, "value">>
}

export const mergedClasses: { readonly [K in Kind]?: new (parts: never) => object } = {
  zset: MergedZset,
  set: MergedSet,
  map: MergedMap,
  counter: MergedCounter,
} satisfies Record<keyof MergedHandles<never>, unknown>
