/* The values that were used last, up to a weight: in two generations, so that using one
 * costs next to nothing. What the older generation still has when the younger one is full
 * is forgotten. */

import type { SnapshotKey } from "./snapshot-key.ts"

/** By `Entry.weight`. */
const MOST = 32 * 1024 * 1024

export class Recent {
  #young = new Map<number, SnapshotKey>()
  #old = new Map<number, SnapshotKey>()
  #weight = 0
  /** Half of what is kept; the largest value, if that is more. */
  #most = MOST / 2

  get(id: number): SnapshotKey | undefined {
    const entry = this.#young.get(id)
    if (entry !== undefined) return entry
    const older = this.#old.get(id)
    if (older !== undefined) this.add(id, older)
    return older
  }

  add(id: number, entry: SnapshotKey): void {
    this.#most = Math.max(this.#most, entry.weight)
    if (this.#weight + entry.weight > this.#most) {
      this.#old = this.#young
      this.#young = new Map()
      this.#weight = 0
    }
    this.#weight += entry.weight
    this.#young.set(id, entry)
  }
}
