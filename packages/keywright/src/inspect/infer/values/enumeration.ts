import type { Texts } from "./texts.ts"

/** Values that are few, short and come again and again. */
export function isEnumeration(texts: Texts, most = 12): boolean {
  const { values, count } = texts
  if (values === undefined || values.size < 2 || values.size > most || count < Math.max(20, 5 * values.size))
    return false
  return texts.only("word", "mixed", "slug") && [...values].every(([value, seen]) => value.length <= 32 && seen >= 2)
}
