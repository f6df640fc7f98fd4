/* Rows as CSV (RFC 4180). Values are other people's text: one that a spreadsheet would take for a
 * formula begins with an apostrophe, as OWASP recommends. Where a list is separated by semicolons or
 * tabs, as in half of Europe, one of them in a value begins a new cell, whatever quotes are around it, and
 * so does the end of a line: a formula behind one of them has an apostrophe before it as well
 * ("a;=1" is written as "a;'=1"), and such values are quoted. */

/** Also as Japanese keyboards write them, and after what a spreadsheet passes over: spaces, control characters, what has no width. */
const FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
/** The same within a value, behind what may begin a cell; quotes are passed over, too. */
const BEFORE_FORMULA = /(?<![;\s\p{C}"])[;\s\p{C}"]+(?=[=+\-@＝＋－＠])/gu
const BEGINS_CELL = /[;\t\r\n\v\f\u0085\u2028\u2029]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

export const csvText = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("")

const withInertCells = (text: string): string =>
  text.replace(BEFORE_FORMULA, (before) => (BEGINS_CELL.test(before) ? `${before}'` : before))

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ""
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const inert = NUMBER.test(text) ? text : `${FORMULA.test(text) ? "'" : ""}${withInertCells(text)}`
  return /[",;\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
