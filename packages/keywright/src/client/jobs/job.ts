/* Background work: something that is done every so often, by one process or by many.
 *
 *   const rescale = job({ name: "rescale", every: "5m", lease: { on: db, per: "interval" }, run: … })
 *   await rescale.runOnce()     one pass now, and what it counted
 *   rescale.start()             passes in a loop, jittered
 *   await rescale.stop()        ends a sleep at once, and waits for a pass under way
 *
 * A pass that fails never ends the loop: it is counted, and the next one comes later.
 * While Redis is unreachable the loop pauses, and continues when it is back. */

import { performance } from "node:perf_hooks"
import { inspect } from "node:util"
import { backoffMs } from "../../driver/resp/backoff.ts"
import { jobRefused, jobStopped } from "../../errors/job.ts"
import { toMs, type Duration } from "../../schema/duration.ts"
import { leaseOf, type JobLease } from "./job-lease.ts"
import { Lease } from "./lease.ts"
import { observedJob, outcomeOf } from "../observe/observe.ts"
import { sleep } from "../call/sleep.ts"
import { isUnavailable } from "../call/unavailable.ts"

/**
 * What each pass of a job is given.
 * @example
 * const tidy = job({ name: "tidy", every: "1m", run: ({ signal }: Pass) => db.$sweep(signal) })
 */
export interface Pass {
  /** Aborted when the job is stopped, or when its lease is lost: stop at the next suitable point. */
  readonly signal: AbortSignal
  /** The lease, where the job has one: `held` is certain at the moment it is asked. */
  readonly lease: Pick<Lease, "held"> | undefined
}

/**
 * What `job` takes: what to do, how often, and what to do about failures.
 * @example
 * const options: JobOptions<number> = { name: "tidy", every: "10m", run: () => db.$sweep(), onError: console.error }
 */
export interface JobOptions<C> {
  /** Names its lease and its metrics: letters, digits, `_`, `.` and `-`. */
  readonly name: string
  /** From the end of a pass to the next one, give or take a tenth. */
  readonly every: Duration
  /** One pass; returns what it did, as counts. */
  readonly run: (pass: Pass) => Promise<C> | C
  /** There is more to do: the next pass follows at once. */
  readonly again?: (counts: C) => boolean
  /** Called with the error of each pass that failed. If it fails itself, that is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/**
 * How a job is doing: for a health check.
 * @example
 * const healthy = ({ started, paused, failures }: JobStatus<unknown>) => started && !paused && failures === 0
 */
export interface JobStatus<C> {
  /** The loop is running. */
  readonly started: boolean
  /** Redis is unreachable, and the loop waits for it. */
  readonly paused: boolean
  readonly passes: number
  readonly failures: number
  /** Passes that another process had the lease for. */
  readonly skipped: number
  readonly lastCounts: C | undefined
  readonly lastError: unknown
}

export interface RunOptions {
  /** Also when another process has the lease: it is taken over, and a new interval begins. */
  readonly force?: boolean
}

/**
 * What `job` makes.
 * @example
 * const shutdown = async (jobs: Job<unknown>[]) => Promise.all(jobs.map((one) => one.stop()))
 */
export interface Job<C, Once = C> {
  readonly name: string
  /** One pass now, after one that is under way in this process. Rejects with the pass's own error. */
  runOnce(options?: RunOptions): Promise<Once>
  /** Begins the loop; once is enough. */
  start(): void
  stop(): Promise<void>
  status(): JobStatus<C>
}

const PAUSE_FIRST_MS = 50
const PAUSE_LONGEST_MS = 1000
const BACKOFF_LONGEST_MS = 60_000

/**
 * Work that is repeated: in a loop with pauses, or pass by pass. With a lease, one process at a time does it, and
 * `runOnce` returns undefined when that is another one.
 * @example
 * const report = job({
 *   name: "report",
 *   every: "1h",
 *   lease: { on: db },
 *   run: async () => ({ sold: await db.sold({ item: "item1" }).get() }),
 * })
 * report.start()
 */
export function job<C>(options: JobOptions<C> & { readonly lease?: never }): Job<C>
export function job<C>(options: JobOptions<C> & { readonly lease: JobLease }): Job<C, C | undefined>
export function job<C>(options: JobOptions<C> & { readonly lease?: JobLease }): Job<C, C | undefined> {
  const { name, run, again, onError } = options
  const everyMs = toMs(options.every)
  if (!/^[\w.-]{1,64}$/.test(name)) throw jobRefused(name)
  const lease = options.lease && leaseOf(name, options.lease, everyMs)

  const status = {
    started: false,
    paused: false,
    passes: 0,
    failures: 0,
    skipped: 0,
    lastCounts: undefined as C | undefined,
    lastError: undefined as unknown,
  }
  let stopping = new AbortController()
  let loop: Promise<void> | undefined
  let latest: Promise<unknown> = Promise.resolve()
  /** How long another process still has the lease, when the last pass was skipped. */
  let leftMs: number | undefined

  const pass = async (force: boolean): Promise<C | undefined> => {
    const started = performance.now()
    const observe = (outcome: string) => observedJob({ job: name, ms: performance.now() - started, outcome })
    try {
      const taken = await lease?.take(force)
      leftMs = typeof taken === "number" ? taken : undefined
      if (typeof taken === "number") {
        status.skipped += 1
        observe("skipped")
        return undefined
      }
      const counts = await passWith(taken)
      status.passes += 1
      status.lastCounts = counts
      observe("ok")
      return counts
    } catch (error) {
      observe(outcomeOf(error))
      throw error
    }
  }

  const passWith = async (taken: Lease | undefined): Promise<C> => {
    const signal = taken ? AbortSignal.any([stopping.signal, taken.signal]) : stopping.signal
    let failure: unknown
    try {
      const counts = await run({ signal, lease: taken })
      if (taken && !taken.held) throw taken.signal.reason ?? lease!.lost()
      return counts
    } catch (error) {
      failure = error
      throw error
    } finally {
      if (taken) await lease!.end(taken, failure)
    }
  }

  /** One at a time in this process. */
  const next = (force = false): Promise<C | undefined> => {
    const mine = latest.then(() => pass(force))
    latest = mine.catch(() => undefined)
    return mine
  }

  /** An `onError` that fails itself, at once or later, must not end the loop either. */
  const report = (error: unknown): void =>
    void (async () => onError?.(error))().catch((failure: unknown) =>
      process.emitWarning(`onError of the job ${name} failed: ${inspect(failure)}`),
    )

  const turn = async (failed: number): Promise<{ readonly waitMs: number; readonly failed: number }> => {
    try {
      const counts = await next()
      status.paused = false
      if (counts !== undefined && again?.(counts)) return { waitMs: 0, failed: 0 }
      const waitMs = leftMs === undefined ? jittered(everyMs) : Math.min(everyMs, leftMs) + Math.random() * 50
      return { waitMs, failed: 0 }
    } catch (error) {
      if (stopping.signal.aborted) return { waitMs: 0, failed: 0 }
      status.paused = isUnavailable(error)
      status.lastError = error
      if (!status.paused) status.failures += 1
      report(error)
      const waitMs = status.paused
        ? backoffMs(failed, PAUSE_FIRST_MS, PAUSE_LONGEST_MS)
        : Math.max(jittered(everyMs), backoffMs(failed, everyMs, Math.max(everyMs, BACKOFF_LONGEST_MS)))
      return { waitMs, failed: failed + 1 }
    }
  }

  const runLoop = async () => {
    let failed = 0
    while (!stopping.signal.aborted) {
      const turned = await turn(failed)
      failed = turned.failed
      await sleep(turned.waitMs, stopping.signal)
    }
  }

  return {
    name,
    runOnce: ({ force = false } = {}) => next(force),
    start() {
      if (loop) return
      stopping = new AbortController()
      status.started = true
      loop = runLoop()
    },
    async stop() {
      stopping.abort(jobStopped(name))
      await loop
      await latest
      loop = undefined
      status.started = false
      status.paused = false
      stopping = new AbortController()
    },
    status: () => ({ ...status }),
  }
}

/** Give or take a tenth, so that many processes do not move in step. */
const jittered = (ms: number): number => ms * (0.9 + Math.random() * 0.2)
