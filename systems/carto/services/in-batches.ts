/** Does something with each item, a fixed number at once; ends early when `work` says so. */
export async function inBatches<T>(
  items: AsyncIterable<T> | Iterable<T>,
  size: number,
  work: (batch: readonly T[]) => Promise<boolean | void>,
): Promise<void> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    if ((await work(batch)) === false) return
    batch = []
  }
  if (batch.length > 0) await work(batch)
}
