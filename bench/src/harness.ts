/* The bench harness. A benchmark is a file beside this one:
 *
 *   export default async function (bench: Bench) {
 *     await bench.compare({ name: "GET", goal: ">=0.95", ours: () => …, theirs: () => …, concurrency: 500 })
 *     bench.report("boot", 68, "<=300", "ms")
 *   }
 *
 * Speeds on one machine are only comparable within the same moments, so both
 * sides take turns, with the order changed each round; a ratio is the median of
 * the rounds' ratios. A third turn per round does our side once more: the A/A
 * ratio, which is what this machine calls equal. */

import { calibrate, time, type Side } from "./harness-rounds.ts"
import { isMet, parseGoal, summarize, type GoalText, type Summary } from "./harness-stats.ts"
import { table } from "./harness-table.ts"

export interface Comparison {
  readonly name: string
  readonly goal?: GoalText
  readonly ours: Side
  readonly theirs: Side
  /** "speed" (the default): how many times as fast ours is. "time": the share of their time that ours takes. */
  readonly of?: "speed" | "time"
  /** Callers at the same time, for operations that give a promise. */
  readonly concurrency?: number
  /** Odd, so that the median is a round that took place. Default: 31, three times that with --full. */
  readonly rounds?: number
  /** About how long a side's turn takes. One operation that takes longer is a turn by itself. */
  readonly targetMs?: number
  /** For work of many seconds: a turn is one operation, three rounds by default, neither warm-up nor A/A. */
  readonly long?: boolean
}

export interface Ratio {
  readonly value: number
  readonly goal?: string
  readonly met?: boolean
  /** Quartiles over the rounds. */
  readonly spread?: readonly [number, number]
  readonly range?: readonly [number, number]
  readonly aa?: number
  readonly aaSpread?: readonly [number, number]
}

export interface Figure {
  readonly value: number
  readonly unit: string
  readonly goal?: string
  readonly met?: boolean
}

export interface Results {
  readonly ratios: Record<string, Ratio>
  readonly figures: Record<string, Figure>
}

export interface Bench {
  /** True with --full: take the sizes that are promised instead of the short run's. */
  readonly full: boolean
  /** `--workers n`: processes of a server that is measured, where a bench has one. */
  readonly workers: number
  /** Times two sides against each other and notes the ratio. */
  compare(comparison: Comparison): Promise<Ratio>
  /** Notes a value that was found in another way: a figure if it has a unit, otherwise a ratio. */
  report(name: string, value: number, goal?: GoalText, unit?: string): void
  /** A line for people, beside the results. */
  say(line: string): void
}

export interface BenchOptions {
  readonly full: boolean
  readonly workers?: number
  readonly print: (line: string) => void
}

export function createBench({ full, workers = 1, print }: BenchOptions): { bench: Bench; results: Results } {
  const results: Results = { ratios: {}, figures: {} }
  const bench: Bench = {
    full,
    workers,
    async compare(comparison) {
      const { ratios, aa } = await rounds(comparison, full)
      const ratio = toRatio(summarize(ratios), comparison.goal, aa.length === 0 ? undefined : summarize(aa))
      results.ratios[comparison.name] = ratio
      print(table({ ratios: { [comparison.name]: ratio }, figures: {} }).split("\n")[1] ?? "")
      return ratio
    },
    report(name, value, goal, unit) {
      const judged = goal === undefined ? {} : { goal, met: isMet(value, parseGoal(goal)) }
      if (unit === undefined) results.ratios[name] = { value: rounded(value), ...judged }
      else results.figures[name] = { value: rounded(value), unit, ...judged }
    },
    say: print,
  }
  return { bench, results }
}

/** The ratio of each round, and of our side to itself in each round. */
async function rounds(comparison: Comparison, full: boolean): Promise<{ ratios: number[]; aa: number[] }> {
  const { ours, theirs, concurrency = 1, long = false } = comparison
  const count = comparison.rounds ?? (long ? 3 : full ? 93 : 31)
  const n = long ? { ours: 1, theirs: 1 } : await calibrated(comparison, full)
  const turns = {
    ours: async () => (await time(ours, n.ours, concurrency)) / n.ours,
    theirs: async () => (await time(theirs, n.theirs, concurrency)) / n.theirs,
    again: async () => (await time(ours, n.ours, concurrency)) / n.ours,
  }
  const ratios: number[] = []
  const aa: number[] = []
  for (let round = long ? 0 : -WARM_UPS; round < count; round++) {
    const took = { ours: 0, theirs: 0, again: 0 }
    for (const turn of order(Math.abs(round), !long)) took[turn] = await turns[turn]()
    if (round < 0) continue
    ratios.push(comparison.of === "time" ? took.ours / took.theirs : took.theirs / took.ours)
    if (!long) aa.push(took.again / took.ours)
  }
  return { ratios, aa }
}

const WARM_UPS = 2

/** Twice, because the first side was tried before the engine had seen the other one. */
async function calibrated({ ours, theirs, concurrency = 1, targetMs }: Comparison, full: boolean) {
  const options = { concurrency, targetMs: targetMs ?? (full ? 120 : 50) }
  for (const side of [ours, theirs]) await calibrate(side, options)
  return { ours: await calibrate(ours, options), theirs: await calibrate(theirs, options) }
}

type Turn = "ours" | "theirs" | "again"

/** Every side comes equally often before and after every other one. */
export function order(round: number, itself: boolean): readonly Turn[] {
  const turns: Turn[] = itself ? ["ours", "theirs", "again"] : ["ours", "theirs"]
  for (let i = 0; i < (round >> 1) % turns.length; i++) turns.push(turns.shift() as Turn)
  return round % 2 === 0 ? turns : turns.toReversed()
}

function toRatio(all: Summary, goal: GoalText | undefined, aa: Summary | undefined): Ratio {
  return {
    value: rounded(all.median),
    ...(goal === undefined ? {} : { goal, met: isMet(all.median, parseGoal(goal), aa) }),
    ...(aa === undefined ? {} : { aa: rounded(aa.median), aaSpread: pair(aa.spread) }),
    spread: pair(all.spread),
    range: pair(all.range),
  }
}

const rounded = (value: number) => (Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4)))
const pair = ([low, high]: readonly [number, number]): [number, number] => [rounded(low), rounded(high)]
