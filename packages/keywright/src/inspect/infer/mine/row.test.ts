import { expect, it } from "vitest"
import type { Param } from "./mine.ts"
import { rarer, MinedRow, takes } from "./row.ts"

const int: Param = { kind: "int", atom: "int" }

it.each<[kind: Param["kind"], text: string, boolean]>([
  ["text", "anything", true],
  ["int", "17", true],
  ["int", "-17", true],
  ["int", "017", false],
  ["int", "1a", false],
  ["day", "2026-01-31", true],
  ["day", "2026-02-30", false],
  ["month", "2026-02", true],
  ["compactDay", "20260131", true],
])("a parameter of kind %s takes %s: %s", (kind, text, is) => {
  expect(takes(kind, `a:${text}:b`, 2, 2 + text.length)).toBe(is)
})

it("is spelled with names, and its parameters can be widened", () => {
  const row = new MinedRow(["user:", int, ":", { ...int, tag: true } as Param])
  expect([row.pattern(), row.pattern(["u", "t"]), row.id]).toEqual([
    "user:{p0}:{{p1}}",
    "user:{u}:{{t}}",
    "user:{int}:{{}int}",
  ])
  row.widen(0)
  expect([row.id, row.params.map(({ kind }) => kind)]).toEqual(["user:{text}:{{}int}", ["text", "int"]])
})

it("counts keys by type, and knows the main one", () => {
  const [row, other] = [new MinedRow(["user:", int]), new MinedRow(["role:", int])]
  for (const [n, type] of ["hash", "string", "hash"].entries()) row.add(`user:${n}`, type, -1)
  expect([row.count, row.main[0], row.main[1].count, row.main[1].ttls.without]).toEqual([3, "hash", 2, 2])
  expect([row, other].sort(rarer)).toEqual([other, row])
})
