import { expect, it } from "vitest"
import { jsonOf } from "./cells.ts"
import { cellsOf } from "./values.cases.ts"

it.each<[string, unknown]>([
  ['{"a":1}', { value: { a: 1 } }],
  ["[1]", { value: [1] }],
  ['"a"', { value: "a" }],
  ["17", undefined],
  ["true", undefined],
  ['"', undefined],
  ["{token}", undefined],
  ["{a", undefined],
])("%s as JSON is %j", (text, json) => {
  expect(jsonOf(text)).toEqual(json)
})

it.each<[string, (string | Uint8Array)[], object]>([
  ["documents", ['{"a":1}', "[1]"], { isJson: true, isPlain: false }],
  ["texts", ["a", "b"], { isJson: false, isPlain: true, bytes: 0 }],
  ["both", ["a", "[1]"], { isJson: false, isPlain: false }],
  ["nothing", [], { isJson: false, isPlain: false }],
  ["long texts", ["x ".repeat(1025)], { isPlain: false, long: 1 }],
  ["bytes", [Uint8Array.of(255, 254, 1)], { isPlain: false, bytes: 1 }],
])("holds %s", (_, values, known) => {
  expect(cellsOf(values)).toMatchObject({ count: values.length, ...known })
})

it("counts the classes that Jackson named, and knows their documents without", () => {
  const cells = cellsOf(['{"@class":"a.B","n":1}', '{"@class":"a.B","n":2}', '{"@class":"not a class"}'])
  expect([...cells.classes]).toEqual([["a.B", 2]])
  expect([...cells.documents!.objects!.fields!].map(([name, { count }]) => [name, count])).toEqual([
    ["n", 2],
    ["@class", 1],
  ])
})

it("does not parse what was read in part", () => {
  const cells = cellsOf([])
  cells.add("[1]", true)
  expect(cells).toMatchObject({ cut: 1, documents: undefined })
})

it("takes the beginning of a text for text, though it ends within a character", () => {
  const cells = cellsOf([])
  cells.add(Buffer.from("a café").subarray(0, -1), true)
  expect(cells).toMatchObject({ bytes: 0, isPlain: true })
})
