import { expect, it } from "vitest"
import { shorten, table } from "./table.ts"

it("pads columns, to the right where numbers are, and leaves nothing behind the last", () => {
  const text = table(
    [{ head: "name" }, { head: "n", right: true }, { head: "" }],
    [
      ["😀é", "1", ""],
      ["abcdef", "20", "x"],
    ],
  )
  expect(text.split("\n")).toEqual(["name     n", "😀é       1", "abcdef  20  x"])
})

it("paints cells with the spaces that pad them, heads as row -1", () => {
  const text = table([{ head: "a" }, { head: "b" }], [["xx", "y"]], (cell, row, column) => `${row}${column}[${cell}]`)
  expect(text.split("\n")).toEqual(["-10[a ]  -11[b]", "00[xx]  01[y]"])
})

it("cuts what is wider than its column", () => {
  expect(table([{ head: "p", most: 5 }], [["abcdefgh"]])).toBe("p\nab…gh")
})

it.each([
  ["abc", 3, "abc"],
  ["abcdef", 5, "ab…ef"],
  ["abcdef", 4, "ab…f"],
  ["abcdef", 2, "a…"],
  ["abcdef", 1, "a…"],
  ["😀😀😀😀", 3, "😀…😀"],
])("%s in %i is %s", (text, most, short) => {
  expect(shorten(text, most)).toBe(short)
})
