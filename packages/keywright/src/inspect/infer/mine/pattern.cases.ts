/* Patterns as they are found, made from a spelling and a few values. */

import type { Wire } from "../../../driver/driver.ts"
import type { Atom } from "../values/atoms.ts"
import type { Param, Part } from "./mine.ts"
import { type Pattern, patternOf } from "./pattern.ts"
import { Row } from "./row.ts"

const KINDS = new Set(["int", "day", "month", "compactDay"])

/** `"user:{int}:{token}"`: each parameter by what its texts look like. */
export function partsOf(spelling: string): Part[] {
  return spelling
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part): Part => {
      if (!part.startsWith("{")) return part
      const atom = part.slice(1, -1) as Atom
      return { kind: KINDS.has(atom) ? (atom as Param["kind"]) : "text", atom }
    })
}

/** With a key for each value, and names for its parameters where those that it gets are not wanted. */
export function patternFrom(
  spelling: string,
  type = "string",
  values: readonly (readonly Wire[])[] = [["some text"]],
  names?: string[],
): Pattern {
  const row = new Row(partsOf(spelling))
  for (const [i, elements] of values.entries()) {
    const key = spelling.replace(/\{\w+\}/g, String(i))
    row.add(key, type, -1).values.add({ type, elements, cut: false })
    for (const texts of row.texts) texts.add(String(i))
  }
  const pattern = patternOf(row, 0)!
  return names === undefined ? pattern : { ...pattern, names }
}
