import { expect, it } from "vitest"
import { type Atom, atomOf, isCompactDay, isInt, isLocale, isTechnical } from "./atoms.ts"

it.each<[string, Atom]>([
  ["", "empty"],
  ["0", "int"],
  ["-17", "int"],
  ["007", "digits"],
  ["99999999999999999999", "digits"],
  ["1.5", "float"],
  ["-1e3", "float"],
  ["1e999", "mixed"],
  ["+4915112345678", "phone"],
  ["2026-01-31", "day"],
  ["2026-02-30", "date"],
  ["2026-02", "month"],
  ["2026-W05", "week"],
  ["2026/1/5", "date"],
  ["2026-01-31T12:00:00.000Z", "instant"],
  ["0192f0c4-7a1e-7001-8abc-000000007919", "uuid"],
  ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid"],
  ["deadbeef01", "hex"],
  ["deadbeef", "word"],
  ["a@b.org", "email"],
  ["10.0.0.1", "ip"],
  ["fe80:0:0:1", "ip"],
  ["0a:1b:2c:3d:4e:5f", "mac"],
  ["https://a.b/c", "url"],
  ["x8Kf02LmQ9zT7bVw3Y", "token"],
  ["SessionRepository", "word"],
  ["café-noir", "word"],
  ["user42", "mixed"],
  ["post-42", "slug"],
  ["a b", "other"],
])("%j is %s", (text, atom) => {
  expect(atomOf(text)).toBe(atom)
})

it.each([
  [isInt("-0"), false],
  [isInt("9007199254740991"), true],
  [isInt("9007199254740993"), false],
  [isTechnical("oauth2"), true],
  [isTechnical("v123"), false],
  [isLocale("pt-BR"), true],
  [isLocale("zh_Hans"), true],
  [isLocale("xx"), false],
  [isCompactDay("20260131"), true],
  [isCompactDay("20260230"), false],
])("row %# is %s", (found, expected) => {
  expect(found).toBe(expected)
})
