/* What can be said of single elements, without any order of transactions: whether what
 * was acknowledged is there, once, and nothing else; and whether what was read could ever
 * be read. */

import { type Anomaly, type FinalState, type Judged, named, type Operation, writesNothing } from "./history.cases.ts"

/** Who wrote a value, and whether it was the last that they wrote to that key. */
interface Writer {
  readonly transaction: Judged
  readonly isLast: boolean
}

type Report = (kind: string, text: string, ...transactions: readonly number[]) => void

/** By `key value`. */
type Writers = ReadonlyMap<string, Writer>

const place = (key: string, value: number) => `${key} ${value}`
const shown = (values: readonly number[]) => `[${values.join(" ")}]`
const isStored = ({ lists, sets }: FinalState, key: string, value: number) =>
  (lists.get(key) ?? sets.get(key) ?? []).includes(value)
const isAborted = ({ outcome }: Judged) => outcome === "notApplied" || outcome === "threw"

export function checkElements(transactions: readonly Judged[], final: FinalState, failover = false): Anomaly[] {
  const anomalies: Anomaly[] = []
  const report: Report = (kind, text, ...ids) => anomalies.push({ kind, text, transactions: ids })
  const writers = writersOf(transactions)
  for (const [key, values] of [...final.lists, ...final.sets]) checkStored(key, values, writers, report)
  for (const transaction of transactions) {
    checkWritten(transaction, final, report)
    if (transaction.outcome === "ok" || transaction.outcome === "threw")
      checkReads(transaction, final, writers, report, failover && writesNothing(transaction))
  }
  checkCounters(transactions, final, report)
  return anomalies
}

function writersOf(transactions: readonly Judged[]): Writers {
  const writers = new Map<string, Writer>()
  for (const transaction of transactions) {
    const writes = transaction.operations.filter((operation) => operation.f === "append" || operation.f === "add")
    const last = new Map(writes.map(({ key, value }) => [key, value]))
    for (const { key, value, f } of writes)
      writers.set(place(key, value), { transaction, isLast: f === "add" || last.get(key) === value })
  }
  return writers
}

/** What is stored was written by somebody who may have, and once. */
function checkStored(key: string, values: readonly number[], writers: Writers, report: Report): void {
  const seen = new Set<number>()
  for (const value of values) {
    const writer = writers.get(place(key, value))?.transaction
    if (seen.has(value)) report("doubled", `${key} holds ${value} more than once: ${shown(values)}`, writer?.id ?? -1)
    seen.add(value)
    if (!writer) report("never written", `${key} holds ${value}, which nobody wrote`)
    else if (isAborted(writer))
      report(
        "applied though refused",
        `${key} holds ${value} of ${named(writer.id)}, which was told "${writer.outcome}"`,
        writer.id,
      )
  }
}

/** What was acknowledged is there; what is unknown is there wholly or not at all. */
function checkWritten({ id, outcome, operations }: Judged, final: FinalState, report: Report): void {
  if (outcome !== "ok" && outcome !== "unknown") return
  let [there, missing] = ["", ""]
  for (const operation of operations) {
    if (operation.f !== "append" && operation.f !== "add") continue
    const { key, value } = operation
    const at = (final.lists.get(key) ?? final.sets.get(key) ?? []).indexOf(value)
    if (at < 0) missing = `${value} of ${key}`
    else there = `${value} in ${key}`
    if (at < 0 && outcome === "ok")
      report("lost", `${named(id)} was told that ${value} is in ${key}; it is not there`, id)
    if (at >= 0 && operation.f === "append" && operation.length !== undefined && operation.length !== at + 1)
      report(
        "wrong answer",
        `${named(id)} was told that ${key} has ${operation.length} elements with its ${value}; that is number ${at + 1}`,
        id,
      )
  }
  if (outcome === "unknown" && there !== "" && missing !== "")
    report("torn", `of ${named(id)}, whose outcome is unknown, there is ${there} without ${missing}`, id)
}

function checkReads(
  { id, operations }: Judged,
  final: FinalState,
  writers: Writers,
  report: Report,
  mayBeGone: boolean,
): void {
  for (const operation of operations) {
    if (operation.f !== "read") continue
    const { key, values } = operation
    if (new Set(values).size < values.length)
      report("doubled", `${named(id)} read ${key} with an element twice: ${shown(values)}`, id)
    for (const value of values) {
      const writer = writers.get(place(key, value))?.transaction
      if (!writer) report("never written", `${named(id)} read ${value} in ${key}, which nobody wrote`, id)
      else if (isAborted(writer) && writer.id !== id && !(mayBeGone && !isStored(final, key, value)))
        report(
          "G1a aborted read",
          `${named(id)} read ${value} in ${key}: ${named(writer.id)} was told "${writer.outcome}"`,
          id,
          writer.id,
        )
    }
    const last = values.at(-1)
    const writer = last === undefined || final.sets.has(key) ? undefined : writers.get(place(key, last))
    if (writer && !writer.isLast && writer.transaction.id !== id)
      report(
        "G1b intermediate read",
        `${named(id)} read ${key} up to ${last!}: ${named(writer.transaction.id)} appended more to it`,
        id,
        writer.transaction.id,
      )
  }
  checkOwnView(id, operations, final, report)
}

/** A transaction sees its own writes, and otherwise the same as before. */
function checkOwnView(id: number, operations: readonly Operation[], final: FinalState, report: Report): void {
  const seen = new Map<string, number[]>()
  const written = new Map<string, number[]>()
  for (const operation of operations) {
    const { f, key } = operation
    if (f === "append" || f === "add") {
      const own = written.get(key)
      if (own) own.push(operation.value)
      else written.set(key, [operation.value])
      seen.get(key)?.push(operation.value)
    } else if (f === "read") {
      const { values } = operation
      const expected = seen.get(key)
      const own = written.get(key) ?? []
      const isSet = final.sets.has(key)
      if (expected ? !same(values, expected, isSet) : !endsWith(values, own, isSet))
        report(
          "internal",
          `${named(id)} read ${key} as ${shown(values)} where its own reads and writes make it ${expected ? shown(expected) : `end with ${shown(own)}`}`,
          id,
        )
      seen.set(key, [...values])
    }
  }
}

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)

function same(a: readonly number[], b: readonly number[], isSet: boolean): boolean {
  const [x, y] = isSet ? [sorted(a), sorted(b)] : [a, b]
  return x.length === y.length && x.every((value, i) => value === y[i])
}

function endsWith(values: readonly number[], own: readonly number[], isSet: boolean): boolean {
  if (isSet) return own.every((value) => values.includes(value))
  return own.every((value, i) => values[values.length - own.length + i] === value)
}

/** No total is answered twice, and the last is that of all increments. */
function checkCounters(transactions: readonly Judged[], final: FinalState, report: Report): void {
  const totals = new Map<string, number>()
  const [sure, possible] = [new Map<string, number>(), new Map<string, number>()]
  for (const { id, outcome, operations } of transactions) {
    if (outcome !== "ok" && outcome !== "unknown") continue
    for (const operation of operations) {
      if (operation.f !== "increment") continue
      const { key, total } = operation
      possible.set(key, (possible.get(key) ?? 0) + 1)
      if (outcome === "ok") sure.set(key, (sure.get(key) ?? 0) + 1)
      if (total === undefined || outcome !== "ok") continue
      const other = totals.get(place(key, total))
      if (other !== undefined)
        report("wrong answer", `${named(other)} and ${named(id)} both counted ${key} to ${total}`, other, id)
      if (!(total >= 1 && total <= (final.counters.get(key) ?? 0)))
        report(
          "wrong answer",
          `${named(id)} counted ${key} to ${total}; in the end it is ${final.counters.get(key)}`,
          id,
        )
      totals.set(place(key, total), id)
    }
  }
  for (const [key, total] of final.counters) {
    const [least, most] = [sure.get(key) ?? 0, possible.get(key) ?? 0]
    if (total < least) report("lost", `${key} is ${total}, with ${least} increments acknowledged`)
    if (total > most) report("doubled", `${key} is ${total}, with ${most} increments that may have been applied`)
  }
}
