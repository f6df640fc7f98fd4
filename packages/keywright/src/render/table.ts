/* Columns of text for a terminal. */

export interface Column {
  readonly head: string
  readonly right?: boolean
  /** Cut to this width. */
  readonly most?: number
}

/** Rows under their heads, with two spaces between columns. `paint` may colour a cell, after it has been padded. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: (text: string, row: number, column: number) => string = (text) => text,
): string {
  const cut = rows.map((row) => row.map((cell, i) => shorten(cell, columns[i]?.most ?? Infinity)))
  const widths = columns.map(({ head }, i) => Math.max(widthOf(head), ...cut.map((row) => widthOf(row[i] ?? ""))))
  const line = (cells: readonly string[], row: number) =>
    cells
      .map((cell, i) => paint(pad(cell, widths[i] as number, columns[i]?.right === true), row, i))
      .join("  ")
      .trimEnd()
  return [
    line(
      columns.map(({ head }) => head),
      -1,
    ),
    ...cut.map((row, i) => line(row, i)),
  ].join("\n")
}

/** Cut out of the middle: patterns and keys often differ in what comes last. */
export function shorten(text: string, most: number): string {
  const chars = [...text]
  if (chars.length <= most) return text
  const last = Math.floor(Math.max(0, most - 1) / 2)
  return `${chars.slice(0, Math.max(1, most - 1 - last)).join("")}…${chars.slice(chars.length - last).join("")}`
}

const widthOf = (text: string): number => [...text].length
const pad = (text: string, width: number, right: boolean): string => {
  const space = " ".repeat(Math.max(0, width - widthOf(text)))
  return right ? space + text : text + space
}
