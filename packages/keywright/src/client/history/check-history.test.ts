/* For each anomaly, a history that has it and one that differs in little and has not;
 * then random histories of a store that does everything in turn, and of such stores
 * with one fault each. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { checkHistory } from "./check-history.cases.ts"
import type { Call, FinalState, History, Operation, Outcome, Transaction } from "./history.cases.ts"
import { type Fault, runSerially } from "./serial-store.cases.ts"

const append = (key: string, value: number, length?: number): Operation =>
  length === undefined ? { f: "append", key, value } : { f: "append", key, value, length }
const add = (key: string, value: number): Operation => ({ f: "add", key, value })
const read = (key: string, ...values: number[]): Operation => ({ f: "read", key, values })
const increment = (key: string, total: number): Operation => ({ f: "increment", key, total })
const total = (key: string, found: number): Operation => ({ f: "total", key, total: found })

interface Written {
  readonly outcome?: Outcome
  readonly at?: readonly [number, number]
  readonly timeoutMs?: number
  readonly repeated?: readonly Operation[]
  readonly impossible?: string
}

/** A transaction; all are concurrent unless `at` says otherwise. */
function transaction(id: number, operations: readonly Operation[], written: Written = {}): Transaction {
  const { outcome = "ok", at = [0, 100], timeoutMs = 1000, repeated, impossible } = written
  const call = (answer: readonly Operation[]): Call => ({
    process: "p",
    invoked: at[0],
    settled: at[1],
    timeoutMs,
    outcome,
    answer: outcome === "ok" || outcome === "threw" ? answer : undefined,
  })
  const writes = operations.filter(({ f }) => f !== "read" && f !== "total")
  const calls = repeated ? [call(operations), call(repeated)] : [call(operations)]
  return { id, calls, writes, impossible }
}

const lists = (held: Record<string, number[]>): FinalState => state({ lists: held })
const state = (held: {
  lists?: Record<string, number[]>
  sets?: Record<string, number[]>
  counters?: Record<string, number>
}): FinalState => ({
  lists: new Map(Object.entries(held.lists ?? {})),
  sets: new Map(Object.entries(held.sets ?? {})),
  counters: new Map(Object.entries(held.counters ?? {})),
})

const kindsOf = (history: History) => [...new Set(checkHistory(history).map(({ kind }) => kind))]

interface Row {
  readonly name: string
  readonly has: History
  readonly hasNot: History
}

const rows: Record<string, Row> = {
  lost: {
    name: "an acknowledged append that is not there",
    has: { transactions: [transaction(1, [append("x", 1)])], final: lists({ x: [] }) },
    hasNot: { transactions: [transaction(1, [append("x", 1)], { outcome: "unknown" })], final: lists({ x: [] }) },
  },
  doubled: {
    name: "an append that is there twice",
    has: { transactions: [transaction(1, [append("x", 1)])], final: lists({ x: [1, 1] }) },
    hasNot: { transactions: [transaction(1, [append("x", 1)])], final: lists({ x: [1] }) },
  },
  "applied though refused": {
    name: "an append of a transaction that was told that nothing was written",
    has: { transactions: [transaction(1, [append("x", 1)], { outcome: "notApplied" })], final: lists({ x: [1] }) },
    hasNot: { transactions: [transaction(1, [append("x", 1)], { outcome: "unknown" })], final: lists({ x: [1] }) },
  },
  "never written": {
    name: "an element that nobody wrote",
    has: { transactions: [], final: lists({ x: [7] }) },
    hasNot: { transactions: [transaction(1, [append("x", 7)])], final: lists({ x: [7] }) },
  },
  torn: {
    name: "a half of a transaction whose outcome is unknown",
    has: {
      transactions: [transaction(1, [append("x", 1), append("y", 2)], { outcome: "unknown" })],
      final: lists({ x: [1], y: [] }),
    },
    hasNot: {
      transactions: [transaction(1, [append("x", 1), append("y", 2)], { outcome: "unknown" })],
      final: lists({ x: [1], y: [2] }),
    },
  },
  "G1a aborted read": {
    name: "a read of what was refused",
    has: {
      transactions: [transaction(1, [append("x", 1)], { outcome: "threw" }), transaction(2, [read("x", 1)])],
      final: lists({ x: [1] }),
    },
    hasNot: {
      transactions: [transaction(1, [append("x", 1)], { outcome: "unknown" }), transaction(2, [read("x", 1)])],
      final: lists({ x: [1] }),
    },
  },
  "G1b intermediate read": {
    name: "a read between two writes of one transaction",
    has: {
      transactions: [transaction(1, [append("x", 1), append("x", 2)]), transaction(2, [read("x", 1)])],
      final: lists({ x: [1, 2] }),
    },
    hasNot: {
      transactions: [transaction(1, [append("x", 1), append("x", 2)]), transaction(2, [read("x", 1, 2)])],
      final: lists({ x: [1, 2] }),
    },
  },
  "incompatible order": {
    name: "a read in an order that the list never had",
    has: {
      transactions: [
        transaction(1, [append("x", 1)]),
        transaction(2, [append("x", 2)]),
        transaction(3, [read("x", 2)]),
      ],
      final: lists({ x: [1, 2] }),
    },
    hasNot: {
      transactions: [
        transaction(1, [append("x", 1)]),
        transaction(2, [append("x", 2)]),
        transaction(3, [read("x", 1)]),
      ],
      final: lists({ x: [1, 2] }),
    },
  },
  internal: {
    name: "a transaction that does not see its own append",
    has: { transactions: [transaction(1, [append("x", 1), read("x")])], final: lists({ x: [1] }) },
    hasNot: { transactions: [transaction(1, [append("x", 1), read("x", 1)])], final: lists({ x: [1] }) },
  },
  "wrong answer": {
    name: "a length that is not that of the list",
    has: { transactions: [transaction(1, [append("x", 1, 0)])], final: lists({ x: [1] }) },
    hasNot: { transactions: [transaction(1, [append("x", 1, 1)])], final: lists({ x: [1] }) },
  },
  G0: {
    name: "writes in opposite orders",
    has: {
      transactions: [
        transaction(1, [append("x", 1), append("y", 3)]),
        transaction(2, [append("x", 2), append("y", 4)]),
      ],
      final: lists({ x: [1, 2], y: [4, 3] }),
    },
    hasNot: {
      transactions: [
        transaction(1, [append("x", 1), append("y", 3)]),
        transaction(2, [append("x", 2), append("y", 4)]),
      ],
      final: lists({ x: [1, 2], y: [3, 4] }),
    },
  },
  G1c: {
    name: "two that read each other's writes",
    has: {
      transactions: [transaction(1, [append("x", 1), read("y", 2)]), transaction(2, [append("y", 2), read("x", 1)])],
      final: lists({ x: [1], y: [2] }),
    },
    hasNot: {
      transactions: [transaction(1, [append("x", 1), read("y")]), transaction(2, [append("y", 2), read("x", 1)])],
      final: lists({ x: [1], y: [2] }),
    },
  },
  "G-single": {
    name: "a reader that sees half of what another wrote",
    has: {
      transactions: [transaction(1, [append("x", 1), append("y", 2)]), transaction(2, [read("x", 1), read("y")])],
      final: lists({ x: [1], y: [2] }),
    },
    hasNot: {
      transactions: [transaction(1, [append("x", 1), append("y", 2)]), transaction(2, [read("x"), read("y")])],
      final: lists({ x: [1], y: [2] }),
    },
  },
  G2: {
    name: "two that each missed the other's write",
    has: {
      transactions: [transaction(1, [read("y"), append("x", 1)]), transaction(2, [read("x"), append("y", 2)])],
      final: lists({ x: [1], y: [2] }),
    },
    hasNot: {
      transactions: [transaction(1, [read("y"), append("x", 1)]), transaction(2, [read("x", 1), append("y", 2)])],
      final: lists({ x: [1], y: [2] }),
    },
  },
  "G0-realtime": {
    name: "a write that comes before another that was over before",
    has: {
      transactions: [
        transaction(1, [append("x", 1)], { at: [0, 10] }),
        transaction(2, [append("x", 2)], { at: [20, 30] }),
      ],
      final: lists({ x: [2, 1] }),
    },
    hasNot: {
      transactions: [
        transaction(1, [append("x", 1)], { at: [0, 25] }),
        transaction(2, [append("x", 2)], { at: [20, 30] }),
      ],
      final: lists({ x: [2, 1] }),
    },
  },
  "G1c-realtime": {
    name: "a read of what was written only after it",
    has: {
      transactions: [
        transaction(1, [read("x", 1)], { at: [0, 10] }),
        transaction(2, [append("x", 1)], { at: [20, 30] }),
      ],
      final: lists({ x: [1] }),
    },
    hasNot: {
      transactions: [
        transaction(1, [read("x", 1)], { at: [0, 10] }),
        transaction(2, [append("x", 1)], { at: [9, 30] }),
      ],
      final: lists({ x: [1] }),
    },
  },
  "G-single-realtime": {
    name: "a read without what was acknowledged before it began",
    has: {
      transactions: [transaction(1, [append("x", 1)], { at: [0, 10] }), transaction(2, [read("x")], { at: [20, 30] })],
      final: lists({ x: [1] }),
    },
    hasNot: {
      transactions: [transaction(1, [append("x", 1)], { at: [0, 20] }), transaction(2, [read("x")], { at: [20, 30] })],
      final: lists({ x: [1] }),
    },
  },
  "changed answer": {
    name: "a repetition that answers something else",
    has: {
      transactions: [transaction(1, [read("x"), append("x", 1)], { repeated: [read("x", 1), append("x", 1)] })],
      final: lists({ x: [1] }),
    },
    hasNot: {
      transactions: [transaction(1, [read("x"), append("x", 1)], { repeated: [read("x"), append("x", 1)] })],
      final: lists({ x: [1] }),
    },
  },
  "impossible state": {
    name: "work that has seen what cannot be",
    has: { transactions: [transaction(1, [], { outcome: "threw", impossible: "60 + 50" })], final: lists({}) },
    hasNot: { transactions: [transaction(1, [], { outcome: "threw" })], final: lists({}) },
  },
  late: {
    name: "a call that settles 150 ms after its deadline",
    has: {
      transactions: [transaction(1, [], { at: [0, 450], timeoutMs: 300 })],
      final: lists({}),
      pauses: new Map([["p", [{ from: 100, to: 320 }]]]),
    },
    hasNot: {
      transactions: [transaction(1, [], { at: [0, 450], timeoutMs: 300 })],
      final: lists({}),
      pauses: new Map([
        ["p", [{ from: 310, to: 330 }]],
        ["", [{ from: 320, to: 380 }]],
      ]),
    },
  },
}

describe("the checker finds", () => {
  for (const [kind, { name, has, hasNot }] of Object.entries(rows))
    test(`${kind}: ${name}`, () => {
      expect(kindsOf(has)).toContain(kind)
      expect(kindsOf(hasNot)).toEqual([])
    })

  test("the same in sets, which have no order, and in counters, which answer their order", () => {
    const skewed = [transaction(1, [add("s", 1), increment("n", 1)]), transaction(2, [read("s", 1), total("n", 0)])]
    const final = state({ sets: { s: [1] }, counters: { n: 1 } })
    expect(kindsOf({ transactions: skewed, final })).toEqual(["G-single"])
    const straight = [transaction(1, [add("s", 1), increment("n", 1)]), transaction(2, [read("s", 1), total("n", 1)])]
    expect(kindsOf({ transactions: straight, final })).toEqual([])
    const twice = [transaction(1, [increment("n", 1)]), transaction(2, [increment("n", 1)])]
    expect(kindsOf({ transactions: twice, final: state({ counters: { n: 2 } }) })).toEqual(["wrong answer"])
    expect(kindsOf({ transactions: twice.slice(1), final: state({ counters: { n: 2 } }) })).toEqual(["doubled"])
  })

  test("work that threw on what never was together, and lets its writes go", () => {
    const both = transaction(1, [append("x", 1), append("y", 2)])
    const threw = (...reads: Operation[]) => transaction(2, [...reads, append("x", 3)], { outcome: "threw" })
    const final = lists({ x: [1], y: [2] })
    expect(kindsOf({ transactions: [both, threw(read("x", 1), read("y"))], final })).toEqual(["G-single"])
    expect(kindsOf({ transactions: [both, threw(read("x", 1), read("y", 2))], final })).toEqual([])
  })

  test("what a replica that took over has not: only the reads of those who wrote nothing are let be", () => {
    const gone = transaction(1, [append("x", 1)], { outcome: "unknown" })
    const reader = transaction(2, [read("x", 1)])
    const writer = transaction(3, [read("x", 1), append("y", 3)])
    const final = lists({ x: [] })
    expect(kindsOf({ transactions: [gone, reader], final, failover: true })).toEqual([])
    expect(kindsOf({ transactions: [gone, reader], final })).toEqual(["incompatible order"])
    const written = lists({ x: [], y: [3] })
    expect(kindsOf({ transactions: [gone, writer], final: written, failover: true })).toEqual(["incompatible order"])
  })

  test("of who wrote nothing, the note of what was answered may be gone with the old primary", () => {
    const reader = transaction(1, [read("x")], { repeated: [read("x", 1)] })
    const writer = transaction(2, [read("y"), append("y", 2)], { repeated: [read("y", 1), append("y", 2)] })
    const final = lists({ x: [1], y: [2] })
    expect(kindsOf({ transactions: [reader], final })).toContain("changed answer")
    expect(kindsOf({ transactions: [reader], final, failover: true })).not.toContain("changed answer")
    expect(kindsOf({ transactions: [writer], final, failover: true })).toContain("changed answer")
  })

  test("and says a cycle in words", () => {
    const [found] = checkHistory(rows["G-single"]!.has)
    expect(found).toEqual({
      kind: "G-single",
      text: "T2 read y without what T1 wrote to it; T2 read what T1 wrote to x",
      transactions: [2, 1],
    })
    const [late] = checkHistory(rows["G-single-realtime"]!.has)
    expect(late!.text).toBe("T2 read x without what T1 wrote to it; T1 was over before T2 began")
  })
})

describe("random histories", () => {
  const faults: Record<Fault, readonly string[]> = {
    "loses a write": ["lost"],
    "writes twice": ["doubled"],
    "says refused": ["applied though refused"],
    "reads from before": ["G-single", "G-single-realtime", "G2", "G2-realtime", "internal"],
    "reads one key later": ["G-single", "G2", "G1c", "G1c-realtime", "G-single-realtime", "internal"],
    "writes a half": ["lost", "torn"],
  }

  test("of a store that does one after another have no anomaly", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(checkHistory(runSerially({ seed, transactions: 300, processes: 8 }))).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  for (const [fault, kinds] of Object.entries(faults) as [Fault, readonly string[]][])
    test(`of one that ${fault} now and then have it`, () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const found = checkHistory(runSerially({ seed, transactions: 1200, processes: 8, fault }))
          expect(kinds).toEqual(expect.arrayContaining([found.find(({ kind }) => kinds.includes(kind))?.kind]))
        }),
        { numRuns: 8 },
      )
    })

  test("of 20,000 transactions are checked in passing", () => {
    const history = runSerially({ seed: 1, transactions: 20_000, processes: 32 })
    expect(history.transactions).toHaveLength(20_000)
    expect(checkHistory(history)).toEqual([])
    const faulty = runSerially({ seed: 2, transactions: 20_000, processes: 32, fault: "reads from before" })
    expect(checkHistory(faulty).length).toBeGreaterThan(0)
  })
})
