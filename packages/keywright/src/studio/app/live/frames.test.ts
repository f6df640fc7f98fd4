import { describe, expect, it } from "vitest"
import type { LiveFrame } from "../../api.ts"
import { addFrame, ratesOf } from "./frames.ts"

const frame = (second: number, rows: LiveFrame["rows"]): LiveFrame => ({
  system: "shop",
  at: new Date(second * 1000).toISOString(),
  seconds: 1,
  perSecond: 10,
  sample: { seconds: 0.2, seen: 2, lost: 0, cut: null },
  rows,
})
const row = (command: string, pattern: string | null, perSecond: number): LiveFrame["rows"][number] => ({
  command,
  pattern,
  what: pattern === null ? "no key" : "key",
  perSecond,
  ...(pattern !== null && { name: "cart" }),
})

describe("the frames of live commands", () => {
  it("are kept for two minutes", () => {
    const frames = [0, 60, 130].reduce((known, at) => addFrame(known, frame(at, [])), {})
    expect(Object.values(frames)[0]).toHaveLength(2)
  })

  it("are summed by pattern, the busiest first", () => {
    const rows = [
      row("get", "a:{id}", 1),
      row("hget", "cart:{id}", 4),
      row("hset", "cart:{id}", 2),
      row("ping", null, 3),
    ]
    const rates = ratesOf(addFrame({}, frame(1, rows)))
    expect(rates.map(({ label, now }) => [label, now])).toEqual([
      ["cart:{id}", 6],
      ["commands without a key", 3],
      ["a:{id}", 1],
    ])
    expect(rates[0]?.commands.map(({ command }) => command)).toEqual(["hget", "hset"])
  })

  it("say what is now, not what was before a pause", () => {
    const frames = [
      [1, 3000],
      [60, 2],
      [61, 4],
    ].reduce((known, [at, rate]) => addFrame(known, frame(at!, [row("ping", null, rate!)])), {})
    expect(ratesOf(frames).map(({ now }) => now)).toEqual([3])
  })
})
