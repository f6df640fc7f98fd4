/* Ids that are not allocated yet: the script that creates a record allocates its id, and
 * until then a placeholder takes its place in keys, members and values alike. */

import { randomBytes } from "node:crypto"
import type { Wire } from "../../driver/driver.ts"

const pattern = /kwid[0-9a-f]{24}/g

/** What all placeholders of this process begin with. Unguessable, so that no user's value can contain one on purpose. */
const own = `kwid${randomBytes(6).toString("hex")}`

const LENGTH = own.length + 12

/**
 * Those of plans that are being made or carried out. An error or a log may show one. When its plan is over, it is a text
 * like any other, so sending it back has no effect.
 */
let live = new Set<string>()

/** Drawn many at a time: that is cheaper. */
export const newPlaceholder = (): string => {
  if (drawn.length < 12) {
    drawn = randomBytes(1536).toString("hex")
    // V8 links each table that a Set has outgrown to the next one, and keeps them all until the next full collection.
    live = new Set(live)
  }
  const placeholder = own + drawn.slice(0, 12)
  drawn = drawn.slice(12)
  live.add(placeholder)
  return placeholder
}
let drawn = ""

export const forgetPlaceholders = (placeholders: readonly string[]): void => {
  for (const placeholder of placeholders) live.delete(placeholder)
}

/** Whether a text contains the placeholder of an id that is still to be allocated, and not only something like one. */
export const hasPlaceholder = (text: Wire): boolean =>
  typeof text === "string" && text.includes(own) && (text.match(pattern) ?? []).some((found) => live.has(found))

/** Where the first placeholder of this process is in a text, or -1. */
export const placeholderIn = (text: string): number => text.indexOf(own)

/** The placeholder that begins there. */
export const placeholderAt = (text: string, at: number): string => text.slice(at, at + LENGTH)

/** Found by what all placeholders begin with: a pattern takes several times as long. */
function filled(text: string, ids: ReadonlyMap<string, string>): string {
  let [done, from] = ["", 0]
  for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + 1)) {
    const id = ids.get(placeholderAt(text, at))
    if (id === undefined) continue
    done += text.slice(from, at) + id
    from = at + LENGTH
  }
  return from === 0 ? text : done + text.slice(from)
}

/** The placeholders in a value, at any depth, replaced by the ids that were allocated. */
export function withIds<T>(value: T, ids: ReadonlyMap<string, string>): T {
  if (ids.size === 0) return value
  if (typeof value === "string") return (ids.get(value) ?? filled(value, ids)) as T & string
  if (Array.isArray(value)) return value.map((item: unknown) => withIds(item, ids)) as T
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const copy = { ...value } as Record<string, unknown>
    for (const name of Object.keys(copy)) copy[name] = withIds(copy[name], ids)
    return copy as T
  }
  return value
}
