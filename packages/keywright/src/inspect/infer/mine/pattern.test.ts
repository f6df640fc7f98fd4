import { expect, it } from "vitest"
import { literalWords, partOf, wordsBefore } from "./pattern.ts"
import { patternFrom } from "./pattern.cases.ts"

it.each([
  ["user:{int}", ["user"]],
  ["users:{int}:{int}", ["user", "id"]],
  ["payment_ref:{int}", ["paymentRef"]],
  ["cache:{hex}", ["hash"]],
  ["dau:{day}", ["day"]],
  ["mail:{email}", ["email"]],
  ["user:by:{word}", ["name"]],
  ["{int}", ["id"]],
])("the parameters of %s are called %j", (spelling, names) => {
  expect(patternFrom(spelling).names).toEqual(names)
})

it("knows the words around a parameter", () => {
  const { row } = patternFrom("app:cart_items:{int}:of:{int}")
  expect(wordsBefore(row, 0)).toEqual(["cart", "items"])
  expect(wordsBefore(row, 1)).toEqual(["of"])
  expect(literalWords(row)).toEqual(["app", "cart", "items", "of"])
  expect([0, 1].map((param) => partOf(row, param))).toEqual([1, 3])
})
