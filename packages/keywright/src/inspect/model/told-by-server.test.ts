import { expect, it } from "vitest"
import { instantText, tableOf } from "./told-by-server.ts"

it("has nothing under a name that objects inherit", () => {
  const table = tableOf({ hash: "HLEN" })
  expect(["hash", "__proto__", "constructor", "toString"].map((name) => table[name])).toEqual(["HLEN", ...Array(3)])
})

it.each([
  [0, "1970-01-01T00:00:00.000Z"],
  [NaN, "1970-01-01T00:00:00.000Z"],
  [1e300, "+275760-09-13T00:00:00.000Z"],
  [-Infinity, "-271821-04-20T00:00:00.000Z"],
])("says a moment of %d as text", (ms, text) => expect(instantText(ms)).toBe(text))
