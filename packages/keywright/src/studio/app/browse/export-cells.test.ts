import { expect, it } from "vitest"
import type { Cell } from "../../api.ts"
import { exportedKeys, plainOf } from "./export-cells.ts"

const cells: readonly (readonly [Cell, unknown])[] = [
  [{}, null],
  [{ decoded: 3 }, 3],
  [{ decoded: { "~": "secret" }, secret: true }, "(secret)"],
  [{ secret: true }, "(secret)"],
  [{ decoded: { a: [{ "~": "bigint", text: "9007199254740993" }] } }, { a: ["9007199254740993"] }],
  [{ decoded: { password: { "~": "secret" }, name: "x" } }, { password: "(secret)", name: "x" }],
  [{ decoded: { "~": "bytes", base64: "AQI=", bytes: 2 } }, "AQI="],
  [{ decoded: { "~": "object", entries: [["~", 1]] } }, [["~", 1]]],
  [{ raw: { text: "as stored", bytes: 9, cut: false }, error: "not an int" }, "as stored"],
  [{ raw: { text: "the beginning", bytes: 99, cut: true } }, "the beginning…"],
  [{ raw: { base64: "/w==", bytes: 1, cut: false } }, "/w=="],
]

it.each(cells)("%j is exported as %j", (cell, expected) => {
  expect(plainOf(cell)).toEqual(expected)
})

const row = { db: 0, ref: "k", key: "a:1", params: {}, type: "hash", ttlMs: null, bytes: 9 }

it("has a column for each field, and a preview where there are none", () => {
  const fields = [{ name: "name", type: "text", secret: false }]
  expect(exportedKeys(fields, [{ ...row, cells: [{ decoded: "x" }] }, row])).toEqual({
    columns: ["key", "name", "type", "ttlMs", "bytes"],
    rows: [
      ["a:1", "x", "hash", null, 9],
      ["a:1", null, "hash", null, 9],
    ],
  })
  expect(exportedKeys([], [{ ...row, preview: "x: 1" }])).toMatchObject({ rows: [["a:1", "x: 1", "hash", null, 9]] })
})
