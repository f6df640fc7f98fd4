/* What a page says about types, beside a key: in a table with a column or a row for it, behind the
 * key ("(hash, 30 minutes)", "- sorted set"), or before it ("a hash at session:7"). `set`, `list`
 * and `hash` are also ordinary words: where they may be meant so, nothing is claimed. */

import type { RedisType } from "../../schema/define.ts"
import { groupBy } from "../../schema/group-by.ts"
import { onlyKey, type SeenKey } from "./page-ids.ts"
import { typesIn } from "./page-keys.ts"
import { cellsOf, inTable, isRow, isRule } from "./page-tables.ts"
import type { MaskedLine } from "./page-text.ts"
import { continues } from "./page-wraps.ts"

export interface SaidType {
  readonly line: number
  readonly key: SeenKey
  /** In its own words. */
  readonly says: string
  readonly type: RedisType
}

const LABEL = /^(?:\*\*|`)?(?:redis[ _-])?(?:data[ _-])?(?:type|structure)(?:\*\*|`)?$/i
const NAME = "sorted[ -]set|zset|hash(?:[ -]?(?:map|table))?|list|set|string|stream"
/** What comes then says that a noun was meant: the end of a part, or `set of …`; `hash of` is a digest. */
const END = "(?=\\s*(?:[,;:.)(–—]|-\\s|$)|(?<!hash)\\s+of\\s)"
const BEHIND = new RegExp(
  `^[\`*"']*\\s*(?:[-–—:,]|\\()?\\s*(?:\\*\\*|\`)?(?:an?\\s+)?(?:redis\\s+)?(${NAME})(?:\\*\\*|\`)?${END}`,
  "i",
)
const BEFORE = new RegExp(
  `\\b(?:an?|the)\\s+(?:redis\\s+)?(${NAME})(?:\\s+(?:at|under|named|called|key))?\\s+[\`*"']*$`,
  "i",
)

/** Every type that a page states for a key that the schema has. */
export function typesBeside(seen: readonly SeenKey[], lines: readonly MaskedLine[]): SaidType[] {
  const onLine = groupBy(seen, ({ line }) => line.number)
  const found: SaidType[] = []
  let column: number | undefined
  for (const [i, line] of lines.entries()) {
    const here = onLine.get(line.number) ?? []
    const say = (key: SeenKey | undefined, says: string | undefined) => {
      const type = says === undefined ? undefined : typeIn(says)
      if (key !== undefined && type !== undefined) found.push({ line: line.number, key, says: says!.trim(), type })
    }
    if (line.code) continue
    if (!isRow(line)) {
      column = undefined
      for (const key of here) say(key, besides(line, key, around(lines, i)))
      continue
    }
    const cells = cellsOf(line.raw)
    if (isRule(lines[i + 1])) {
      const at = cells.findIndex((cell) => LABEL.test(cell))
      column = at < 0 ? undefined : at
    } else if (LABEL.test(cells[0] ?? "")) {
      say(onlyKey(inTable(lines, i).flatMap((one) => onLine.get(one.number) ?? [])), cells[1])
    } else if (column !== undefined) say(onlyKey(here), cells[column])
  }
  return found
}

/** Where a sentence is on several lines: what comes before a line, and after it. */
function around(lines: readonly MaskedLine[], i: number): readonly [before: string, after: string] {
  const [before, line, after] = [lines[i - 1], lines[i], lines[i + 1]]
  return [
    continues(before, line) ? `${before!.text.trimEnd()} ` : "",
    continues(line, after) ? ` ${after!.text.trimStart()}` : "",
  ]
}

/** What stands behind or before a key that stands once on its line. */
function besides(
  { text }: MaskedLine,
  { word, command }: SeenKey,
  [before, after]: readonly [before: string, after: string],
): string | undefined {
  // A word alone is a key where it is code; elsewhere it may be any word.
  const code = word.includes(":") ? word : `\`${word}\``
  const at = text.indexOf(code)
  if (command !== undefined || at < 0 || text.includes(code, at + 1)) return undefined
  const behind = text.slice(at + code.length).trimEnd() + after
  return BEHIND.exec(behind)?.[1] ?? BEFORE.exec(before + text.slice(0, at).trimStart())?.[1]
}

/** `"sorted set"` → zset; `"JSON string"` → string; of two types nothing is known. */
export function typeIn(says: string): RedisType | undefined {
  const [type, ...others] = typesIn(says)
  return others.length === 0 ? type : undefined
}
