import { describe, expect, it } from "vitest"
import { calibrate, time } from "./harness-rounds.ts"
import { isMet, median, parseGoal, quantile, summarize } from "./harness-stats.ts"
import { format, table } from "./harness-table.ts"
import { createBench, order } from "./harness.ts"

describe("medians and quartiles", () => {
  it("take the middle of an odd number of samples and the mean of the middle two of an even one", () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  it("interpolate between samples", () => {
    expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2)
    expect(quantile([0, 10], 0.75)).toBe(7.5)
    expect(summarize([5, 1, 3, 2, 4])).toEqual({ median: 3, spread: [2, 4], range: [1, 5] })
  })

  it("sort by value, not as text, and leave the samples alone", () => {
    const samples = [10, 9, 100]
    expect(median(samples)).toBe(10)
    expect(samples).toEqual([10, 9, 100])
  })

  it("refuse to tell the quantile of nothing", () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe("goals", () => {
  it("are a sign and a number", () => {
    expect(parseGoal(">=0.95")).toEqual({ sign: ">=", bound: 0.95 })
    expect(parseGoal("<=0.7")).toEqual({ sign: "<=", bound: 0.7 })
    expect(parseGoal("< 300")).toEqual({ sign: "<", bound: 300 })
    for (const text of ["0.95", "=1", ">=", ">=1.", ">=fast"]) expect(() => parseGoal(text)).toThrow(SyntaxError)
  })

  it("hold at their bound and not beyond", () => {
    expect(isMet(4, parseGoal(">=4"))).toBe(true)
    expect(isMet(3.99, parseGoal(">=4"))).toBe(false)
    expect(isMet(0.7, parseGoal("<=0.7"))).toBe(true)
    expect(isMet(0.71, parseGoal("<=0.7"))).toBe(false)
    expect(isMet(300, parseGoal("<300"))).toBe(false)
  })

  it("allow for the A/A spread when they are near 1", () => {
    const aa = summarize([0.97, 0.98, 1, 1.02, 1.03])
    expect(isMet(0.985, parseGoal(">=1"), aa)).toBe(true)
    expect(isMet(0.97, parseGoal(">=1"), aa)).toBe(false)
    expect(isMet(1.015, parseGoal("<=1"), aa)).toBe(true)
    expect(isMet(3.99, parseGoal(">=4"), aa)).toBe(false)
  })

  it("allow at most 5 % on a machine that is not quiet", () => {
    const aa = summarize([0.5, 0.6, 1, 1.4, 1.5])
    expect(isMet(0.95, parseGoal(">=1"), aa)).toBe(true)
    expect(isMet(0.94, parseGoal(">=1"), aa)).toBe(false)
  })
})

describe("rounds", () => {
  it("put every side equally often before every other one", () => {
    const before = { "ours theirs": 0, "theirs again": 0, "ours again": 0 }
    for (let round = 0; round < 6; round++) {
      const turns = order(round, true)
      for (const pair of Object.keys(before) as (keyof typeof before)[]) {
        const [a, b] = pair.split(" ") as ["ours", "theirs"]
        if (turns.indexOf(a) < turns.indexOf(b)) before[pair]++
      }
    }
    expect(before).toEqual({ "ours theirs": 3, "theirs again": 3, "ours again": 3 })
    expect([0, 1, 2, 3].map((round) => order(round, false)[0])).toEqual(["ours", "theirs", "theirs", "ours"])
  })

  it("do exactly the operations asked for, one after another or by several callers", async () => {
    const seen: number[] = []
    await time((i) => seen.push(i), 5, 1)
    expect(seen).toEqual([0, 1, 2, 3, 4])

    let now = 0
    let most = 0
    const done: number[] = []
    const operation = async (i: number) => {
      most = Math.max(most, ++now)
      await new Promise(setImmediate)
      now--
      done.push(i)
    }
    await time(operation, 100, 10)
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i))
    expect(most).toBe(10)
  })

  it("leave the looping to a side that does it itself", async () => {
    const loops: number[] = []
    await time({ loop: (n) => loops.push(n) }, 7, 1)
    expect(loops).toEqual([7])
  })

  it("give work that takes longer than a round one operation per round", async () => {
    const slow = () => new Promise((resolve) => setTimeout(resolve, 30))
    expect(await calibrate(slow, { concurrency: 1, targetMs: 10 })).toBe(1)
  })
})

describe("a bench", () => {
  it("gives ratios with goal, spread and A/A, and figures with their unit", async () => {
    const lines: string[] = []
    const { bench, results } = createBench({ full: false, print: (line) => lines.push(line) })
    const work = (i: number) => Math.sqrt(i)
    await bench.compare({ name: "itself", goal: ">=0.01", ours: work, theirs: work, rounds: 5, targetMs: 1 })
    bench.report("boot", 68, "<=300", "ms")
    bench.report("of their memory", 0.8, "<=0.7")
    expect(Object.keys(results.ratios["itself"] ?? {}).sort()).toEqual(
      ["aa", "aaSpread", "goal", "met", "range", "spread", "value"].sort(),
    )
    expect(results.ratios["itself"]?.met).toBe(true)
    expect(results.ratios["of their memory"]).toEqual({ value: 0.8, goal: "<=0.7", met: false })
    expect(results.figures).toEqual({ boot: { value: 68, unit: "ms", goal: "<=300", met: true } })
    expect(lines).toHaveLength(1)
  })

  it("does long work once per turn and as often as rounds were asked for", async () => {
    const { bench, results } = createBench({ full: false, print: () => undefined })
    const calls: string[] = []
    await bench.compare({
      name: "walk",
      of: "time",
      long: true,
      ours: async () => calls.push("ours"),
      theirs: async () => calls.push("theirs"),
    })
    expect(calls).toEqual(["ours", "theirs", "theirs", "ours", "theirs", "ours"])
    expect(results.ratios["walk"]?.aa).toBeUndefined()
  })

  it("prints an aligned table", () => {
    const ratios = { get: { value: 4.213, goal: ">=4", met: true, spread: [4.1, 4.3], range: [3.9, 4.4] } as const }
    const figures = { "instantiations, 500 keys": { value: 81234, unit: "", goal: "<=80000", met: false } }
    expect(table({ ratios, figures })).toBe(
      [
        "                              ratio  goal     quartiles  min–max    A/A",
        "✓  get                         4.21  >=4      4.10–4.30  3.90–4.40",
        "✗  instantiations, 500 keys  81,234  <=80000",
      ].join("\n"),
    )
  })

  it("prints numbers with the digits that matter", () => {
    expect([0.97312, 4.2, 31, 123.4, 81234.5].map(format)).toEqual(["0.973", "4.20", "31", "123", "81,235"])
  })
})
