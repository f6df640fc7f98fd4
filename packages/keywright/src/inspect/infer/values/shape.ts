/* One value as a word: it distinguishes patterns that look alike. */

import { isObject } from "../../../schema/codec/json-checks.ts"
import { type Atom, atomOf } from "./atoms.ts"
import { blobOf } from "./blob.ts"
import { jsonOf } from "./cells.ts"
import type { ReadValue } from "./values.ts"
import { isText, showWire } from "../../walk/wire.ts"
import type { Wire } from "../../../driver/driver.ts"

export interface ValueShape {
  /** The Redis type and what the value looks like: `"string:int"`, `"hash"`. */
  readonly shape: string
  /** Names of the fields of a document or a hash. */
  readonly fields?: readonly string[]
  /** What a collection holds, where that is nothing but words. */
  readonly names?: readonly string[]
  /** What a short text is. */
  readonly atom?: Atom
}

const MOST_FIELDS = 64
const MOST_NAMES = 200

export function shapeOf({ type, elements, cut }: ReadValue): ValueShape {
  if (type === "hash") {
    const names = elements.filter((_, i) => i % 2 === 0).map(showWire)
    // Names that are ids say nothing about the kind of hash.
    const plain = names.filter((name) => atomOf(name) === "word")
    return 2 * plain.length >= names.length && !cut
      ? { shape: type, fields: plain.slice(0, MOST_FIELDS) }
      : { shape: "hash:map" }
  }
  if (type === "list" || type === "set" || type === "zset") return collectionShape(type, elements)
  if (type !== "string" || elements.length === 0) return { shape: type }
  const [raw] = elements
  const blob = blobOf(raw!)
  if (blob !== undefined) return { shape: `string:${blob}` }
  const text = raw as string
  const json = cut ? undefined : jsonOf(text)
  if (json === undefined) return cut ? { shape: "string:text" } : plainShape(text)
  const { value } = json
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { shape: "string:json" }
  return { shape: "string:document", fields: Object.keys(value).slice(0, MOST_FIELDS) }
}

/** Documents have their fields, also in a collection; and names may be those of other keys. */
function collectionShape(type: string, elements: readonly Wire[]): ValueShape {
  const members = elements.filter((_, i) => type !== "zset" || i % 2 === 0)
  const [first] = members
  if (first === undefined || !isText(first)) return { shape: type }
  const value = jsonOf(first)?.value
  if (isObject(value)) return { shape: `${type}:document`, fields: Object.keys(value).slice(0, MOST_FIELDS) }
  if (members.length > MOST_NAMES) return { shape: type }
  // If the members are keys, their last parts are the names.
  const names = members.map((member) => (isText(member) ? member.slice(member.lastIndexOf(":") + 1) : ""))
  const areWords = names.every((name) => name.length <= 64 && atomOf(name) === "word")
  return areWords ? { shape: type, names } : { shape: type }
}

function plainShape(text: string): ValueShape {
  const atom = atomOf(text.length > 64 ? "a text" : text)
  return { shape: `string:${atom === "int" || atom === "float" ? atom : "text"}`, atom }
}
