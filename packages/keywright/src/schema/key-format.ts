/* A pattern made ready to use: parameters → key, key → parameters, and the glob
 * that MATCH takes.
 *
 * The rule that makes building reversible, and prevents a user's id from forging another
 * key: a segment is never empty, and never contains the character that follows it in the
 * pattern, nor separators, braces, globs, white space or control characters, unless its
 * codec allows them. */

import { keyOtherShard, keyUnknownParam } from "../errors/key.ts"
import type { ShardRule } from "./codec/codec.ts"
import { text } from "./codec/text.ts"
import { locate, parseKey, slotsOf, type ParamCodecsOf, type Slot } from "./locate.ts"
import { onlyValue } from "./only-value.ts"
import { type Params, Segments } from "./segments.ts"
import { isChecksum, startingChecksum } from "./shard.ts"

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
  const segments = new Segments(pattern, slots)
  const textsOf = (params: Params): Record<string, string> => {
    const texts: Record<string, string> = {}
    for (const { name, codec } of slots)
      if (codec?.shard === undefined && params[name] !== undefined)
        texts[name] = (codec ?? text).encode(params[name] as never)
    return texts
  }

  const shardSlot = slots.findIndex(({ codec }) => codec?.shard !== undefined)
  const rule = slots[shardSlot]?.codec?.shard
  const deciding = rule && decidingIn(rule, slots)
  const isBySeveral = rule !== undefined && !isByOne(rule)
  const start = (tag: string) => (shardSlot === 0 ? head : "") + tag + slots[shardSlot]!.tail
  /** All that a key can begin with, where its shard comes first, as it mostly does. */
  const starts = rule?.tags.map(start) ?? []
  const startOf = (params: Params): string => {
    if (deciding === undefined) return start(segmentOf(slots[shardSlot]!, params))
    const { rule, places, isStart } = deciding
    const sum = isStart ? startingChecksum(segments.at(places[0]!, params)) : segments.checksumAt(places, params)
    const shard = sum % starts.length
    if (isBySeveral && !isChecksum(params[rule.by], sum)) checkNamed(rule, rule.tags[shard]!, params)
    const bound = params["shard"]
    if (bound !== undefined && bound !== rule.tags[shard]) throw otherThanBound()
    return starts[shard]!
  }
  // A group that is bound to a shard is not left: its keys are in the shard that their own parameters say.
  const otherThanBound = () => keyOtherShard(pattern, "the one that is bound")
  const checkNamed = ({ by, tagOf }: ShardRule, tag: string, params: Params): void => {
    if (params[by] !== undefined && tagOf(params[by]) !== tag) throw keyOtherShard(pattern, `{${by}}`)
  }
  const segmentOf = (slot: Slot, params: Params): string => {
    const rule = slot.codec?.shard
    if (rule === undefined) return segments.of(slot, params)
    const own = deciding && rule.tagOfTexts(textsOf(params))
    if (own !== undefined) checkNamed(rule, own, params)
    const tag = own ?? (params[rule.by] === undefined ? undefined : rule.tagOf(params[rule.by]))
    if (tag === undefined) return segments.of(slot, params)
    if (params["shard"] !== undefined && params["shard"] !== tag) throw otherThanBound()
    return tag
  }
  return Object.freeze<KeyFormat>({
    pattern,
    build(params, loose) {
      let key = shardSlot === 0 ? "" : head
      for (let i = 0; i < slots.length; i++)
        key += i === shardSlot ? startOf(params) : segments.at(i, params) + slots[i]!.tail
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

const isByOne = ({ by, sources }: ShardRule): boolean => sources.length === 1 && sources[0]![0] === by

interface Deciding {
  readonly rule: ShardRule
  /** Where the parameters are in the key. */
  readonly places: readonly number[]
  /** Its values begin with the checksum. */
  readonly isStart: boolean
}

/** The parameters of a key that decide on its shard; undefined where it does not have them. */
function decidingIn(rule: ShardRule, slots: readonly Slot[]): Deciding | undefined {
  const { sources } = rule
  const placeOf = (param: string) => slots.findIndex(({ name }) => name === param)
  const source = sources.findIndex((params) => params.every((param) => placeOf(param) >= 0))
  return source < 0 ? undefined : { rule, places: sources[source]!.map(placeOf), isStart: source > 0 }
}

/** Makes any text match only itself in a Redis glob. */
export const escapeGlob = (literal: string): string => literal.replace(/[*?[\]\\^]/g, "\\$&")
