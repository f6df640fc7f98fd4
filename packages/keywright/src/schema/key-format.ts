/* A pattern made ready to use: parameters → key, key → parameters, and the glob
 * that MATCH takes.
 *
 * The rule that makes building reversible, and prevents a user's id from forging another
 * key: a segment is never empty, and never contains the character that follows it in the
 * pattern, nor separators, braces, globs, white space or control characters, unless its
 * codec allows them. */

import {
  keyEmptySegment,
  keyForbiddenCharacter,
  keyMissingParam,
  keyOtherShard,
  keySegmentTooLong,
  keyUnknownParam,
} from "../errors/key.ts"
import type { ShardRule } from "./codec/codec.ts"
import { text } from "./codec/text.ts"
import { CRC16, crc16 } from "../slots/crc16.ts"
import { forbidden, locate, parseKey, slotsOf, type ParamCodecsOf, type Slot } from "./locate.ts"
import { maxSegment } from "./mask.ts"
import { onlyValue } from "./only-value.ts"

/**
 * What `keyFormat` makes.
 * @example
 * const viewed: KeyFormat = keyFormat("viewed:{token}")
 * console.log(viewed.parse("viewed:EB93")) // → { token: 'EB93' }
 */
export interface KeyFormat {
  readonly pattern: string
  /** Parameters → key. Throws a SchemaError that names the parameter. `loose`: other names are allowed. */
  build(params: Readonly<Record<string, unknown>>, loose?: boolean): string
  /** Key → the texts of its parameters, not decoded; undefined when the key is not of this pattern. */
  locate(key: string): Record<string, string> | undefined
  /** Key → decoded parameters; undefined also when a codec refuses one. */
  parse(key: string): Record<string, unknown> | undefined
  /** For MATCH: known parameters escaped, the others `*`. */
  glob(known?: Readonly<Record<string, unknown>>): string
}

/**
 * Builds the keys of one pattern and takes them apart: what handles use inside, for programs that need only that.
 * @example
 * console.log(keyFormat("viewed:{token}").build({ token: "EB93" })) // → viewed:EB93
 */
export function keyFormat(pattern: string, codecs: ParamCodecsOf = {}, by?: string): KeyFormat {
  const [head, slots] = slotsOf(pattern, codecs)
  // What decides on the shard may be given for a key that does not contain it.
  const names = new Set([...slots.map((slot) => slot.name), ...(by === undefined ? [] : [by])])
  const textsOf = (params: Readonly<Record<string, unknown>>): Record<string, string> => {
    const texts: Record<string, string> = {}
    for (const { name, codec } of slots)
      if (codec?.shard === undefined && params[name] !== undefined)
        texts[name] = (codec ?? text).encode(params[name] as never)
    return texts
  }
  const segmentOf = (slot: Slot, params: Readonly<Record<string, unknown>>): string => {
    const rule = slot.codec?.shard
    if (rule !== undefined && params[rule.by] !== undefined) return rule.tagOf(params[rule.by])
    const own = rule === undefined || isByOne(rule) ? undefined : rule.tagOfTexts(textsOf(params))
    if (own !== undefined) return own
    const segment = textOf(slot, params)
    return checkSegment(pattern, slot, segment, isPlain(segment))
  }
  const textOf = (slot: Slot, params: Readonly<Record<string, unknown>>): string => {
    const value = params[slot.name] ?? onlyValue(slot.codec)
    if (value === undefined || value === null) throw keyMissingParam(pattern, slot.codec?.shard?.by ?? slot.name)
    return (slot.codec ?? text).encode(value as string)
  }
  // The last value of each parameter and its segment: a tenant's keys are mostly built one after another.
  const lastValues: unknown[] = []
  const lastSegments: string[] = []
  const rules = slots.map(({ codec }) => codec?.shard)
  const segmentAt = (i: number, params: Readonly<Record<string, unknown>>): string => {
    const rule = rules[i]
    if (rule !== undefined) return shardAt(i, rule, params)
    const value = params[slots[i]!.name]
    if (typeof value === "string" && value === lastValues[i]) return lastSegments[i]!
    const segment = segmentOf(slots[i]!, params)
    lastValues[i] = value
    return (lastSegments[i] = segment)
  }
  // Where the parameters that decide are in the key too, they are encoded once for both.
  const sourceAt = rules.map((rule) => (rule === undefined || isByOne(rule) ? undefined : sourceIn(rule, slots)))
  const lastNamed: unknown[] = []
  /** Of a group that is sharded by several parameters: a shard that is named has to be that of the key's own. */
  const ownShardAt = (
    i: number,
    rule: ShardRule,
    { source, places }: SourceIn,
    params: Readonly<Record<string, unknown>>,
  ): string => {
    let joined = segmentAt(places[0]!, params)
    for (let part = 1; part < places.length; part++) joined += ":" + segmentAt(places[part]!, params)
    const named = params[rule.by] ?? params["shard"]
    if (joined === lastValues[i] && named === lastNamed[i]) return lastSegments[i]!
    const tag = rule.tagOfSource(source, joined)
    const given = params[rule.by] === undefined ? (params["shard"] ?? tag) : rule.tagOf(params[rule.by])
    if (given !== tag) throw keyOtherShard(pattern, rule.by)
    lastValues[i] = joined
    lastNamed[i] = named
    return (lastSegments[i] = tag)
  }
  const deciding = rules.map((rule) => slots.findIndex(({ name }) => name === rule?.by))
  const shardAt = (i: number, rule: ShardRule, params: Readonly<Record<string, unknown>>): string => {
    const source = sourceAt[i]
    if (source !== undefined) return ownShardAt(i, rule, source, params)
    const place = deciding[i]!
    if (place < 0 || params[rule.by] === undefined) return segmentOf(slots[i]!, params)
    const text = segmentAt(place, params)
    if (text === lastValues[i]) return lastSegments[i]!
    lastValues[i] = text
    return (lastSegments[i] = rule.tagOfText(text))
  }
  // Where a shard by one parameter comes first, as it mostly does: all that a key can begin with.
  const starts =
    rules[0] !== undefined && isByOne(rules[0]) && deciding[0]! >= 0 ? startsOf(head, slots[0]!) : undefined
  /** Checks the parameter that decides and computes its shard in one go. */
  let lastStart = ""
  const startAt = (place: number, params: Readonly<Record<string, unknown>>): string => {
    const slot = slots[place]!
    const value = params[slot.name]
    if (typeof value === "string" && value === lastValues[place]) return lastStart
    const segment = textOf(slot, params)
    const crc = crcIfPlain(segment)
    lastSegments[place] = checkSegment(pattern, slot, segment, crc >= 0)
    lastValues[place] = value
    return (lastStart = starts![(crc >= 0 ? crc : crc16(segment)) % starts!.length]!)
  }
  return Object.freeze<KeyFormat>({
    pattern,
    build(params, loose) {
      const isStarted = starts !== undefined && params[rules[0]!.by] !== undefined
      const place = isStarted ? deciding[0]! : -1
      let key = isStarted ? startAt(place, params) : head
      for (let i = isStarted ? 1 : 0; i < slots.length; i++)
        key += (i === place ? lastSegments[i]! : segmentAt(i, params)) + slots[i]!.tail
      if (loose !== true) for (const name in params) if (!names.has(name)) throw keyUnknownParam(pattern, name)
      return key
    },
    locate: (key) => locate(key, head, slots),
    parse: (key) => parseKey(key, head, slots),
    glob: (known = {}) =>
      slots.reduce(
        (glob, slot) =>
          glob +
          (known[slot.name] === undefined &&
          known[slot.codec?.shard?.by ?? slot.name] === undefined &&
          (slot.codec?.shard === undefined || slot.codec.shard.tagOfTexts(textsOf(known)) === undefined) &&
          onlyValue(slot.codec) === undefined
            ? "*"
            : escapeGlob(segmentOf(slot, known))) +
          escapeGlob(slot.tail),
        escapeGlob(head),
      ),
  })
}

const startsOf = (head: string, { codec, tail }: Slot): readonly string[] =>
  codec!.shard!.tags.map((tag) => head + tag + tail)

const isByOne = ({ by, sources }: ShardRule): boolean => sources.length === 1 && sources[0]![0] === by

interface SourceIn {
  /** Which of the rule's, and where its parameters are in the key. */
  readonly source: number
  readonly places: readonly number[]
}

/** The parameters of a key that decide; undefined where it does not have them. */
function sourceIn({ sources }: ShardRule, slots: readonly Slot[]): SourceIn | undefined {
  const placeOf = (param: string) => slots.findIndex(({ name }) => name === param)
  const source = sources.findIndex((params) => params.every((param) => placeOf(param) >= 0))
  return source < 0 ? undefined : { source, places: sources[source]!.map(placeOf) }
}

// Most segments contain only these characters: one quick test saves checking the list of forbidden ones.
const plain = new Uint8Array(128)
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@~+-") plain[char.charCodeAt(0)] = 1

function isPlain(segment: string): boolean {
  for (let i = 0; i < segment.length; i++) if (plain[segment.charCodeAt(i)] !== 1) return false
  return true
}

/** The CRC16 of a plain segment; -1 for others. Most of the time goes into reading characters: so they are read once for both. */
function crcIfPlain(segment: string): number {
  let crc = 0
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

/** Makes any text match only itself in a Redis glob. */
export const escapeGlob = (literal: string): string => literal.replace(/[*?[\]\\^]/g, "\\$&")
