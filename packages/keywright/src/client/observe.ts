/* Operations on node:diagnostics_channel, labelled by pattern and never by key:
 * what can be counted and charted without telling who did what. Costs one test per
 * call while nobody listens. */

import { channel } from "node:diagnostics_channel"
import { performance } from "node:perf_hooks"
import type { Command } from "../driver/driver.ts"
import { KeywrightError } from "../errors/error.ts"

/** What is published on `keywright:operation`. */
export interface Operation {
  readonly pattern: string
  readonly command: string
  readonly ms: number
  /** `"ok"`, or the code of the error. */
  readonly outcome: string
}

const operations = channel("keywright:operation")

/** Begins an operation; the result ends it. Undefined while nobody listens. */
export function observed(pattern: string, command: Command): ((error?: unknown) => void) | undefined {
  if (!operations.hasSubscribers) return undefined
  const started = performance.now()
  return (error) => {
    const outcome = error === undefined ? "ok" : error instanceof KeywrightError ? error.code : "ERROR"
    operations.publish({
      pattern,
      command: String(command[0]),
      ms: performance.now() - started,
      outcome,
    } satisfies Operation)
  }
}
