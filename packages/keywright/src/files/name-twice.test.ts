import { expect, test } from "vitest"
import { hasNameTwice, nameTwice } from "./name-twice.ts"

test.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', undefined],
  ['{"a":"a","b":["a","a"],"c":"b"}', undefined],
  ['{"a":1,"b":2,"a":3}', "a"],
  ['{"x":{"a":1,"\\u0061":2}}', "a"],
  ['[{"a":{}},{"b":[],"b":{}}]', "b"],
  ['{"a\\":{":1,"b":"{\\"b\\":1,\\"b\\":2}"}', undefined],
  ["[]", undefined],
  ['{"a":1,"a" :2}', "a"],
  ['{"a":"x\\":","a":2}', "a"],
  ['{"a\\\\":1,"a\\\\":2}', "a\\"],
  ['{"":{"":1},"__proto__":{"b":1},"b":2}', undefined],
  ['{"__proto__":{"b":1},"__proto__":2}', "__proto__"],
  ['{"a":"\\\\","b":"\\\\\\"","a":1}', "a"],
  ['[1,"a",{"b":[1,2,{"c":1 , "c" :2}]}]', "c"],
  [`{"a":"${"x".repeat(5_000_000)}","b":"${'\\"'.repeat(100_000)}","a":1}`, "a"],
] as const)("%.60s: %s", (text, name) => {
  expect(nameTwice(text)).toBe(name)
  expect(hasNameTwice(text, JSON.parse(text))).toBe(name !== undefined)
})
