/* How the systems are doing: their health, and how many requests each has answered, from
 * /health and /metrics, as any monitoring would read them. */

import { signal } from "@preact/signals"

export interface Health {
  readonly status: "ok" | "degraded"
  readonly systems?: Readonly<Record<string, unknown>>
}

export const health = signal<Health | undefined>(undefined)
/** Requests per second by system, the latest last. */
export const rates = signal<Readonly<Record<string, readonly number[]>>>({})

const MOST = 40
let before: { readonly at: number; readonly counts: Readonly<Record<string, number>> } | undefined

export async function loadMetrics(): Promise<void> {
  const [found, text] = await Promise.all([
    fetch("/health").then((answer) => answer.json() as Promise<Health>),
    fetch("/metrics").then((answer) => answer.text()),
  ])
  health.value = found
  const [counts, at] = [requestsIn(text), performance.now()]
  if (before !== undefined) rates.value = withRates(rates.value, before, { at, counts })
  before = { at, counts }
}

/** `http_requests_total{system="shop",…} 12` → `{ shop: 12 }` */
export function requestsIn(text: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [, system = "", count] of text.matchAll(/^http_requests_total\{[^}]*system="(\w+)"[^}]*\} (\S+)$/gm))
    counts[system] = (counts[system] ?? 0) + Number(count)
  return counts
}

interface Sample {
  readonly at: number
  readonly counts: Readonly<Record<string, number>>
}

function withRates(known: typeof rates.value, before: Sample, now: Sample): typeof rates.value {
  const seconds = Math.max(0.1, (now.at - before.at) / 1000)
  return Object.fromEntries(
    Object.entries(now.counts).map(([system, count]) => {
      const rate = Math.max(0, count - (before.counts[system] ?? 0)) / seconds
      return [system, [...(known[system] ?? []), rate].slice(-MOST)]
    }),
  )
}
