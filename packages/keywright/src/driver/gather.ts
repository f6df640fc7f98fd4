export interface Patience {
  /** How long the others are waited for once enough have answered. */
  readonly othersMs: number
  /** Enough is the majority of those that have not failed: it is waited for this long after the first. Otherwise one is enough. */
  readonly majorityMs?: number
}

/** The answers that come in time; what fails goes to `onFailure`. */
export function gather<T>(
  asked: readonly Promise<T>[],
  { othersMs, majorityMs }: Patience,
  onFailure: (error: unknown) => void,
): Promise<T[]> {
  return new Promise((resolve) => {
    const found: T[] = []
    let [left, failed] = [asked.length, 0]
    let [late, longest]: (NodeJS.Timeout | undefined)[] = []
    const done = () => {
      clearTimeout(late)
      clearTimeout(longest)
      resolve([...found])
    }
    const settled = () => {
      if (--left === 0) return done()
      if (found.length === 0) return
      longest ??= setTimeout(done, majorityMs ?? othersMs)
      if (majorityMs === undefined || 2 * found.length > asked.length - failed) late ??= setTimeout(done, othersMs)
    }
    for (const one of asked)
      one
        .then(
          (value) => void found.push(value),
          (error: unknown) => {
            failed += 1
            onFailure(error)
          },
        )
        .finally(settled)
    if (left === 0) done()
  })
}
