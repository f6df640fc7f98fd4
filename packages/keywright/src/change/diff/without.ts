/** The distinct items that are only in the first list. */
export function without<T>(these: Iterable<T>, others: Iterable<T>): T[] {
  const known = new Set(others)
  return [...new Set(these)].filter((one) => !known.has(one))
}
