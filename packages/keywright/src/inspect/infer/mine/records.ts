/* Keys of a pattern and what they hold, as the questions about them need it. */

import { isObject } from "../../../schema/codec/json-checks.ts"
import type { Wire } from "../../../driver/driver.ts"
import { isText } from "../../walk/wire.ts"
import { type IdText, idText } from "../../model/id-text.ts"
import { jsonOf } from "../values/cells.ts"
import type { Pattern } from "./pattern.ts"
import type { Probe } from "../source.ts"

type RecordFields = Readonly<Record<string, unknown>>

export const probe = ({ db, type }: Pattern, key: string, member?: string): Probe => ({
  db,
  key,
  type,
  ...(member !== undefined && { member }),
})

/** How ids are stored in the values of a pattern's keys. */
export const idTextIn = ({ of, described }: Pattern): IdText =>
  idText(described.kind !== "map" && of.values.cells.isQuoted)

export const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** The key with these texts for its parameters. */
export function keyOf({ row }: Pattern, texts: readonly string[]): string {
  let at = 0
  return row.parts
    .map((part) => (typeof part === "string" ? part : part.tag ? `{${texts[at++]}}` : texts[at++]))
    .join("")
}

/** The texts of a key's parameters; none when the key is not of the pattern. */
export function paramsIn({ row: { parts } }: Pick<Pattern, "row">, key: string): string[] {
  const texts: string[] = []
  let at = 0
  for (const [i, part] of parts.entries()) {
    if (typeof part === "string") {
      if (!key.startsWith(part, at)) return []
      at += part.length
      continue
    }
    if (part.tag && key[at++] !== "{") return []
    const next = parts[i + 1]
    const stop = part.tag ? "}" : typeof next === "string" ? next[0]! : ""
    const end = stop === "" ? key.length : key.indexOf(stop, at)
    if (end < 0) return []
    texts.push(key.slice(at, end))
    at = end + (part.tag ? 1 : 0)
  }
  return at === key.length ? texts : []
}

/** A document, or a hash as one. */
export function recordOf({ type }: Pattern, elements: readonly Wire[]): RecordFields | undefined {
  if (type === "hash") {
    const pairs: [string, string][] = []
    for (let i = 0; i + 1 < elements.length; i += 2) pairs.push([String(elements[i]), String(elements[i + 1])])
    return Object.fromEntries(pairs)
  }
  const [raw] = elements
  const value = raw !== undefined && isText(raw) ? jsonOf(raw)?.value : undefined
  return isObject(value) ? value : undefined
}

/** Some of its records. */
export const recordsOf = (pattern: Pattern): { readonly key: string; readonly record: RecordFields }[] =>
  pattern.of.samples.flatMap(({ key, reading }) => {
    const record = recordOf(pattern, reading.elements)
    return record === undefined ? [] : [{ key, record }]
  })
