/* Histories of a store in memory that carries out one transaction after another, each at
 * some moment between its invocation and its end; or of one with a fault. */

import type { FinalState, History, Operation, Outcome, Transaction } from "./history.cases.ts"
import { Random } from "../../../../../test/random.ts"

export type Fault =
  | "loses a write"
  | "writes twice"
  | "says refused"
  | "reads from before"
  | "reads one key later"
  | "writes a half"

export interface SerialOptions {
  readonly seed: number
  readonly transactions: number
  readonly processes: number
  readonly fault?: Fault
}

interface Store {
  readonly lists: Map<string, number[]>
  readonly sets: Map<string, number[]>
  readonly counters: Map<string, number>
}

/** After this many elements, the next key is used. */
const FULL = 24

export function runSerially({ seed, transactions, processes, fault }: SerialOptions): History {
  const random = new Random(seed)
  const store: Store = { lists: new Map(), sets: new Map(), counters: new Map() }
  const done: Transaction[] = []
  const free = Array.from({ length: processes }, () => 0)
  for (let id = 1; id <= transactions; id++) {
    // The moment at which it takes place; its process is busy around it.
    const process = free.indexOf(Math.min(...free))
    const invoked = Math.max(free[process]!, id * 10 - 1 - random.int(processes * 10))
    const at = id * 10
    const settled = at + 1 + random.int(processes * 10)
    free[process] = settled + 1
    const isFaulty = fault !== undefined && random.int(10) === 0
    const { operations, outcome } = carryOut(store, id, random, isFaulty ? fault : undefined)
    const answer = outcome === "ok" || outcome === "threw" ? operations : undefined
    const writes = operations.filter(({ f }) => f !== "read" && f !== "total")
    const call = { process: String(process), invoked: Math.min(invoked, at - 1), timeoutMs: 1e9, outcome, answer }
    done.push({ id, writes, calls: [outcome === "unknown" ? call : { ...call, settled }] })
  }
  return { transactions: done, final: store satisfies FinalState }
}

function carryOut(store: Store, id: number, random: Random, fault: Fault | undefined) {
  const operations: Operation[] = []
  const outcome = random.pick<Outcome>(["ok", "ok", "ok", "ok", "ok", "ok", "unknown", "notApplied", "threw"])
  const isApplied = outcome === "ok" || (outcome === "unknown" && random.int(2) === 0)
  const undo: (() => void)[] = []
  const write = (change: () => () => void) => undo.push(change())
  let halves = 0
  for (let n = 1 + random.int(4); n > 0; n--) {
    const key = keyOf(store, random)
    const held = key.startsWith("set") ? entry(store.sets, key) : entry(store.lists, key)
    const value = id * 10 + operations.length
    if (random.int(2) === 0) operations.push({ f: "read", key, values: seenBy(held, fault, random, id) })
    else if (key.startsWith("set")) {
      operations.push({ f: "add", key, value })
      write(() => pushed(held, value))
    } else {
      operations.push({ f: "append", key, value })
      if (fault === "loses a write") continue
      if (fault === "writes a half" && halves++ > 0) continue
      write(() => pushed(held, value))
      if (fault === "writes twice") write(() => pushed(held, value))
    }
  }
  const counting = random.pick(["increment", "read", "nothing"])
  if (counting === "increment") {
    const total = (store.counters.get("count") ?? 0) + 1
    store.counters.set("count", total)
    undo.push(() => store.counters.set("count", total - 1))
    operations.push({ f: "increment", key: "count", total })
  } else if (counting === "read") operations.push({ f: "total", key: "count", total: store.counters.get("count") ?? 0 })
  if (fault === "says refused") return { operations, outcome: "notApplied" as const }
  if (!isApplied) for (const back of undo.toReversed()) back()
  return { operations, outcome }
}

/** What a read finds: with a fault, what was there a while ago. */
function seenBy(held: readonly number[], fault: Fault | undefined, random: Random, id: number): number[] {
  const isStale = fault === "reads from before" || (fault === "reads one key later" && random.int(2) === 0)
  const others = held.filter((value) => Math.floor(value / 10) !== id)
  return isStale && others.length === held.length ? held.slice(0, Math.floor(held.length / 2)) : [...held]
}

function keyOf(store: Store, random: Random): string {
  const slot = random.pick(["list-a", "list-b", "list-c", "set-a"])
  for (let generation = 0; ; generation++) {
    const key = `${slot}-${generation}`
    if ((store.lists.get(key) ?? store.sets.get(key) ?? []).length < FULL) return key
  }
}

function entry(held: Map<string, number[]>, key: string): number[] {
  let values = held.get(key)
  if (!values) held.set(key, (values = []))
  return values
}

function pushed(values: number[], value: number): () => void {
  values.push(value)
  return () => void values.splice(values.lastIndexOf(value), 1)
}
