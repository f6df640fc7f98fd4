import { expect, it } from "vitest"
import { block, call, type Code, field, object, print, property } from "./code.ts"

const long = "x".repeat(100)

it.each<[string, Code, string]>([
  ["a call on one line", call("set", '"a"', "text"), 'set("a", text)'],
  ["braces with space", object([field("a", "1"), field("b-c", "2")]), '{ a: 1, "b-c": 2 }'],
  ["an empty object without", object([]), "{}"],
  [
    "a last object hugged",
    call("set", '"a"', object([field("doc", `"${long}"`)])),
    `set("a", {\n  doc: "${long}",\n})`,
  ],
  [
    "arguments below each other when no object ends them",
    call("set", "a", long, long),
    `set(\n  a,\n  ${long},\n  ${long},\n)`,
  ],
  [
    "a comment above its item, whatever else would fit",
    object([field("a", "1", ["one\ntwo"])]),
    "{\n  // one\\ntwo\n  a: 1,\n}",
  ],
  [
    "inner blocks indented",
    block("[", [{ code: call("f", long, "a") }, { code: "bcdefghijklm" }], "]"),
    `[\n  f(${long}, a),\n  bcdefghijklm,\n]`,
  ],
  ["an empty block that does not fit", block(`${long}${long}(`, [], ")"), `${long}${long}()`],
])("prints %s", (_, code, text) => {
  expect(print(code)).toBe(text)
})

it("counts the column that the text begins in", () => {
  const code = call("f", "x".repeat(60), "y".repeat(40))
  expect(print(code, 0, 14)).not.toContain("\n")
  expect(print(code, 0, 15)).toContain("\n")
})

it.each([
  ["name", "name"],
  ["$1", "$1"],
  ["1a", '"1a"'],
  ["", '""'],
  ["é", '"é"'],
  ["__proto__", '["__proto__"]'],
])("the property %j is written %s", (name, text) => {
  expect(property(name)).toBe(text)
})
