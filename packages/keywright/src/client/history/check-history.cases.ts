/* The checker: a history and the final state go in, what cannot be under strict
 * serializability comes out. For lists it does what Elle does, with one advantage: the
 * order of a list's elements is known from the server, not guessed from what was read.
 *
 * It takes time in proportion to the history: 20,000 transactions take seconds at most. */

import { cycles } from "./cycles.cases.ts"
import { dependencies } from "./dependencies.cases.ts"
import { checkElements } from "./elements.cases.ts"
import { type Anomaly, type History, judged, named, type Transaction } from "./history.cases.ts"
import { checkLateness } from "./lateness.cases.ts"

export function checkHistory(history: History): Anomaly[] {
  const { transactions, final } = history
  const all = transactions.map(judged)
  const graph = dependencies(all, final, history.failover)
  return [
    ...transactions.flatMap((one) => checkAnswers(one, history.failover === true)),
    ...checkElements(all, final, history.failover),
    ...graph.anomalies,
    ...cycles(graph),
    ...checkLateness(history),
  ]
}

/**
 * Repetitions answer what was answered first, and no work sees what cannot be. Who wrote nothing waited for no replica:
 * when one takes over, the note of what was answered may be gone with the old primary.
 */
function checkAnswers({ id, calls, writes, impossible }: Transaction, failover: boolean): Anomaly[] {
  const isForgotten = failover && writes.length === 0
  const answers = calls.flatMap(({ outcome, answer }) => (outcome === "ok" && answer ? [JSON.stringify(answer)] : []))
  const other = answers.find((answer) => answer !== answers[0])
  const found: Anomaly[] = []
  if (other !== undefined && !isForgotten) {
    const text = `${named(id)} answered ${answers[0]}, and when it was repeated ${other}`
    found.push({ kind: "changed answer", text, transactions: [id] })
  }
  if (impossible !== undefined)
    found.push({ kind: "impossible state", text: `${named(id)} saw ${impossible}`, transactions: [id] })
  return found
}

/** How many there are of each kind: for reports. */
export function countKinds(anomalies: readonly Anomaly[]): Record<string, number> {
  const count: Record<string, number> = {}
  for (const { kind } of anomalies) count[kind] = (count[kind] ?? 0) + 1
  return count
}
