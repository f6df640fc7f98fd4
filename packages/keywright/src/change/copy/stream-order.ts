/* The order of a stream, over all parts of it: a server takes entries in ascending order only, and an end that does not
 * contradict them. What it would refuse in the middle of a key is found before anything is written. */

import { wireOf } from "../plan/word.ts"
import type { ValuePart } from "./key-value.ts"
import type { StreamEnd } from "./lines.ts"

const LARGEST = String(2n ** 64n - 1n)
const NUMBER = /^(?:0|[1-9]\d{0,19})$/

/** Without leading zeros, numbers are in the order of their lengths, then of their digits. */
const isBelow = (one: string, other: string): boolean =>
  one.length === other.length ? one < other : one.length < other.length

/** Whether a text is an id as a server spells it. */
export function isStreamId(value: unknown): value is string {
  if (typeof value !== "string") return false
  const parts = value.split("-")
  return parts.length === 2 && parts.every((one) => NUMBER.test(one) && !isBelow(LARGEST, one))
}

function isBefore(one: string, other: string): boolean {
  const [ms = "", sequence = ""] = one.split("-")
  const [otherMs = "", otherSequence = ""] = other.split("-")
  return ms === otherMs ? isBelow(sequence, otherSequence) : isBelow(ms, otherMs)
}

export class StreamOrder {
  #last = "0-0"
  #entries = 0
  #isEnded = false

  /** What a server would refuse of the next part, whose ids are ids; undefined when that is nothing. */
  fault({ type, elements, end }: ValuePart): string | undefined {
    if (type !== "stream") return undefined
    for (const entry of elements) {
      const [id] = entry as readonly [string]
      if (this.#isEnded) return "its stream has entries after its end"
      if (!isBefore(this.#last, id)) return `its stream has the entry ${id} after ${this.#last}`
      this.#last = id
      this.#entries++
    }
    if (end === undefined) return undefined
    this.#isEnded = true
    return this.#faultOfEnd(end)
  }

  #faultOfEnd({ lastId, added, maxDeletedId, groups }: StreamEnd): string | undefined {
    if (isBefore(lastId, this.#last))
      return `the last id of its stream is ${lastId}, and it has the entry ${this.#last}`
    // It is only written together with the number.
    if (added !== undefined && maxDeletedId !== undefined && isBefore(lastId, maxDeletedId))
      return `the last id of its stream is ${lastId}, and ${maxDeletedId} was deleted`
    if (added !== undefined && added < this.#entries)
      return `the number of entries that were added to its stream is ${added}, and it has ${this.#entries}`
    const names = new Set(groups.map(({ name }) => Buffer.from(wireOf(name)).toString("latin1")))
    return names.size < groups.length ? "its stream has a group twice" : undefined
  }
}
