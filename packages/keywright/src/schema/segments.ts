/* What the parameters of a key contribute to it, each checked so that building is reversible,
 * and the checksum of those that decide on a shard.
 *
 * The last value of each parameter is kept with its segment, and with what the checksum was
 * after it: the keys of a tenant are mostly built one after another, so usually
 * only the last parameter differs from the time before. */

import { keyEmptySegment, keyForbiddenCharacter, keyMissingParam, keySegmentTooLong } from "../errors/key.ts"
import { CRC16, crc16 } from "../slots/crc16.ts"
import { text } from "./codec/text.ts"
import { forbidden, type Slot } from "./locate.ts"
import { maxSegment } from "./mask.ts"
import { onlyValue } from "./only-value.ts"

export type Params = Readonly<Record<string, unknown>>

export class Segments {
  readonly #pattern: string
  readonly #slots: readonly Slot[]
  readonly #values: unknown[] = []
  readonly #segments: string[] = []
  /** What was summed up, and the checksum after it. */
  readonly #summed: string[] = []
  readonly #sums: number[] = []

  constructor(pattern: string, slots: readonly Slot[]) {
    this.#pattern = pattern
    this.#slots = slots
  }

  /** The segment for a value that may differ each time. */
  of(slot: Slot, params: Params): string {
    return this.#segmentOf(slot, params[slot.name])
  }

  #segmentOf(slot: Slot, value: unknown): string {
    const segment = this.#textOf(slot, value)
    return checkSegment(this.#pattern, slot, segment, isPlain(segment))
  }

  at(i: number, params: Params): string {
    const slot = this.#slots[i]!
    const value = params[slot.name]
    if (typeof value === "string" && value === this.#values[i]) return this.#segments[i]!
    const segment = this.#segmentOf(slot, value)
    this.#values[i] = value
    return (this.#segments[i] = segment)
  }

  /** The checksum of the segments at these places, joined by colons: each is encoded, checked and summed up in one go. */
  checksumAt(places: readonly number[], params: Params): number {
    let sum = 0
    let isSame = true
    for (let part = 0; part < places.length; part++) {
      const place = places[part]!
      const slot = this.#slots[place]!
      const value = params[slot.name]
      const isKept = isSame && typeof value === "string" && value === this.#values[place]
      if (isKept && this.#summed[part] === this.#segments[place]) {
        sum = this.#sums[part]!
        continue
      }
      isSame = false
      this.#summed[part] = "" // In case the segment is refused.
      const before = part === 0 ? 0 : crc16(":", sum)
      const segment = this.#textOf(slot, value)
      const ofPlain = crcIfPlain(segment, before)
      this.#segments[place] = checkSegment(this.#pattern, slot, segment, ofPlain >= 0)
      this.#values[place] = value
      this.#summed[part] = segment
      sum = this.#sums[part] = ofPlain >= 0 ? ofPlain : crc16(segment, before)
    }
    return sum
  }

  #textOf({ name, codec }: Slot, given: unknown): string {
    const value = given ?? onlyValue(codec)
    if (value === undefined || value === null) throw keyMissingParam(this.#pattern, codec?.shard?.by ?? name)
    return (codec ?? text).encode(value as string)
  }
}

// Most segments contain only these characters: one quick test saves checking the list of forbidden ones.
const plain = new Uint8Array(128)
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@~+-") plain[char.charCodeAt(0)] = 1

function isPlain(segment: string): boolean {
  for (let i = 0; i < segment.length; i++) if (plain[segment.charCodeAt(i)] !== 1) return false
  return true
}

/** The CRC16 of a plain segment after what is before it; -1 for others. Most of the time goes into reading characters: so they are read once for both. */
function crcIfPlain(segment: string, before: number): number {
  let crc = before
  for (let i = 0; i < segment.length; i++) {
    const code = segment.charCodeAt(i)
    if (plain[code] !== 1) return -1
    crc = ((crc << 8) & 0xffff) ^ CRC16[(crc >>> 8) ^ code]!
  }
  return crc
}

function checkSegment(pattern: string, { name, codec, tail }: Slot, segment: string, isKnownPlain: boolean): string {
  if (segment === "") throw keyEmptySegment(pattern, name)
  if (segment.length > maxSegment) throw keySegmentTooLong(pattern, name, segment.length, maxSegment)
  const bad =
    (isKnownPlain ? undefined : forbidden(segment, codec?.allow)) ??
    (tail !== "" && segment.includes(tail[0]!) ? tail[0]! : undefined)
  if (bad !== undefined) throw keyForbiddenCharacter(pattern, name, bad, codec?.secret === true)
  return segment
}
