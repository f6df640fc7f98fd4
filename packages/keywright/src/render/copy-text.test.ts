import { expect, it } from "vitest"
import { copyText } from "./copy-text.ts"
import { plain } from "./paint.cases.ts"

const round = (written: number, deleted = 0) => ({ keys: 3, written, deleted })

it("says by pattern whether both sides are equal, and what each round wrote", () => {
  const patterns = {
    "{{tag}}:cart:{id}": { from: 2, to: 2, same: true },
    "{{tag}}:list": { from: 1, to: 1, same: true },
  }
  const rounds = [round(3), round(1, 2)]
  const result = { keys: 3, rounds, foreign: 0, inTheWay: 0, patterns, verified: true, pausedMs: 1200, resumed: true }
  expect(copyText(result, plain).split("\n")).toEqual([
    "3 keys copied, both sides are equal",
    "  ✓ {{tag}}:cart:{id}  2",
    "  ✓ {{tag}}:list       1",
    "2 rounds (written: 3, 1 −2); writers waited 1,200 ms; continued",
  ])
})

it("names the patterns that differ", () => {
  const patterns = { "cart:{id}": { from: 2, to: 3, same: false } }
  const result = {
    keys: 2,
    rounds: [round(2)],
    foreign: 0,
    inTheWay: 0,
    patterns,
    verified: false,
    pausedMs: undefined,
    resumed: false,
  }
  expect(copyText(result, plain).split("\n")).toEqual([
    "2 keys copied, and the two sides differ",
    "  ✗ cart:{id}  2 in the source, 3 in the target, digests differ",
    "1 round (written: 2)",
  ])
})
