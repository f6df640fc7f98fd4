/** Items by what `of` says about them, in the order of first appearance. */
export function groupBy<T, K>(items: Iterable<T>, of: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const name = of(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return groups
}
