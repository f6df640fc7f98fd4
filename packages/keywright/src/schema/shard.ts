/* Shards: how a group of keys is spread over the slots of a cluster.
 *
 * The shard of a value is the CRC16 of its text, modulo their number: every language has
 * that. Shard i of n has the tag whose slot is i · 16384 / n, so shards are spread exactly,
 * however many nodes there are; tags that are merely numbered leave some nodes with 0.75
 * and others with 1.3 of their share. Slots move between nodes; shards never move. */

import { shardUnknown } from "../errors/define.ts"
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

/** The codec of {shard}: it follows from another parameter. */
export function shardCodec(shards: number, by: string, of: TextCodec): Codec<string> {
  const own = shardTags(shards)
  const known = new Set(own)
  const rule: ShardRule = Object.freeze({
    by,
    of: JSON.stringify(of.spec),
    tags: Object.freeze(own),
    tagOf: (value: unknown) => own[crc16(of.encode(value as never)) % shards]!,
    tagOfText: (text: string) => own[crc16(text) % shards]!,
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
