import { expect, it } from "vitest"
import { roundUp, type TtlClass, Ttls } from "./ttls.ts"

const hour = 3_600_000
const spread = (count: number, from: number, to: number) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1))

it.each<[string, number[], TtlClass, string | undefined]>([
  ["none has one", [-1, -1], "none", undefined],
  ["some have one", [-1, 1000], "mixed", "1s"],
  ["all do, however far gone", spread(300, 1000, hour), "fixed", "1h"],
  ["nearly full, all of them", spread(300, 0.6 * hour, hour), "sliding", "1h"],
  ["nearly full, of too few", spread(199, 0.6 * hour, hour), "fixed", "1h"],
  ["all of one moment", spread(300, 0.98 * hour, hour), "fixed", "1h"],
])("%s: %s", (_, all, kind, duration) => {
  const ttls = new Ttls()
  for (const one of all) ttls.add(one)
  expect([ttls.class, ttls.duration]).toEqual([kind, duration])
})

it.each([
  [1, "1s"],
  [1001, "2s"],
  [100_000, "2m"],
  [3 * hour, "3h"],
  [25 * hour, "36h"],
  [8 * 24 * hour, "10d"],
  [5000 * 24 * hour, "5000d"],
  [Number.MAX_SAFE_INTEGER, "104166666d"],
])("%i ms is %s at most", (ms, duration) => {
  expect(roundUp(ms)).toBe(duration)
})
