import { expect, it } from "vitest"
import { csvText } from "./csv.ts"

it.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  [-3.5, "-3.5"],
  ["-3.5", "-3.5"],
  [null, ""],
  [undefined, ""],
  [true, "true"],
  [{ a: [1] }, '"{""a"":[1]}"'],
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
  ["-1+1", "'-1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", '"\'\t=1"'],
  ["\n=1", '"\'\n=1"'],
  [" =1", "' =1"],
  ["＝1＋1", "'＝1＋1"],
  ["\0=1", "'\0=1"],
  ["\u200b \u0001=1", "'\u200b \u0001=1"],
  ["\ufeff@SUM(A1)", "'\ufeff@SUM(A1)"],
  ["a;=1+1", '"a;=1+1"'],
  ["a\t=1+1", '"a\t=1+1"'],
])("%j is written as %j", (value, expected) => {
  expect(csvText(["c"], [[value]])).toBe(`c\r\n${expected}\r\n`)
})
