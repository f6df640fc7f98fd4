import { expect, it } from "vitest"
import { taughtRow } from "./pattern.cases.ts"
import { uuid } from "./segments.cases.ts"
import { toldApart } from "./tell-apart.ts"

type Side = readonly [spelling: string, texts: readonly (readonly string[])[], takes: string, refuses: string]

const uuids = [uuid(1), uuid(2)]

it.each<[string, Side, Side]>([
  ["UUIDs from names", ["a:{text}", [uuids], uuid(3), "carol"], ["a:{word}", [["alice", "bob"]], "carol", uuid(3)]],
  ["digits from words", ["a:{digits}", [["007"]], "12", "x"], ["a:{word}", [["alice"]], "x", "12"]],
  ["addresses from names", ["a:{email}", [["a@b.org"]], "x@y.org", "x"], ["a:{word}", [["alice"]], "x", "x@y.org"]],
  [
    "words from digits, whichever comes first",
    ["a:{word}", [["alice"]], "x", "12"],
    ["a:{digits}", [["007"]], "12", "x"],
  ],
])("tells %s", (_, one, other) => {
  const rows = [one, other].map(([spelling, texts]) => taughtRow(spelling, texts))
  expect(toldApart(rows[0]!, rows[1]!)).toBe(true)
  for (const [i, [, , takes, refuses]] of [one, other].entries()) {
    const { matching } = rows[i]!
    expect([matching!.whole.test(takes), matching!.whole.test(refuses)]).toEqual([true, false])
  }
})

it("makes an id refuse the word that may be in its place, and leaves the other as it is", () => {
  const [ids, names] = [taughtRow("people:{digits}:idx", [["007", "012"]]), taughtRow("people:name:{word}", [["bob"]])]
  expect(toldApart(names, ids)).toBe(true)
  expect([ids.matching?.whole.test("name"), ids.matching?.whole.test("19"), names.matching]).toEqual([
    false,
    true,
    undefined,
  ])
})

it("tells patterns of other separators by the signs in their texts", () => {
  const [one, other] = [taughtRow("{word}/{word}", [["a"], ["b"]]), taughtRow("{word}#x", [["a"]])]
  expect(toldApart(one, other)).toBe(true)
  expect([one, other].map(({ matching }) => [matching?.param, matching?.whole.test("a/b")])).toEqual([
    [0, false],
    [0, false],
  ])
})

it("says so when nothing tells them apart", () => {
  const rows = [taughtRow("a:{word}", [["alice"]]), taughtRow("a:{slug}", [["bob"]])] as const
  expect(toldApart(...rows)).toBe(false)
  expect(rows.map(({ matching }) => matching)).toEqual([undefined, undefined])
})

it("never makes a pattern stricter that has keys", () => {
  const [one, other] = [taughtRow("a:{text}", [uuids]), taughtRow("a:{word}", [["alice"]])]
  one.add(`a:${uuid(1)}`, "string", -1)
  expect(toldApart(one, other)).toBe(true)
  expect([one.matching, other.matching?.whole.test("x"), other.matching?.whole.test(uuid(9))]).toEqual([
    undefined,
    true,
    false,
  ])
})
