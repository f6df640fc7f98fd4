/* What JSON.stringify silently makes of a value: NaN becomes null, a Map {}, a Date a
 * text, and functions vanish. A codec has to know before it writes. */

/** Whether a value comes back from JSON as it is, as something else that may still be readable, or not at all. */
export function jsonKept(value: unknown): "same" | "converted" | "lost" {
  if (typeof value === "number") return Number.isFinite(value) ? "same" : "lost"
  if (typeof value === "string" || typeof value === "boolean" || value === null) return "same"
  if (typeof value !== "object") return "lost"
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return "converted"
  if (!isPlain(value)) return "lost"
  let kept: "same" | "converted" = "same"
  if (Array.isArray(value)) {
    for (const part of value) {
      const found = jsonKept(part)
      if (found === "lost") return found
      if (found === "converted") kept = found
    }
    return kept
  }
  for (const name in value) {
    const part = (value as Record<string, unknown>)[name]
    // An absent field may be spelled undefined; an element of an array may not.
    if (typeof part === "string" || part === undefined) continue
    const found = jsonKept(part)
    if (found === "lost") return found
    if (found === "converted") kept = found
  }
  return kept
}

/** An array or a plain object. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
