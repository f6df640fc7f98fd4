/* Which parts of a key may not be printed. A segment is secret when its codec is, or when
 * it is a field that its entity keeps secret: the e-mail in "user:index:email:{email}". */

import type { Key } from "./key.ts"
import { parsePattern } from "./pattern.ts"

export const HIDDEN = "…"

/** The parameters of a pattern that may not be printed. `keys` are those of its keyspace. */
export function secretParams(row: Key, keys: readonly Key[]): ReadonlySet<string> {
  const fields = secretFields(row, keys)
  return new Set(
    Object.entries(row.params)
      .filter(
        ([name, codec]) =>
          codec.secret === true || (fields === true ? row.entity !== undefined : fields.includes(name)),
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

/** The key with its secret segments hidden; the pattern when the key is not of it: `"P:456:S:789:AccTok:…"`. */
export function hideSegments(
  pattern: string,
  texts: Readonly<Record<string, string>> | undefined,
  secret: ReadonlySet<string>,
): string {
  if (texts === undefined) return pattern
  return parsePattern(pattern)
    .map((part) => (typeof part === "string" ? part : secret.has(part.param) ? HIDDEN : texts[part.param]!))
    .join("")
}
