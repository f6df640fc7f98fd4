import { expect, it } from "vitest"
import { jsonText } from "./json-rows.ts"

it.each([
  [["a", "b"], [[1]], [{ a: 1, b: null }]],
  [["key", "type", "type"], [["k", "mine", "hash"]], [{ key: "k", type: "mine", "(type)": "hash" }]],
  [["id", "id", "(id)"], [[1, 2, 3]], [{ id: 1, "(id)": 2, "((id))": 3 }]],
  [["__proto__"], [["x"]], [Object.fromEntries([["__proto__", "x"]])]],
])("%j of %j are all in the file", (columns, rows, expected) => {
  expect(JSON.parse(jsonText(columns, rows))).toEqual(expected)
})
