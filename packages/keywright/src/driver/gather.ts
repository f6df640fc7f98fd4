/** The answers that come within `othersMs` of the first one; what fails goes to `onFailure`. */
export function gather<T>(
  asked: readonly Promise<T>[],
  othersMs: number,
  onFailure: (error: unknown) => void,
): Promise<T[]> {
  return new Promise((resolve) => {
    const found: T[] = []
    let left = asked.length
    let late: NodeJS.Timeout | undefined
    const done = () => {
      clearTimeout(late)
      resolve([...found])
    }
    for (const one of asked)
      one
        .then((value) => {
          found.push(value)
          late ??= setTimeout(done, othersMs)
        }, onFailure)
        .finally(() => {
          if (--left === 0) done()
        })
    if (left === 0) done()
  })
}
