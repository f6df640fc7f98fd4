/* The graph of who must come before whom.
 *
 *   ww  both wrote a key, in this order
 *   wr  the second read what the first wrote
 *   rw  the first read a key without what the second wrote to it
 *   rt  the first was over before the second began
 *
 * The order of writes is that of the elements in the list as raw Redis holds it; that of
 * increments, of the totals that they answered. Sets have no order.
 *
 * Real time would be an edge for each pair. Instead, every end of a transaction is a
 * node: from it to the next end, and to those who begin in between. */

import { type Anomaly, type FinalState, type Judged, named, writesNothing } from "./history.cases.ts"

export type Dependency = "ww" | "wr" | "rw" | "rt"

export interface Edge {
  readonly to: number
  readonly type: Dependency
  readonly key: string
}

export interface Graph {
  /** The transactions that took place: nodes from 0 on. Nodes beyond are ends. */
  readonly transactions: readonly Judged[]
  readonly edges: readonly Edge[][]
  /** What was read in an order that the list never had. */
  readonly anomalies: readonly Anomaly[]
}

export function dependencies(all: readonly Judged[], final: FinalState, failover = false): Graph {
  const present = presentWrites(final)
  const transactions = all.filter((one) => tookPlace(one, present))
  const edges: Edge[][] = transactions.map(() => [])
  const anomalies: Anomaly[] = []
  const link = (from: number, to: number, type: Dependency, key: string) => {
    if (from !== to) edges[from]!.push({ to, type, key })
  }
  const byKey = gather(transactions)
  const writers = new Map(all.flatMap((one) => one.operations.map((each) => [idOf(each), one] as const)))
  // Who only read cannot wait for replicas: what it saw of others who were still waiting, a failover may take back.
  const isExcused = transactions.map(
    (reader) =>
      failover &&
      writesNothing(reader) &&
      reader.operations.some(
        (each) =>
          "values" in each &&
          each.values.some((value) => isUnacknowledged(writers.get(`${each.key} ${value}`), reader)),
      ),
  )
  for (const [key, { writes, reads: allReads, totals: allTotals, increments }] of byKey) {
    const reads = allReads.filter(({ node }) => !isExcused[node])
    const totals = allTotals.filter(({ node }) => !isExcused[node])
    const list = final.lists.get(key)
    if (list) {
      const order = list.map((value) => writes.get(value))
      linkOrdered(key, order, link)
      for (const { node, values } of reads) {
        const at = longestPrefix(values, list)
        if (at < values.length) {
          anomalies.push(incompatible(transactions[node]!, key, values, list))
        } else linkRead(key, node, order, at, link)
      }
    } else if (final.sets.has(key)) linkSet(key, writes, reads, new Set(final.sets.get(key)), link)
    if (final.counters.has(key)) {
      const counted: (number | undefined)[] = []
      for (const { node, total } of increments) counted[total - 1] = node
      const whole = Array.from({ length: Math.max(counted.length, final.counters.get(key)!) }, (_, i) => counted[i])
      linkOrdered(key, whole, link)
      for (const { node, total } of totals) linkRead(key, node, whole, total, link)
    }
  }
  linkTime(transactions, edges)
  return { transactions, edges, anomalies }
}

type Link = (from: number, to: number, type: Dependency, key: string) => void

interface KeyUse {
  /** By value: the node that wrote it. */
  readonly writes: Map<number, number>
  readonly reads: { readonly node: number; readonly values: readonly number[] }[]
  readonly increments: { readonly node: number; readonly total: number }[]
  readonly totals: { readonly node: number; readonly total: number }[]
}

const idOf = (operation: Judged["operations"][number]) =>
  operation.f === "append" || operation.f === "add" ? `${operation.key} ${operation.value}` : ""

/** When the reader began, nobody knew that it was done: it may be carried out again by a repetition. */
const isUnacknowledged = (writer: Judged | undefined, reader: Judged): boolean =>
  writer?.outcome !== "ok" || writer.ended === undefined || writer.ended > reader.began

function presentWrites({ lists, sets }: FinalState): ReadonlySet<string> {
  return new Set([...lists, ...sets].flatMap(([key, values]) => values.map((value) => `${key} ${value}`)))
}

/** What is unknown took place if any of it is there; nobody learned its reads. */
function tookPlace({ outcome, operations }: Judged, present: ReadonlySet<string>): boolean {
  if (outcome === "unknown") return operations.some((operation) => present.has(idOf(operation)))
  return outcome === "ok" || outcome === "threw"
}

/** Reads that come from outside: without what the transaction itself wrote before. */
function gather(transactions: readonly Judged[]): Map<string, KeyUse> {
  const byKey = new Map<string, KeyUse>()
  transactions.forEach(({ operations, outcome }, node) => {
    const own = new Map<string, number>()
    for (const operation of operations) {
      const { key, f } = operation
      let use = byKey.get(key)
      if (!use) byKey.set(key, (use = { writes: new Map(), reads: [], increments: [], totals: [] }))
      const mine = own.get(key) ?? 0
      if (f === "read")
        use.reads.push({ node, values: mine === 0 ? operation.values : operation.values.slice(0, -mine) })
      else if (f === "total") use.totals.push({ node, total: operation.total - mine })
      else {
        own.set(key, mine + 1)
        if (outcome === "threw") continue
        if (f !== "increment") use.writes.set(operation.value, node)
        else if (operation.total !== undefined && operation.total > 0)
          use.increments.push({ node, total: operation.total })
      }
    }
  })
  return byKey
}

/** Who wrote the versions of a key, in order; undefined where nobody knows. */
function linkOrdered(key: string, writers: readonly (number | undefined)[], link: Link): void {
  let before: number | undefined
  for (const writer of writers) {
    if (writer === undefined) continue
    if (before !== undefined) link(before, writer, "ww", key)
    before = writer
  }
}

/** A reader of the first `length` versions: after the last of their writers, before the next one. */
function linkRead(
  key: string,
  node: number,
  writers: readonly (number | undefined)[],
  length: number,
  link: Link,
): void {
  for (let i = Math.min(length, writers.length) - 1; i >= 0; i--)
    if (writers[i] !== undefined) {
      link(writers[i]!, node, "wr", key)
      break
    }
  for (let i = Math.max(length, 0); i < writers.length; i++)
    if (writers[i] !== undefined) return link(node, writers[i]!, "rw", key)
}

function linkSet(
  key: string,
  writes: ReadonlyMap<number, number>,
  reads: KeyUse["reads"],
  final: ReadonlySet<number>,
  link: Link,
): void {
  for (const { node, values } of reads) {
    const seen = new Set(values)
    for (const [value, writer] of writes)
      if (seen.has(value)) link(writer, node, "wr", key)
      else if (final.has(value)) link(node, writer, "rw", key)
  }
}

function longestPrefix(values: readonly number[], list: readonly number[]): number {
  let at = 0
  while (at < values.length && values[at] === list[at]) at++
  return at
}

const incompatible = ({ id }: Judged, key: string, values: readonly number[], list: readonly number[]): Anomaly => ({
  kind: "incompatible order",
  text: `${named(id)} read ${key} as [${values.join(" ")}], which does not begin [${list.join(" ")}]`,
  transactions: [id],
})

function linkTime(transactions: readonly Judged[], edges: Edge[][]): void {
  const ends = transactions
    .flatMap(({ ended }, node) => (ended === undefined ? [] : [{ node, ended }]))
    .sort((a, b) => a.ended - b.ended)
  const first = transactions.length
  ends.forEach(({ node }, i) => {
    edges[node]!.push({ to: first + i, type: "rt", key: "" })
    edges.push(i + 1 < ends.length ? [{ to: first + i + 1, type: "rt", key: "" }] : [])
  })
  transactions.forEach(({ began }, node) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]!.ended < began) low = middle + 1
      else high = middle
    }
    if (low > 0) edges[first + low - 1]!.push({ to: node, type: "rt", key: "" })
  })
}
