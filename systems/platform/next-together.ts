/**
 * Work that anybody may ask for, done once for all who asked before it began: those who ask while it is under way get the
 * next one together, so no answer is older than its question, and a flood of questions costs little.
 */
export function nextTogether<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    if (next !== undefined) return next
    const begin = () => {
      next = undefined
      return work()
    }
    next = running.then(begin, begin)
    running = next
    return next
  }
}
