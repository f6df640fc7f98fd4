/* Keys as they may be printed: secret segments hidden. A segment is secret when its
 * codec is, or when it is a field that its entity keeps secret. */

import type { Wire } from "../driver/driver.ts"
import type { Key } from "../schema/key.ts"
import { locate, slotsOf } from "../schema/locate.ts"
import { parsePattern } from "../schema/pattern.ts"
import { isText, showWire } from "./wire.ts"

export const HIDDEN = "…"

/** Makes the function that shows the keys of one pattern. `keys` are those of its keyspace. */
export function keyShower(row: Key, keys: readonly Key[]): (key: Wire) => string {
  const secret = secretParams(row, keys)
  if (secret.size === 0) return showWire
  const [head, slots] = slotsOf(row.pattern, row.params)
  const parts = parsePattern(row.pattern)
  return (key) => {
    const found = isText(key) ? locate(key, head, slots) : undefined
    if (found === undefined) return row.pattern
    return parts
      .map((part) => (typeof part === "string" ? part : secret.has(part.param) ? HIDDEN : found[part.param]!))
      .join("")
  }
}

/** The parameters of a pattern that may not be printed. */
export function secretParams(row: Key, keys: readonly Key[]): ReadonlySet<string> {
  const fields = secretFields(row, keys)
  return new Set(
    Object.entries(row.params)
      .filter(
        ([name, codec]) =>
          codec.secret === true || (row.entity !== undefined && (fields === true || fields.includes(name))),
      )
      .map(([name]) => name),
  )
}

/** The fields of the key's own document, or of its entity's, that may not be printed. */
export function secretFields(row: Key, keys: readonly Key[]): true | readonly string[] {
  const { entity } = row
  const of = entity === undefined ? row : keys.find(({ name }) => name === entity.name)
  return of?.secret ?? []
}
