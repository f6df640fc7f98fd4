/* Calls that settled too late. A process that does not get to run cannot settle anything,
 * so the time that it or the machine was paused after the deadline does not count. */

import { type Anomaly, type Call, type History, named, type Pause } from "./history.cases.ts"

const ALLOWED_MS = 100

export function checkLateness({ transactions, pauses = new Map() }: History): Anomaly[] {
  const machine = pauses.get("") ?? []
  const stops = new Map([...pauses].map(([name, own]) => [name, united([...own, ...machine])]))
  const anomalies: Anomaly[] = []
  for (const { id, calls } of transactions)
    for (const call of calls) {
      const late = lateness(call, stops.get(call.process) ?? united(machine))
      if (late <= ALLOWED_MS) continue
      const text = `${named(id)} had ${call.timeoutMs} ms and settled (${call.outcome}${call.code ? `, ${call.code}` : ""}) ${Math.round(late)} ms after them, at ${Math.round(call.settled!)}`
      anomalies.push({ kind: "late", text, transactions: [id] })
    }
  return anomalies
}

/** How long after its deadline it settled, without the pauses in between. */
function lateness({ invoked, settled, timeoutMs }: Call, pauses: readonly Pause[]): number {
  const deadline = invoked + timeoutMs
  if (settled === undefined || settled <= deadline) return 0
  let late = settled - deadline
  for (let i = firstBeyond(pauses, deadline); i < pauses.length && pauses[i]!.from < settled; i++)
    late -= Math.min(pauses[i]!.to, settled) - Math.max(pauses[i]!.from, deadline)
  return late
}

/** The first pause that ends after a time. */
function firstBeyond(pauses: readonly Pause[], time: number): number {
  let [low, high] = [0, pauses.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (pauses[middle]!.to <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** In order and without overlaps. */
function united(pauses: readonly Pause[]): Pause[] {
  const whole: { from: number; to: number }[] = []
  for (const { from, to } of [...pauses].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else whole.push({ from, to })
  }
  return whole
}
