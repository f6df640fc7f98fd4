import { expect, test } from "vitest"
import { cellSpec, scoreSpec } from "./codecs.ts"
import { cellsOf, textsOf, times } from "./values.cases.ts"

test.each<[string, readonly string[], object]>([
  ["a ring of seven slots", times(350, (i) => String(i % 7)), { codec: "int", min: 0, max: 6 }],
  ["a ring that was seen too little", times(70, (i) => String(i % 7)), { codec: "int" }],
  ["a ring with a gap", times(350, (i) => String((i % 7) * 2)), { codec: "int" }],
  ["counts, which thin out", times(500, (i) => String(i < 400 ? i % 3 : 3 + (i % 4))), { codec: "int" }],
  ["numbers from 1", times(350, (i) => String(1 + (i % 7))), { codec: "int" }],
])("a score: %s", (_, scores, spec) => {
  expect(scoreSpec(textsOf(scores))).toEqual(spec)
})

test.each<[string, readonly string[], object]>([
  [
    "lists of one length",
    times(60, (i) => `${i},0,${i % 3},0,1`),
    { codec: "many", separator: ",", item: { codec: "int" }, length: 5 },
  ],
  [
    "a few lists of one length",
    times(20, (i) => `${i},0,2`),
    { codec: "many", separator: ",", item: { codec: "int" } },
  ],
  [
    "lists of several lengths",
    times(60, (i) => (i % 2 === 0 ? `${i},0` : `${i},0,2`)),
    { codec: "many", separator: ",", item: { codec: "int" } },
  ],
])("a value: %s", (_, values, spec) => {
  expect(cellSpec(cellsOf(values)).spec).toEqual(spec)
})
