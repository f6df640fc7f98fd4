import { expect, it } from "vitest"
import { cellSpec } from "./codecs.ts"
import { jsonSchemaOf } from "./json-schemas.ts"
import { isNearlyAll } from "./nearly-all.ts"
import { cellsOf, documentsOf, times } from "./values.cases.ts"

it.each([
  [480, 480, true],
  [479, 480, true],
  [478, 480, false],
  [997, 1000, false],
  [998, 1000, true],
  [98, 99, false],
  [0, 0, false],
])("%i of %i are nearly all: %s", (seen, count, isAll) => {
  expect(isNearlyAll(seen, count)).toBe(isAll)
})

it("declares what all but a stray value are, and says that it differs", () => {
  expect(cellSpec(cellsOf([...times(344, String), "lots"]))).toEqual({
    spec: { codec: "int" },
    note: "1 of 345 differs",
  })
  expect(cellSpec(cellsOf([...times(20, String), "lots"]))).toEqual({ spec: { codec: "text" } })
  const documents = times(479, (i) => `{"n":${i}}`)
  expect(cellSpec(cellsOf([...documents, '{"n":']))).toMatchObject({
    spec: { codec: "json", schema: { properties: { n: { type: "integer" } }, required: ["n"] } },
    note: "1 of 480 differs: not JSON",
  })
})

it("does so in documents: a stray one neither widens a field nor makes it optional", () => {
  const many = Array.from({ length: 479 }, (_, n) => ({ n }))
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
  expect(jsonSchemaOf(documentsOf([...many, { n: "seven" }]))).toEqual(schema)
  expect(jsonSchemaOf(documentsOf([...many, {}]))).toEqual(schema)
})
