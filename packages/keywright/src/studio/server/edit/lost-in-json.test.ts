import { expect, test } from "vitest"
import { lostInJson } from "./lost-in-json.ts"

test.each([
  ["{}"],
  ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":1}]}'],
  ['{"a":1.0,"b":1e3,"c":0.10,"d":-12.50,"e":9007199254740991,"f":1E-7,"g":123456789012345680000}'],
  ['"a text with \\"a\\": 12345678901234567890"'],
  ['{"\\"a":"1","a":"2: 3"}'],
  ["not JSON 12345678901234567890"],
])("nothing of %s", (text) => {
  expect(lostInJson(text)).toBeUndefined()
})

test.each([
  ['{"id":1234567890123456789}', "the number 1234567890123456789 has more digits than JavaScript keeps"],
  ["[0.12345678901234567890]", "the number 0.12345678901234567890 has more digits than JavaScript keeps"],
  ["[-9007199254740993]", "the number 9007199254740993"],
  ["[1e400]", "the number 1e400"],
  ['{"a":1, "\\u0061" :2}', 'the name "a" occurs twice'],
  [`[${"1".repeat(1000)}]`, `the number ${"1".repeat(40)}… has more digits`],
])("of %s: %s", (text, lost) => {
  expect(lostInJson(text)).toContain(lost.replace("the number ", ""))
})
