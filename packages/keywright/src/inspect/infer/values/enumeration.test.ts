import { expect, it } from "vitest"
import { comesAgain, isEnumeration } from "./enumeration.ts"
import { textsOf, times } from "./values.cases.ts"

it.each<[string, string[], boolean]>([
  ["three states of many", times(30, (i) => ["open", "done", "late"][i % 3]!), true],
  ["three states of a few", times(15, (i) => ["open", "done", "late"][i % 3]!), false],
  ["five of each, and no fewer", times(34, (i) => `state-${"abcdefg"[i % 7]}`), false],
  ["twelve", times(60, (i) => `state-${"abcdefghijkl"[i % 12]}`), true],
  ["thirteen", times(65, (i) => `state-${"abcdefghijklm"[i % 13]}`), false],
  ["one alone", times(30, () => "open"), false],
  ["one that came once", [...times(30, (i) => ["open", "done"][i % 2]!), "late"], false],
  ["numbers", times(30, (i) => String(i % 2)), false],
  ["long texts", times(30, (i) => (i % 2 === 0 ? "open" : "o".repeat(33))), false],
])("%s: %s", (_, texts, isOne) => {
  expect(comesAgain(textsOf(texts))).toBe(isOne)
})

it.each<[string, string[], boolean]>([
  ["three queues of 158 jobs", times(158, (i) => ["default", "high", "low"][i % 3]!), false],
  ["three states of many", times(240, (i) => ["open", "done", "late"][i % 3]!), true],
  ["twelve of 240", times(240, (i) => `state-${"abcdefghijkl"[i % 12]}`), false],
])("%s are closed: %s", (_, texts, isClosed) => {
  expect(isEnumeration(textsOf(texts))).toBe(isClosed)
})
