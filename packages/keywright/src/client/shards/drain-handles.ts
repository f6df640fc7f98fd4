/* Kind → what a drain can read: its target as it will be when everything is in it. */

import type { Command, Reply } from "../../driver/driver.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import type { Def } from "../../schema/define.ts"
import type { Drain } from "../../schema/drain.ts"
import type { Group } from "../../schema/group.ts"
import type { Lane } from "../call/lane.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import { inPairs, listOf, textOf } from "../call/reply.ts"
import type { ManyNotes } from "../call/notes.ts"
import { decodeEach } from "../kinds/elements.ts"
import { handleClasses, type ReadPart } from "../kinds/handles.ts"
import type { ZsetHandle } from "../kinds/zset.ts"
import { Drainer } from "./drain.ts"
import { type RankedMember, rankedOf, scoreOf } from "./merge-ranges.ts"
import type { TopNotes } from "./merged.ts"
import { exactly, type ShardState, pendingOf } from "./pending.ts"
import { rangeWithPending, windowFor } from "./range-with-pending.ts"

/** Into a sorted set. */
export class ZsetDrainer<R, RS> extends Drainer {
  /**
   * The first members of the target, lowest scores first, with what is not drained yet added: nothing is missing, and
   * nothing counts twice. It asks every shard, once for all calls that wait.
   *
   *     const popular = await db.$drains.views.top(10)
   */
  async top(count: number, { offset = 0, reverse = false, ...notes }: TopNotes = {}): Promise<[R, RS][]> {
    if (count <= 0) return []
    const looks = await this.looks.get()
    const names = [...new Set(looks.flatMap(namesIn))]
    const members = names.map((name) => Buffer.from(name, "latin1"))
    const [from, to] = windowFor(offset, count, names.length)
    const { into, drained } = this.keys
    const commands: Command[] = [
      ["HGETALL", drained],
      ["ZRANGE", into, String(from), String(to), ...(reverse ? ["REV"] : []), "WITHSCORES"],
      ...(members.length === 0 ? [] : [["ZMSCORE", into, ...members]]),
    ]
    const [numbers, ranked, scores] = await this.lane.atomic(commands, SAFE_BYTES)
    const pending = pendingOf(looks, this.numbersIn(numbers!))
    const old = listOf(scores ?? [])
    const changed = names.flatMap((name, i) => {
      const before = old[i] === null ? undefined : rankedOf([members[i]!, old[i]!])[0]!
      const amount = pending.get(name)
      if (amount === undefined) return []
      return [{ before, after: scored(members[i]!, this.summed((before?.order ?? 0) + amount)) }]
    })
    const window = { start: from, ranked: rankedOf(listOf(ranked!)), changed, reverse }
    const chosen = rangeWithPending(window, offset, count, ({ member }) => exactly(member))
    const target = new handleClasses.zset(this.lane, this.keys.target, into) as ZsetHandle<R, never, RS, never>
    return target["~entries"](
      chosen.flatMap(({ member, score }) => [member, score]),
      notes,
    )
  }
}

/** Into a map of numbers. */
export class MapDrainer<RF> extends Drainer {
  /** The whole target with what is not drained yet added: nothing is missing, and nothing counts twice. */
  async all(notes?: ManyNotes): Promise<Map<RF, number>> {
    const looks = await this.looks.get()
    const [numbers, stored] = await this.lane.atomic(
      [
        ["HGETALL", this.keys.drained],
        ["HGETALL", this.keys.into],
      ],
      SAFE_BYTES,
    )
    const sums = pendingOf(looks, this.numbersIn(numbers!))
    for (const [field, amount] of inPairs(listOf(stored!))) {
      const name = exactly(field)
      sums.set(name, (sums.get(name) ?? 0) + Number(textOf(amount)))
    }
    const target = new handleClasses.map(this.lane, this.keys.target, this.keys.into)
    const fields = [...sums.keys()].map((name): Reply => Buffer.from(name, "latin1"))
    const amounts = [...sums.values()].map((sum) => this.summed(sum))
    return new Map(decodeEach(fields, 1, (raw, _, i): [RF, number] => [target["~name"](raw) as RF, amounts[i]!], notes))
  }
}

/** Into a counter. */
export class CounterDrainer extends Drainer {
  /** The target with what is not drained yet added: nothing is missing, and nothing counts twice. */
  async get(): Promise<number> {
    const looks = await this.looks.get()
    const [numbers, stored] = await this.lane.atomic(
      [
        ["HGETALL", this.keys.drained],
        ["GET", this.keys.into],
      ],
      SAFE_BYTES,
    )
    const [pending = 0] = pendingOf(looks, this.numbersIn(numbers!)).values()
    return this.summed((stored === null ? 0 : Number(textOf(stored!))) + pending)
  }
}

const namesIn = ({ added, out }: ShardState): string[] =>
  [...inPairs(added), ...inPairs(out)].map(([raw]) => exactly(raw))

/** A score as Redis would spell it. */
function scored(member: Reply, order: number): RankedMember {
  const score = order === Infinity ? "inf" : order === -Infinity ? "-inf" : String(order)
  return { member, score, order: scoreOf(score) }
}

const classes: Readonly<Record<string, new (...args: ConstructorParameters<typeof Drainer>) => Drainer>> = {
  zset: ZsetDrainer,
  map: MapDrainer,
  counter: CounterDrainer,
}

export function drainersOf(
  drains: Readonly<Record<string, Drain>>,
  ready: ReadonlyMap<string, ReadyKey>,
  laneOf: (db: number) => Lane,
): object {
  const made = Object.entries(drains).map(([name, drain]) => {
    const Class = classes[ready.get(drain.from)!.declared.kind]!
    return [name, new Class(name, drain, ready, laneOf)]
  })
  return Object.fromEntries(made) as object
}

// ── for the compiler ─────────────────────────────────────────────────────────

interface DrainersOf<S> {
  zset: ZsetDrainer<ReadPart<S, "member">, ReadPart<S, "score">>
  map: MapDrainer<ReadPart<S, "field">>
  counter: CounterDrainer
}

type DefAt<E, Path extends string> = Path extends `${infer G}.${infer Rest}`
  ? G extends keyof E
    ? E[G] extends Group<infer _P, infer Inner, infer _Q>
      ? DefAt<Inner, Rest>
      : never
    : never
  : Path extends keyof E
    ? E[Path]
    : never

/** `db.$drains`: one for each drain of the keyspace. */
export type Drainers<E, D> = {
  readonly [N in keyof D]: D[N] extends Drain<infer _From, infer Into>
    ? DefAt<E, Into> extends Def<infer K, infer _T, infer _Q, infer S>
      ? K extends keyof DrainersOf<S>
        ? DrainersOf<S>[K]
        : never
      : never
    : never
}
