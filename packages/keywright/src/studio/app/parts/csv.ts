/* Rows as CSV (RFC 4180). Values are other people's text: one that a spreadsheet would take for a
 * formula begins with an apostrophe, as OWASP recommends. Where a list is separated by
 * semicolons or tabs, as in half of Europe, one of them in a value would begin a new cell: such values are quoted. */

/** Also as Japanese keyboards write them, and after what a spreadsheet passes over: spaces, control characters, what has no width. */
const FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const NUMBER = /^-?\d+(?:\.\d+)?$/

export const csvText = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("")

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ""
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
