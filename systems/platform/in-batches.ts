/** Splits items into batches of `size`; the last may be smaller. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  const batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length >= size) yield batch.splice(0)
  }
  if (batch.length > 0) yield batch
}
