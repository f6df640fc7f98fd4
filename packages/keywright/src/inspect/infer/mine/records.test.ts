import { expect, it } from "vitest"
import { keyOf, paramsIn, recordOf } from "./records.ts"
import { patternFrom } from "./pattern.cases.ts"

const pattern = patternFrom("user:{int}:cart:{word}")

it.each([
  ["user:7:cart:x", ["7", "x"]],
  ["user:7:cart:", ["7", ""]],
  ["user:7:box:x", []],
  ["role:7:cart:x", []],
  ["user:7", []],
])("%s has the texts %j", (key, texts) => {
  expect(paramsIn(pattern, key)).toEqual(texts)
  if (texts.length > 0) expect(keyOf(pattern, texts)).toBe(key)
})

it.each([
  ["cart:{7}:items", ["7"]],
  ["cart:x7}:items", []],
  ["cart:{7:items", []],
])("%s has the texts %j in a hash tag", (key, texts) => {
  expect(paramsIn(patternFrom("cart:{{int}}:items"), key)).toEqual(texts)
})

it.each<[type: string, string[], object | undefined]>([
  ["hash", ["a", "1", "b", "2"], { a: "1", b: "2" }],
  ["string", ['{"a":1}'], { a: 1 }],
  ["string", ["[1]"], undefined],
  ["string", ["text"], undefined],
  ["string", [], undefined],
])("a %s of %j is the record %j", (type, elements, record) => {
  expect(recordOf({ ...pattern, type }, elements)).toEqual(record)
})
