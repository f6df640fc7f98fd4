import { expect, it } from "vitest"
import { patternFrom } from "../mine/pattern.cases.ts"
import { decoded, type FoundEntity, isParamName, names, patternsOf } from "./found-entity.ts"

const pattern = patternFrom("user:{int}", "hash", [
  ["id", "7", "name", "a b"],
  ["id", "8", "name", "c d"],
])
const entity: FoundEntity = { name: "user", pattern, idField: "id", indexes: [] }

it.each([
  ["users:by:{word}", true],
  ["index:user:mail:{word}", true],
  ["role:by:{word}", false],
])("%s names the user: %s", (spelling, is) => {
  expect(names(patternFrom(spelling, "set"), entity)).toBe(is)
})

it.each<[string, string, unknown]>([
  ["id", "7", 7],
  ["name", "a b", "a b"],
])("the field %s of a hash reads %j as %j", (field, value, read) => {
  expect(decoded(pattern, field, value)).toBe(read)
})

it.each([
  ["mail", true],
  ["_a1", true],
  ["a-b", false],
  ["1a", false],
  ["", false],
  ["constructor", false],
  ["__proto__", false],
])("%j can be a parameter: %s", (field, is) => {
  expect(isParamName(field)).toBe(is)
})

it("lists all patterns of an entity", () => {
  const [all, mail] = [patternFrom("users", "set"), patternFrom("mail:{word}")]
  expect(
    patternsOf({ ...entity, all, indexes: [{ name: "mail", unique: true, fields: ["mail"], patterns: [mail] }] }),
  ).toEqual([pattern, all, mail])
})
