/* Documents without their secrets. A name that is listed as secret (`secret: ["pin"]`) means every field of that name, at
 * every depth. */

/** Deeper than that nothing is shown. */
const DEEPEST = 500

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
  // A Date, bytes: no document.
  const { constructor } = Object.getPrototypeOf(value) ?? {}
  if (constructor !== undefined && constructor !== Object) return value
  let isChanged = false
  const fields = Object.entries(value).map(([name, inner]) => {
    const shown = isSecret(name) ? hidden : hidingFields(inner, isSecret, hidden, depth + 1)
    if (shown !== inner) isChanged = true
    return [name, shown]
  })
  return isChanged ? Object.fromEntries(fields) : value
}
