/* Questions that are asked at the same time are answered together: for a file, each
 * answer costs a pass over all of it. */

import type { ProbeAnswer, Probe, KeySource } from "./source.ts"

interface PendingProbes {
  readonly probes: readonly Probe[]
  readonly resolve: (answers: (ProbeAnswer | undefined)[]) => void
  readonly reject: (reason: unknown) => void
}

export function batched(source: KeySource): KeySource["ask"] {
  let queue: PendingProbes[] = []
  const flush = async () => {
    const asked = queue
    queue = []
    try {
      const answers = await source.ask(asked.flatMap(({ probes }) => probes))
      let at = 0
      for (const { probes, resolve } of asked) resolve(answers.slice(at, (at += probes.length)))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
  return (probes) => {
    if (probes.length === 0) return Promise.resolve([])
    return new Promise((resolve, reject) => {
      if (queue.push({ probes, resolve, reject }) === 1) setImmediate(() => void flush())
    })
  }
}
