/* Single keys that nothing else resembles: a text in `foo:bar`, which somebody left behind. One key is not a pattern, so
 * it is reported and not declared. A counter, a document, a bitmap or a collection is there on purpose, and so is a key
 * under a word that other keys share. */

import { strays as limits } from "../thresholds.ts"
import { paramsIn } from "./records.ts"
import type { OfType, MinedRow } from "./row.ts"

/** `keys`: how many there are in the database. */
export function straysIn(rows: readonly MinedRow[], keys: number): MinedRow[] {
  if (keys < limits.leastAround) return []
  const used = rows.filter(({ count }) => count > 0)
  const words = new Map<string, number>()
  for (const row of used) words.set(firstWord(row), (words.get(firstWord(row)) ?? 0) + 1)
  return used.filter((row) => {
    const { params, known, types, count } = row
    if (count > 1 || params.length > 0 || known !== undefined || !isText(types.get("string"))) return false
    const key = row.pattern()
    const isAlone = words.get(firstWord(row)) === 1 && SEVERAL_PARTS.test(key)
    // A pattern that would take it instead would claim what it is not.
    return isAlone && !used.some((other) => other !== row && paramsIn({ row: other }, key).length > 0)
  })
}

/** Nothing but a short text, and not a number. */
function isText(of: OfType | undefined): boolean {
  const cells = of?.values.cells
  return cells !== undefined && cells.isPlain && !cells.texts.only("int", "float")
}

const SEVERAL_PARTS = /^[\w-]+[:./|]./

const firstWord = ({ parts: [first] }: MinedRow): string =>
  typeof first === "string" ? (/^[\w-]*/.exec(first)?.[0] ?? "") : ""
