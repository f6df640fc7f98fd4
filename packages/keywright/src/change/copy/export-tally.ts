/* What an export has written so far: counts, and a digest by pattern. It can be saved
 * and gone on with. */

import { DigestSum, type Hashes } from "./digest.ts"
import type { Closing } from "./lines.ts"

export interface Tallies {
  readonly keys: number
  readonly leftOut: number
  readonly unreadable: number
  readonly patterns: Closing["patterns"]
}

export class ExportTally {
  keys = 0
  leftOut = 0
  unreadable = 0
  readonly #patterns = new Map<string, { keys: number; sum: DigestSum }>()

  constructor(saved?: Tallies) {
    if (saved === undefined) return
    this.keys = saved.keys
    this.leftOut = saved.leftOut
    this.unreadable = saved.unreadable
    for (const [pattern, { keys, digest }] of Object.entries(saved.patterns))
      this.#patterns.set(pattern, { keys, sum: DigestSum.of(digest) })
  }

  add(pattern: string, digest: Hashes | undefined): void {
    this.keys++
    let one = this.#patterns.get(pattern)
    if (one === undefined) this.#patterns.set(pattern, (one = { keys: 0, sum: new DigestSum() }))
    one.keys++
    if (digest !== undefined) one.sum.add(digest)
  }

  result(): Tallies {
    const { keys, leftOut, unreadable } = this
    const patterns = [...this.#patterns].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      keys,
      leftOut,
      unreadable,
      patterns: Object.fromEntries(
        patterns.map(([pattern, one]) => [pattern, { keys: one.keys, digest: one.sum.toString() }]),
      ),
    }
  }
}
