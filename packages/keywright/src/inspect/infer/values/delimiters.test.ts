import { expect, it } from "vitest"
import { Delimiters } from "./delimiters.ts"

it.each<[string[], sign: string | undefined, columns: number | undefined]>([
  [["a,b", "c,d"], ",", 2],
  [["a,b", "c,d,e"], ",", undefined],
  [["a|b,c", "d|e,f"], ",", 2],
  [["a|b,c", "d|e"], "|", 2],
  [["a#b", "c"], undefined, undefined],
  [["Hello, you"], undefined, undefined],
  [[`${"x".repeat(65)},a`], undefined, undefined],
  [[Array.from({ length: 17 }, () => "1").join(";")], ";", undefined],
  [["plain"], undefined, undefined],
])("%j are joined by %s in %s columns", (texts, sign, columns) => {
  const delimiters = new Delimiters()
  for (const text of texts) delimiters.add(text)
  expect(delimiters.joined?.sign).toBe(sign)
  expect(delimiters.joined?.columns?.length).toBe(columns)
})
