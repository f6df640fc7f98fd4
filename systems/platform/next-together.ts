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

/** The same for work on each of several names: those who ask for one of them share it. */
export function nextTogetherOf<T>(work: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const busy = new Map<string, { readonly ask: () => Promise<T>; asking: number }>()
  return async (name) => {
    const own = busy.get(name) ?? { ask: nextTogether(() => work(name)), asking: 0 }
    busy.set(name, own)
    own.asking += 1
    try {
      return await own.ask()
    } finally {
      if ((own.asking -= 1) === 0) busy.delete(name)
    }
  }
}
