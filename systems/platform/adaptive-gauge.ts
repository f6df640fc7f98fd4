/* For gauges that have to count: what was counted is good for twenty times as long as
 * counting took, so that a large database is not walked at every scrape, and a small
 * one is counted again each time. */

import { performance } from "node:perf_hooks"

export function adaptive(count: () => Promise<number>): () => Promise<number> {
  let latest: { readonly value: number; readonly until: number } | undefined
  let counting: Promise<number> | undefined
  return () => {
    const started = performance.now()
    if (latest !== undefined && started < latest.until) return Promise.resolve(latest.value)
    counting ??= count()
      .then((value) => {
        const ended = performance.now()
        latest = { value, until: ended + 20 * (ended - started) }
        return value
      })
      .finally(() => (counting = undefined))
    return counting
  }
}
