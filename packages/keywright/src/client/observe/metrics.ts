/* Metrics for Prometheus, fed by what is published on the diagnostics channels (see
 * observe.ts). Nothing is counted before `prometheus()` is called.
 *
 * The number of series is bounded: patterns and commands are few, but an error code can
 * come from anybody's script. Whatever exceeds the limit is counted too, under the label
 * value "other". */

import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { metricRefused } from "../../errors/client.ts"
import { CONTENT_TYPE, metricText, type Labels, type Metric, type Sample } from "./metrics-text.ts"
import type { CacheEvent, JobEvent, Operation } from "./observe.ts"

export interface MetricsOptions {
  /** Upper bounds in seconds. */
  readonly buckets?: readonly number[]
  /** The number of label combinations per metric before the rest is counted as "other". Default: 1000. */
  readonly maxSeries?: number
}

type Measured = number | Iterable<Sample>

export interface Counter {
  add(labels?: Labels, by?: number): void
}

/**
 * What `prometheus` makes; gauges and counters of the application's own can be added.
 * @example
 * const metrics: Metrics = prometheus()
 * metrics.gauge("shop_sold", "Items sold.", () => db.sold({ item: "item1" }).get())
 */
export interface Metrics {
  /** The content type for the response header. */
  readonly contentType: string
  /**
   * The current text of all metrics. Gauges are read; a gauge that fails is left out, and counted in
   * keywright_gauge_failures_total.
   */
  text(): Promise<string>
  /** A value that is read whenever the metrics are: `metrics.gauge("shop_sessions", "Sessions.", () => db.recent().count())`. */
  gauge(name: string, help: string, read: () => Measured | Promise<Measured>): void
  /** A number that only goes up. */
  counter(name: string, help: string): Counter
  /** Stops to listen. */
  close(): void
}

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/**
 * Starts to count what all clients and jobs of this process do, in the text format of Prometheus.
 * @example
 * const metrics = prometheus()
 * const response = new Response(await metrics.text(), { headers: { "content-type": metrics.contentType } })
 */
export function prometheus({ buckets = BUCKETS, maxSeries = 1000 }: MetricsOptions = {}): Metrics {
  const operations = new Series(["pattern", "command", "outcome"], maxSeries, buckets)
  const caches = new Series(["pattern", "outcome"], maxSeries)
  const passes = new Series(["job", "outcome"], maxSeries, buckets)
  const unread = new Series(["gauge"], maxSeries)
  const own = new Map<string, { help: string; series: Series }>()
  const gauges = new Map<string, { help: string; read: () => Measured | Promise<Measured> }>()

  const heard: Readonly<Record<string, (message: unknown) => void>> = {
    "keywright:operation": (message) => {
      const { pattern, command, outcome, ms } = message as Operation
      operations.add({ pattern, command, outcome }, 1, ms / 1000)
    },
    "keywright:cache": (message) => {
      const { pattern, outcome } = message as CacheEvent
      caches.add({ pattern, outcome })
    },
    "keywright:job": (message) => {
      const { job, outcome, ms } = message as JobEvent
      passes.add({ job, outcome }, 1, ms / 1000)
    },
  }
  for (const [name, listener] of Object.entries(heard)) subscribe(name, listener)

  const checkName = (name: string) => {
    if (!/^[a-z_][a-z0-9_]*$/i.test(name)) throw metricRefused(name, "letters, digits and _ only")
    if (name.startsWith("keywright_")) throw metricRefused(name, "names that begin with keywright_ are Keywright's own")
    if (own.has(name) || gauges.has(name)) throw metricRefused(name, "it exists already")
  }

  return {
    contentType: CONTENT_TYPE,
    gauge(name, help, read) {
      checkName(name)
      gauges.set(name, { help, read })
    },
    counter(name, help) {
      checkName(name)
      const series = new Series(undefined, maxSeries)
      own.set(name, { help, series })
      return series
    },
    async text() {
      const read = await Promise.all(
        [...gauges].map(async ([name, { help, read }]): Promise<Metric | undefined> => {
          try {
            const found = await read()
            const samples = typeof found === "number" ? [{ value: found }] : [...found]
            return { name, help, type: "gauge", samples }
          } catch {
            unread.add({ gauge: name })
            return undefined
          }
        }),
      )
      const counted = (name: string, help: string, series: Series): Metric => ({
        name,
        help,
        type: "counter",
        samples: series.counts(),
      })
      const timed = (name: string, help: string, series: Series): Metric => ({
        name,
        help,
        type: "histogram",
        samples: series.durations(),
      })
      return [
        counted("keywright_operations_total", "Calls, by key pattern, command and outcome.", operations),
        timed("keywright_operation_seconds", "How long calls took.", operations),
        counted("keywright_cache_total", "Answers of caches, by key pattern and where they came from.", caches),
        counted("keywright_job_passes_total", "Passes of background jobs, by outcome.", passes),
        timed("keywright_job_seconds", "How long passes took.", passes),
        counted("keywright_gauge_failures_total", "Gauges that could not be read.", unread),
        ...[...own].map(([name, { help, series }]) => counted(name, help, series)),
        ...read.filter((metric) => metric !== undefined),
      ]
        .map(metricText)
        .join("")
    },
    close() {
      for (const [name, listener] of Object.entries(heard)) unsubscribe(name, listener)
    },
  }
}

interface Count {
  readonly labels: Labels
  value: number
  seconds: number
  /** How many took at most this long, not cumulative. */
  readonly within: number[]
}

/** One metric's combinations of labels. */
class Series implements Counter {
  readonly #names: readonly string[] | undefined
  readonly #max: number
  readonly #buckets: readonly number[]
  readonly #tree = new LabelTree()
  readonly #counts: Count[] = []
  /** For everything beyond the limit. */
  #other: Count | undefined

  constructor(names: readonly string[] | undefined, max: number, buckets: readonly number[] = []) {
    this.#names = names
    this.#max = max
    this.#buckets = buckets
  }

  add(labels: Labels = {}, by = 1, seconds = 0): void {
    const count = this.#count(labels)
    count.value += by
    count.seconds += seconds
    let bucket = 0
    while (seconds > this.#buckets[bucket]!) bucket += 1
    if (bucket < this.#buckets.length) count.within[bucket]! += 1
  }

  *counts(): Generator<Sample> {
    for (const { labels, value } of this.#counts) yield { labels, value }
  }

  *durations(): Generator<Sample> {
    for (const { labels, value, seconds, within } of this.#counts) {
      let sum = 0
      for (const [i, bound] of this.#buckets.entries()) {
        sum += within[i]!
        yield { suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: sum }
      }
      yield { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value }
      yield { suffix: "_sum", labels, value: seconds }
      yield { suffix: "_count", labels, value }
    }
  }

  /** Nested maps, one level per label, so that no key text has to be built for each call. */
  #count(labels: Labels): Count {
    const names = this.#names ?? Object.keys(labels).sort()
    let at: LabelTree | undefined = this.#names ? this.#tree : this.#tree.get(names.join())
    for (let i = 0; at !== undefined && i < names.length; i++) at = at.get(labels[names[i]!]!)
    return at?.count ?? this.#newCount(names, labels)
  }

  #newCount(names: readonly string[], labels: Labels): Count {
    const isFull = this.#counts.length >= this.#max
    if (isFull && this.#other !== undefined) return this.#other
    const shown = isFull ? Object.fromEntries(names.map((name) => [name, "other"])) : labels
    const count = { labels: shown, value: 0, seconds: 0, within: this.#buckets.map(() => 0) }
    this.#counts.push(count)
    if (isFull) return (this.#other = count)
    let at = this.#names ? this.#tree : this.#tree.below(names.join())
    for (const name of names) at = at.below(labels[name]!)
    return (at.count = count)
  }
}

class LabelTree extends Map<string, LabelTree> {
  count: Count | undefined

  below(value: string): LabelTree {
    const known = this.get(value) ?? new LabelTree()
    this.set(value, known)
    return known
  }
}
