import { expect, test } from "vitest"
import { PageMap, cursorRank } from "./page-map.ts"

test("finds the pages of a pattern, in order, across words", () => {
  const map = new PageMap()
  for (let i = 0; i < 200; i++) map.add(String(i))
  for (const page of [0, 31, 32, 64, 190]) map.mark("cart", page)
  map.mark("cart", 31)
  const found: number[] = []
  for (let at = map.next("cart", 0); at !== undefined; at = map.next("cart", at + 1)) found.push(at)
  expect(found).toEqual([0, 31, 32, 64, 190])
  expect(map.count("cart")).toBe(5)
  expect(map.next("cart", 191)).toBeUndefined()
  expect(map.next("other", 0)).toBeUndefined()
})

test("orders cursors as SCAN goes through them: by their bits in reverse", () => {
  // The order of a table of eight buckets.
  const order = [0n, 4n, 2n, 6n, 1n, 5n, 3n, 7n]
  expect([...order].sort((a, b) => (cursorRank(a) < cursorRank(b) ? -1 : 1))).toEqual(order)
  expect(cursorRank(1n)).toBe(1n << 63n)
  expect(cursorRank(cursorRank(123_456_789_012n))).toBe(123_456_789_012n)
})

test("finds the page that holds a place, also one between two pages", () => {
  const map = new PageMap()
  for (const cursor of ["0", "4", "2", "6", "1", "5", "3", "7"]) map.add(cursor)
  expect(["0", "6", "7"].map((cursor) => map.pageAt(cursor))).toEqual([0, 3, 7])
  // The table has grown: bucket 12 of sixteen comes after 4 of eight and before 2.
  expect(map.pageAt("12")).toBe(1)
})
