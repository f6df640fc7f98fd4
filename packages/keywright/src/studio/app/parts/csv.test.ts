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
  ["\t=1", "\"'\t'=1\""],
  ["\n=1", "\"'\n'=1\""],
  [" =1", "' =1"],
  ["＝1＋1", "'＝1＋1"],
  ["\0=1", "'\0=1"],
  ["\u200b \u0001=1", "'\u200b \u0001=1"],
  ["\ufeff@SUM(A1)", "'\ufeff@SUM(A1)"],
  ["a;=1+1", '"a;\'=1+1"'],
  ["a\t=1+1", '"a\t\'=1+1"'],
  ["a\r\n=1+1;b", '"a\r\n\'=1+1;b"'],
  ["a; @SUM(A1);-x", "\"a; '@SUM(A1);'-x\""],
  ['a;"=1"', '"a;""\'=1"""'],
  ["a;b\tc\nd", '"a;b\tc\nd"'],
])("%j is written as %j", (value, expected) => {
  expect(csvText(["c"], [[value]])).toBe(`c\r\n${expected}\r\n`)
})

/** As a spreadsheet reads it: quotes count at the beginning of a cell alone. */
function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ""
  let [isStart, isQuoted] = [true, false]
  const end = () => {
    cells.push(cell)
    cell = ""
    isStart = true
  }
  for (let at = 0; at < csv.length; at++) {
    const one = csv[at]!
    if (isQuoted && one === '"' && csv[at + 1] === '"') cell += csv[++at]!
    else if (one === '"' && isQuoted) isQuoted = false
    else if (one === '"' && isStart) isQuoted = true
    else if (!isQuoted && (one === separator || one === "\r" || one === "\n")) end()
    else cell += one
    if (isQuoted || !(one === separator || one === "\r" || one === "\n")) isStart = false
  }
  end()
  return cells
}

const FORMULAS = ["=1+1", "+1+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\u200b=1", "＝1"]
const BEFORE = ["", "a;", "a\t", "a\n", "a\r\n", "a;b\t", 'a;"', 'a";', "a;; ", "a,", 'a,"', '"', "\t", ";"]

it.each([",", ";", "\t"])("no cell is a formula where cells are separated by %j", (separator) => {
  for (const formula of FORMULAS)
    for (const before of BEFORE) {
      const value = `${before}${formula}`
      const csv = csvText(
        ["key", value, "last"],
        [
          [value, "note:1", value],
          ["note:2", value, "z"],
        ],
      )
      const isFormula = (cell: string) => /^[\s\p{C}]*[=+\-@＝＋－＠]/u.test(cell)
      expect([value, cellsOf(csv, separator).filter(isFormula)]).toEqual([value, []])
    }
  // What is read like this would be found.
  expect(cellsOf('a,"b;=1",c', ";")).toEqual(['a,"b', '=1",c'])
})
