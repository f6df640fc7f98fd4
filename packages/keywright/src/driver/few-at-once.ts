/** The results of `use`, in the order of the items; at most `atOnce` run at a time. */
export async function fewAtOnce<T, R>(items: readonly T[], atOnce: number, use: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await use(items[at]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return results
}
