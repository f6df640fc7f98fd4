import { expect, it } from "vitest"
import { findingCodes } from "./finding-codes.ts"

it.each(Object.entries(findingCodes))("%s says what it means in sentences", (code, { title, why, fix }) => {
  expect(code).toMatch(/^[A-Z]+\.[A-Z_]+$/)
  expect(title).toMatch(/^\S.*[^.]$/)
  for (const sentence of [why, fix]) expect(sentence).toMatch(/^\p{Lu}.*[.)]$/u)
})
