/* Documents without their secrets. A name that is listed as secret (`secret: ["pin"]`) means every field of that name, at
 * every depth. */

import type { Wire } from "../../driver/driver.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { isDocument } from "../../schema/hidden-secrets.ts"

/** Deeper than that nothing is shown. */
const DEEPEST = 500

/**
 * What a codec has read, without secret fields. A validator may have made anything of a document that has some, a text
 * for example: then it is shown as it is stored; or, where it is not stored as JSON, not at all.
 */
export function hidingSecrets(
  codec: AnyCodec,
  raw: Wire,
  value: unknown,
  isSecret: (name: string) => boolean,
  hidden: unknown = "…",
): unknown {
  const open = hidingFields(value, isSecret, hidden)
  if (!isDocument(codec.spec)) return open
  let stored: unknown
  try {
    stored = (codec.document?.parse ?? JSON.parse)(String(raw))
  } catch {
    return typeof value === "object" ? open : hidden
  }
  const cleaned = hidingFields(stored, isSecret, hidden)
  return cleaned === stored ? open : cleaned
}

/** The same with `hidden` in the place of secret fields; the very same value where it has none. */
export function hidingFields(
  value: unknown,
  isSecret: (name: string) => boolean,
  hidden: unknown = "…",
  depth = 0,
): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth > DEEPEST) return hidden
  if (Array.isArray(value)) {
    const items = value.map((item) => hidingFields(item, isSecret, hidden, depth + 1))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  // No document.
  if (value instanceof Date || value instanceof Uint8Array) return value
  // What a validator made of one may hold them anywhere.
  const { constructor } = Object.getPrototypeOf(value) ?? {}
  if (constructor !== undefined && constructor !== Object) return hidden
  let isChanged = false
  const fields = Object.entries(value).map(([name, inner]) => {
    const shown = isSecret(name) ? hidden : hidingFields(inner, isSecret, hidden, depth + 1)
    if (shown !== inner) isChanged = true
    return [name, shown]
  })
  return isChanged ? Object.fromEntries(fields) : value
}
