/* What people read: one aligned line per result, a tick or a cross before it. */

import type { Figure, Ratio, Results } from "./harness.ts"

export function table(results: Results): string {
  const ratios = Object.entries(results.ratios).map(([name, ratio]) => ratioCells(name, ratio))
  const figures = Object.entries(results.figures).map(([name, figure]) => figureCells(name, figure))
  const head = ["", "", "ratio", "goal", "quartiles", "min–max", "A/A"]
  const rows = [...(ratios.length > 0 ? [head] : []), ...ratios, ...figures]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const aligned = rows.map((row) =>
    row.map((cell, column) => (column === 2 ? cell.padStart(widths[2] ?? 0) : cell.padEnd(widths[column] ?? 0))),
  )
  return aligned.map((row) => row.join("  ").trimEnd()).join("\n")
}

const mark = (met: boolean | undefined) => (met === undefined ? " " : met ? "✓" : "✗")
const span = (pair: readonly [number, number] | undefined) =>
  pair === undefined ? "" : `${digits(pair[0])}–${digits(pair[1])}`

function ratioCells(name: string, { value, goal, met, spread, range, aa, aaSpread }: Ratio): string[] {
  const itself = aa === undefined ? "" : `${digits(aa)} (${span(aaSpread)})`
  return [mark(met), name, digits(value), goal ?? "", span(spread), span(range), itself]
}

function figureCells(name: string, { value, goal, met, unit }: Figure): string[] {
  return [mark(met), name, `${format(value)} ${unit}`.trim(), goal ?? ""]
}

/** Three digits that matter. */
const digits = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Whole and large numbers in full. */
export function format(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US")
  return digits(value)
}
