export interface Patience<T> {
  /** How long the others are waited for once enough have answered. */
  readonly othersMs: number
  /** Enough is the majority of those that have not failed: it is waited for this long after the first. Otherwise one is enough. */
  readonly majorityMs?: number
  /** What the majority has to have in common: of two that say different things, one may lie, and others know better. */
  readonly gist?: (answer: T) => string
}

/** The answers that come in time; what fails goes to `onFailure`. */
export function gather<T>(
  asked: readonly Promise<T>[],
  { othersMs, majorityMs, gist = () => "" }: Patience<T>,
  onFailure: (error: unknown) => void,
): Promise<T[]> {
  return new Promise((resolve) => {
    const found: T[] = []
    const gists = new Map<string, number>()
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
      const isEnough = majorityMs === undefined || 2 * Math.max(...gists.values()) > asked.length - failed
      if (isEnough) late ??= setTimeout(done, othersMs)
    }
    for (const one of asked)
      one
        .then(
          (value) => {
            found.push(value)
            gists.set(gist(value), (gists.get(gist(value)) ?? 0) + 1)
          },
          (error: unknown) => {
            failed += 1
            onFailure(error)
          },
        )
        .finally(settled)
    if (left === 0) done()
  })
}
