/* Shards: how a group of keys is spread over the slots of a cluster.
 *
 * The shard of a value is the CRC16 of its text, modulo their number: every language has
 * that. Shard i of n has the tag whose slot is i · 16384 / n, so shards are spread exactly,
 * however many nodes there are; tags that are merely numbered leave some nodes with 0.75
 * and others with 1.3 of their share. Slots move between nodes; shards never move. */

import { checksumRefused, shardUnknown } from "../errors/define.ts"
import { crc16, SLOTS } from "../slots/crc16.ts"
import { codec, type Codec, type ShardRule, type TextCodec } from "./codec/codec.ts"

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

/** For each slot the first text of up to four letters and digits in it. Made when it is needed, in milliseconds. */
let tags: string[] | undefined

function slotTags(): readonly string[] {
  if (tags !== undefined) return tags
  const found: string[] = Array.from({ length: SLOTS }, () => "")
  let left = SLOTS
  let texts = [""]
  while (left > 0) {
    const longer: string[] = []
    for (const text of texts)
      for (const digit of DIGITS) {
        const next = text + digit
        const slot = crc16(next) % SLOTS
        if (found[slot] === "") {
          found[slot] = next
          left--
        }
        longer.push(next)
      }
    texts = longer
  }
  return (tags = found)
}

/** The tags of n shards, in order. */
export const shardTags = (shards: number): readonly string[] => {
  const all = slotTags()
  return Array.from({ length: shards }, (_, i) => all[Math.floor((i * SLOTS) / shards)]!)
}

/** The number of the shard that a text belongs to. */
export const shardOf = (text: string, shards: number): number => crc16(text) % shards

/** What decides on a shard: one parameter, or a checksum of several. */
export interface ShardBy {
  readonly by: string
  /** The parameter is the checksum of these. */
  readonly checksumOf?: readonly string[] | undefined
  /** Values of these parameters begin with the checksum. */
  readonly startOf?: readonly string[] | undefined
}

const CHECKSUM_LENGTH = 4
const HEX = new Int8Array(128).fill(-1)
for (let digit = 0; digit < 16; digit++) HEX[digit.toString(16).charCodeAt(0)] = digit

/** The number that a text begins with as four hexadecimal digits; negative where it does not. */
function leadingChecksum(text: string): number {
  if (text.length < CHECKSUM_LENGTH) return -1
  const a = text.charCodeAt(0)
  const b = text.charCodeAt(1)
  const c = text.charCodeAt(2)
  const d = text.charCodeAt(3)
  if ((a | b | c | d) >= HEX.length) return -1
  return (HEX[a]! << 12) | (HEX[b]! << 8) | (HEX[c]! << 4) | HEX[d]! // -1 is all ones
}

/**
 * The CRC16 of values as four hexadecimal digits: what decides on the shard where a group is sharded by several
 * parameters.
 * @example
 * console.log(checksum("456", "789", "u1")) // → 0a9e
 */
export const checksum = (...values: readonly string[]): string =>
  crc16(values.join(":")).toString(16).padStart(CHECKSUM_LENGTH, "0")

/** Whether a value is a checksum as text, and this one. */
export const isChecksum = (value: unknown, sum: number): boolean =>
  typeof value === "string" && value.length === CHECKSUM_LENGTH && leadingChecksum(value) === sum

/** The checksum that a value begins with; of a value that begins with something else, its own. */
export function startingChecksum(text: string): number {
  const number = leadingChecksum(text)
  return number < 0 ? crc16(text) : number
}

/** Whether a key with these parameters is in one shard: others exist once in each. */
export const isDecided = ({ sources }: Pick<ShardRule, "sources">, params: object): boolean =>
  sources.some((source) => source.every((name) => Object.hasOwn(params, name)))

/** The codec of {shard}: it follows from other parameters. */
export function shardCodec(shards: number, decided: ShardBy, of: TextCodec): Codec<string> {
  const own = shardTags(shards)
  const known = new Set(own)
  const { by } = decided
  const rule = Object.freeze<ShardRule>({
    by,
    tags: Object.freeze(own),
    ...(decided.checksumOf === undefined ? ofOne(by, of, own) : ofSeveral(decided, decided.checksumOf, own)),
  })
  const checked = (text: string): string => {
    if (!known.has(text)) throw shardUnknown(text, shards)
    return text
  }
  return codec({
    name: `a shard of ${shards}, by ${by}`,
    spec: { codec: "oneOf", values: own },
    example: own[0]!,
    encode: checked,
    decode: checked,
    shard: rule,
  })
}

type Decision = Omit<ShardRule, "by" | "tags">

const ofOne = (by: string, of: TextCodec, tags: readonly string[]): Decision => ({
  of: JSON.stringify(of.spec),
  sources: [[by]],
  tagOf: (value) => tags[crc16(of.encode(value as never)) % tags.length]!,
  tagOfTexts: (texts) => (texts[by] === undefined ? undefined : tags[crc16(texts[by]) % tags.length]!),
})

function ofSeveral({ by, startOf: starts = [] }: ShardBy, parts: readonly string[], tags: readonly string[]): Decision {
  const sources = [parts, ...starts.map((one) => [one])]
  return {
    of: JSON.stringify([parts, starts]),
    sources,
    tagOf(value) {
      const number = typeof value === "string" && value.length === CHECKSUM_LENGTH ? leadingChecksum(value) : -1
      if (number < 0) throw checksumRefused(by, value)
      return tags[number % tags.length]!
    },
    tagOfTexts(texts) {
      const source = sources.findIndex((names) => names.every((name) => texts[name] !== undefined))
      if (source < 0) return undefined
      const joined = sources[source]!.map((name) => texts[name]).join(":")
      return tags[(source === 0 ? crc16(joined) : startingChecksum(joined)) % tags.length]
    },
  }
}
