import { expect, it } from "vitest"
import { pilesUp } from "./piles-up.ts"

const trimmed = { read: 20, cut: 0, largest: 50, full: 6, nearlyFull: 1 }

it.each<[string, string, object, number, boolean]>([
  ["lists of which several have exactly the largest length", "list", {}, 20, true],
  ["sorted sets too", "zset", {}, 20, true],
  ["sets are not trimmed", "set", {}, 20, false],
  ["only a part of the keys was read", "list", {}, 21, false],
  ["a list was not read to its end", "list", { cut: 1 }, 20, false],
  ["short lists", "list", { largest: 9 }, 20, false],
  ["two full ones are chance", "list", { full: 2, nearlyFull: 0 }, 20, false],
  ["as many are nearly full", "list", { nearlyFull: 3 }, 20, false],
  ["all have that length", "list", { full: 20, nearlyFull: 0 }, 20, false],
])("%s", (_, type, values, count, expected) => {
  expect(pilesUp(type, { values: { ...trimmed, ...values } as never, count })).toBe(expected)
})
