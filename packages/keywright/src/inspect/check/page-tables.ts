/* Tables of a page: rows, cells, and the column that a header names. */

import type { MaskedLine } from "./page-text.ts"

export const isRow = (line: MaskedLine | undefined): boolean => line !== undefined && /^\s*\|/.test(line.raw)

/** The line of dashes below a header. */
export const isRule = (line: MaskedLine | undefined): boolean => line !== undefined && /^\s*\|[\s:|-]+$/.test(line.raw)

export const cellsOf = (raw: string): string[] =>
  raw
    .trim()
    .replaceAll(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

export function inTable(lines: readonly MaskedLine[], at: number): MaskedLine[] {
  let [from, to] = [at, at]
  while (isRow(lines[from - 1])) from--
  while (isRow(lines[to + 1])) to++
  return lines.slice(from, to + 1)
}
