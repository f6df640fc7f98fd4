/* One value in a word: what tells apart patterns that look alike. */

import { atomOf } from "./atoms.ts"
import { blobOf } from "./blob.ts"
import { jsonOf } from "./cells.ts"
import type { Reading } from "./values.ts"
import { showWire } from "../wire.ts"

export interface Shape {
  readonly shape: string
  readonly fields?: readonly string[]
}

const MOST_FIELDS = 64

export function shapeOf({ type, elements, cut }: Reading): Shape {
  if (type === "hash") {
    const names = elements.filter((_, i) => i % 2 === 0).map(showWire)
    // Names that are ids say nothing about the kind of hash.
    const plain = names.filter((name) => atomOf(name) === "word")
    return plain.length > names.length / 2 && !cut
      ? { shape: type, fields: plain.slice(0, MOST_FIELDS) }
      : { shape: "hash:map" }
  }
  if (type !== "string" || elements.length === 0) return { shape: type }
  const [raw] = elements
  const blob = blobOf(raw!)
  if (blob !== undefined) return { shape: `string:${blob}` }
  const text = raw as string
  const json = cut ? undefined : jsonOf(text)
  if (json === undefined) return { shape: `string:${cut ? "text" : plainShape(text)}` }
  const { value } = json
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { shape: "string:json" }
  return { shape: "string:document", fields: Object.keys(value).slice(0, MOST_FIELDS) }
}

function plainShape(text: string): string {
  const atom = atomOf(text.length > 64 ? "a text" : text)
  return atom === "int" || atom === "float" ? atom : "text"
}
