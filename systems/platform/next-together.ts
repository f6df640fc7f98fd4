import { setTimeout as sleep } from "node:timers/promises"

/**
 * Work that anybody may ask for, done once for all who asked before it began: those who ask while it is under way get the
 * next one together, so no answer is older than its question, and a flood of questions costs little. Work that keeps the
 * process busy begins at most once in `everyMs`, or every question would get an answer of its own.
 */
export function nextTogether<T>(work: () => Promise<T>, everyMs = 0): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  let begun = -Infinity
  return () => {
    if (next !== undefined) return next
    const begin = async () => {
      const early = begun + everyMs - performance.now()
      if (early > 0) await sleep(early)
      begun = performance.now()
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
