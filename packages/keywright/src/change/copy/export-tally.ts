/* What an export has written so far: counts, and a digest by pattern. It can be saved
 * and continued. */

import { isCount, isObject } from "../../schema/codec/json-checks.ts"
import { isExactly } from "../plan/exact-fields.ts"
import { DigestSum, type Hashes } from "./digest.ts"
import type { WrittenKey } from "./key-lines.ts"
import type { Closing } from "./lines.ts"

export type Tallies = Omit<Closing, "end">

/** Whether a file says what `result` returns. */
export const isTallies = (value: unknown): boolean =>
  isExactly(
    value,
    {
      ...{ keys: isCount, leftOut: isCount, unreadable: isCount },
      patterns: (all) =>
        isObject(all) && Object.values(all).every((one) => isExactly(one, { keys: isCount, digest: isDigest })),
    },
    { unreadableReason: (one) => typeof one === "string" },
  )

const isDigest = (one: unknown): boolean => typeof one === "string" && /^[0-9a-f]{16}$/.test(one)

export class ExportTally {
  keys = 0
  leftOut = 0
  unreadable = 0
  unreadableReason: string | undefined
  readonly #patterns = new Map<string, { keys: number; sum: DigestSum }>()

  constructor(saved?: Tallies) {
    if (saved === undefined) return
    this.keys = saved.keys
    this.leftOut = saved.leftOut
    this.unreadable = saved.unreadable
    this.unreadableReason = saved.unreadableReason
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

  /** A key that was written, or why it was not. */
  note(pattern: string, { digest, leftOut, unreadable }: WrittenKey): void {
    this.add(pattern, digest)
    if (leftOut) this.leftOut++
    if (unreadable === undefined) return
    this.unreadable++
    this.unreadableReason ??= unreadable
  }

  result(): Tallies {
    const { keys, leftOut, unreadable, unreadableReason } = this
    const patterns = [...this.#patterns].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      keys,
      leftOut,
      unreadable,
      ...(unreadableReason !== undefined && { unreadableReason }),
      patterns: Object.fromEntries(
        patterns.map(([pattern, one]) => [pattern, { keys: one.keys, digest: one.sum.toString() }]),
      ),
    }
  }
}
