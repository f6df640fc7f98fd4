/* What happens, on node:diagnostics_channel, labelled by pattern and never by key: it can
 * be counted and charted without revealing who did what. Costs one check per call while
 * nobody listens.
 *
 *   keywright:operation   each call of a handle, step or family
 *   keywright:cache       each answer of a cache, and where it came from
 *   keywright:job         each pass of a job */

import { channel } from "node:diagnostics_channel"
import { performance } from "node:perf_hooks"
import type { Command } from "../../driver/driver.ts"
import { isKeywrightError } from "../../errors/error.ts"

/**
 * What is published on the diagnostics channel `keywright:operation`.
 * @example
 * subscribe("keywright:operation", (event) => {
 *   const { pattern, command, ms } = event as Operation
 *   if (ms > 100) console.warn(`${command} ${pattern} took ${ms} ms`)
 * })
 */
export interface Operation {
  readonly pattern: string
  readonly command: string
  readonly ms: number
  /** `"ok"`, or the code of the error. */
  readonly outcome: string
}

/**
 * Where an answer of a cache came from: `"refresh"` is a background load for a reader that was served the old value.
 */
export type CacheOutcome = "hit" | "stale" | "miss" | "refresh" | "refresh failed" | "not stored" | "unavailable"

/**
 * What is published on the diagnostics channel `keywright:cache`.
 * @example
 * subscribe("keywright:cache", (event) => console.log((event as CacheEvent).pattern, (event as CacheEvent).outcome))
 */
export interface CacheEvent {
  readonly pattern: string
  readonly outcome: CacheOutcome
}

/**
 * What is published on the diagnostics channel `keywright:job`.
 * @example
 * subscribe("keywright:job", (event) => console.log((event as JobEvent).job, (event as JobEvent).ms))
 */
export interface JobEvent {
  readonly job: string
  readonly ms: number
  /** `"ok"`, `"skipped"` when another process has the lease, or the code of the error. */
  readonly outcome: string
}

const operations = channel("keywright:operation")
const caches = channel("keywright:cache")
const jobs = channel("keywright:job")

/** Begins an operation; calling the result ends it. Undefined while nobody listens. */
export function observed(pattern: string, command: Command): ((error?: unknown) => void) | undefined {
  if (!operations.hasSubscribers) return undefined
  const started = performance.now()
  return (error) => {
    operations.publish({
      pattern,
      command: String(command[0]),
      ms: performance.now() - started,
      outcome: outcomeOf(error),
    } satisfies Operation)
  }
}

export function observedCache(pattern: string, outcome: CacheOutcome): void {
  if (caches.hasSubscribers) caches.publish({ pattern, outcome } satisfies CacheEvent)
}

export function observedJob(event: JobEvent): void {
  if (jobs.hasSubscribers) jobs.publish(event)
}

/** `"ok"`, or the code of the error: never its message, which may name a key. */
export const outcomeOf = (error: unknown): string =>
  error === undefined ? "ok" : isKeywrightError(error) ? error.code : "ERROR"
