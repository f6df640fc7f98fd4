/* Documents without their secrets. A name that is listed as secret (`secret: ["pin"]`) means every field of that name, at
 * every depth. */

import type { Wire } from "../../driver/driver.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { isDocument, mayHold } from "../../schema/hidden-secrets.ts"
import { showWire } from "../walk/wire.ts"

/** Deeper than that nothing is shown. */
const DEEPEST = 500

/**
 * What a codec has read, without secret fields. A validator may have made anything of a document that has some, a text
 * for example: then it is shown as it is stored. If only the validator's result has some, they are stored under other
 * names, and nothing of the document is shown. Documents in columns, lists and choices are never shown.
 */
export function hidingSecrets(
  codec: AnyCodec,
  raw: Wire,
  value: unknown,
  isSecret: (name: string) => boolean,
  hidden: unknown = "…",
): unknown {
  const open = hidingFields(value, isSecret, hidden)
  if (!isDocument(codec.spec)) return mayHold(codec.spec, []) ? hidden : open
  let stored: unknown
  try {
    stored = storedDocument(codec, raw)
  } catch {
    return hidden
  }
  const cleaned = hidingFields(stored, isSecret, hidden)
  if (cleaned !== stored) return cleaned
  return holdsFields(value, isSecret) ? hidden : open
}

/** Whether it has such a field, at any depth. */
export function holdsFields(value: unknown, isSecret: (name: string) => boolean): boolean {
  let isFound = false
  hidingFields(value, (name) => (isFound ||= isSecret(name)))
  return isFound
}

/** A document before its validator has seen it; throws where it is none. */
export const storedDocument = (codec: AnyCodec, raw: Wire): unknown =>
  codec.stored ? codec.stored(Buffer.from(raw)) : (codec.document?.parse ?? JSON.parse)(showWire(raw))

/** A text that is itself a document, as JSON in a string of JSON is. */
function isDocumentWith(text: string, isSecret: (name: string) => boolean): boolean {
  if (!/^\s*["[{]/.test(text)) return false
  try {
    return holdsFields(JSON.parse(text), isSecret)
  } catch {
    return false
  }
}

/** The same with `hidden` in the place of secret fields; the very same value where it has none. */
export function hidingFields(
  value: unknown,
  isSecret: (name: string) => boolean,
  hidden: unknown = "…",
  depth = 0,
): unknown {
  if (typeof value === "string") return isDocumentWith(value, isSecret) ? hidden : value
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
