import { expect, test } from "vitest"
import { badPatterns, goodPatterns } from "./pattern.cases.ts"
import { parsePattern } from "./pattern.ts"

test.each(goodPatterns)("$pattern has the parameters $params", ({ pattern, params, key }) => {
  expect(parsePattern(pattern).flatMap((segment) => (typeof segment === "string" ? [] : [segment.param]))).toEqual(
    params,
  )
  expect(
    parsePattern(pattern)
      .map((segment) => (typeof segment === "string" ? segment : "x"))
      .join(""),
  ).toBe(key)
})

test.each(badPatterns)("$pattern is refused with $code", ({ pattern, code }) => {
  expect(() => parsePattern(pattern)).toThrow(expect.objectContaining({ code, fix: expect.any(String) }))
})
