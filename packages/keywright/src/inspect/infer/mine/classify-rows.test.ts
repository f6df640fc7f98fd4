import { expect, it } from "vitest"
import { classifierOf, leavesAll } from "./classify-rows.ts"
import { taughtRow } from "./pattern.cases.ts"
import type { MinedRow } from "./row.ts"
import { times } from "../values/values.cases.ts"

/** The pattern that owns a key, or "". */
const owner = (rows: readonly MinedRow[], key: string): string => {
  const found = classifierOf(rows)
  return found.rows[found.classifier.classify(key)]?.pattern() ?? ""
}
const used = (row: MinedRow, key: string): MinedRow => {
  row.add(key, "string", -1)
  return row
}

it.each([
  ["user:7", "user:{p0}"],
  ["user:7:cart", "user:{p0}:cart"],
  ["users", "users"],
  ["role:7", ""],
])("%s belongs to %j", (key, pattern) => {
  expect(
    owner([taughtRow("user:{int}", [["1"]]), taughtRow("user:{int}:cart", [["1"]]), taughtRow("users", [])], key),
  ).toBe(pattern)
})

it("says where the texts of the parameters are", () => {
  const { classifier } = classifierOf([taughtRow("user:{int}:{word}", [["1"], ["a"]])])
  classifier.classify("user:17:bob")
  expect([...classifier.spans.slice(0, 4)]).toEqual([5, 7, 8, 11])
})

it("tells patterns apart by their texts", () => {
  const rows = () => [taughtRow("a:{text}:x", [["alice"]]), taughtRow("a:{digits}:x", [["007"]])]
  const { rows: kept, classifier } = classifierOf(rows())
  expect(["a:bob:x", "a:012:x"].map((key) => kept[classifier.classify(key)]!.learned[0])).toEqual([["alice"], ["007"]])
})

it.each<[string, MinedRow[], string[]]>([
  [
    "that fewer keys taught",
    [taughtRow("a:{word}", [["bob"]], 2), taughtRow("b:{word}", [["a"]], 1), taughtRow("a:{slug}", [["al"]], 1)],
    ["a:{p0}", "b:{p0}"],
  ],
  [
    "without keys, however many taught it",
    [used(taughtRow("a:{word}", [["bob"]], 1), "a:bob"), taughtRow("a:{slug}", [["al"]], 9)],
    ["a:{p0}"],
  ],
])("gives the one up %s, where nothing tells two apart", (_, rows, patterns) => {
  const left = classifierOf(rows).rows
  expect(left.map((row) => row.pattern())).toEqual(patterns)
  expect(left[0]).toBe(rows[0])
})

it.each<[string, MinedRow]>([
  ["a brace among its literals", taughtRow("a{:x", [])],
  ["more parameters than anybody declares", taughtRow(times(25, () => "{int}").join(":"), [])],
  ["a longer name than anybody writes", taughtRow("a".repeat(800), [])],
  ["no parts", taughtRow("", [])],
])("leaves a pattern out that has %s", (_, row) => {
  expect(classifierOf([row, taughtRow("b", [])]).rows.map((one) => one.pattern())).toEqual(["b"])
})

it.each<[string, boolean, changed: MinedRow, other: MinedRow]>([
  ["can be no key of another", true, taughtRow("a:{int}", []), used(taughtRow("a:{day}", []), "a:2026-01-31")],
  ["can be any key of another", false, taughtRow("a:{text}", []), used(taughtRow("a:{day}", []), "a:2026-01-31")],
  ["is one key of another", false, taughtRow("a:list", []), used(taughtRow("a:{word}", []), "a:bob")],
  ["is one key of another that has none yet", true, taughtRow("a:list", []), taughtRow("a:{word}", [])],
])("a row that %s leaves every key to whom it was counted for: %s", (_, is, changed, other) => {
  expect(leavesAll([changed, other], changed)).toBe(is)
})

it("does not compare all of very many patterns again for each that gives way", () => {
  const rows = Array.from({ length: 200 }, (_, i) => [`p${i}-{word}`, `{word}-s${i}`])
    .flat()
    .map((pattern) => taughtRow(pattern, [["a"]]))
  const known = used(taughtRow("user:{int}", [["1"]]), "user:1")
  let rounds = 0
  const { pattern } = known
  known.pattern = (...names) => (rounds++, pattern.apply(known, names))
  expect(classifierOf([known, ...rows]).rows).toContain(known)
  // 800, if only one of two that conflict gives way.
  expect(rounds).toBeLessThan(100)
})
