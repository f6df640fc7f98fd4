/* Where each key of one keyspace is in another: the same entries by name, with other
 * patterns. Only texts are moved from one pattern to the other, since the codecs are the
 * same; what the other pattern has in addition is a parameter with one value. */

import type { Wire } from "../../driver/driver.ts"
import { copyElements, copyOtherSchema } from "../../errors/change.ts"
import { keyShower } from "../../inspect/model/show-key.ts"
import { isText } from "../../inspect/walk/wire.ts"
import { classifier } from "../../schema/classify/classify.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { isCodec } from "../../schema/codecs-in.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { locate, slotsOf } from "../../schema/locate.ts"
import { onlyValue } from "../../schema/only-value.ts"
import { isDecided } from "../../schema/shard.ts"
import { parsePattern } from "../../schema/pattern.ts"
import type { Split } from "./split-key.ts"

/** A key in the other keyspace. */
export interface Relocated {
  readonly key: string
  /** Its entry there. */
  readonly row: Key
}

export interface Relocate {
  (row: Key, key: string): Relocated | undefined
  /** For a key whose elements belong to different shards there. */
  splitOf(row: Key, key: string): Split | undefined
}

/** Makes the function that says where a key of `from` is in `to`. Throws when they are not the same schema. */
export function relocation(from: Keyspace, to: Keyspace): Relocate {
  const splits = new Map(
    from.keys.flatMap((row) => [...splitOf(row, from, to)].map((split) => [row.name, split] as const)),
  )
  const moves = new Map(from.keys.map((row) => [row.name, splits.has(row.name) ? undefined : moveOf(row, to)]))
  const relocate = (row: Key, key: string) => moves.get(row.name)?.(key)
  return Object.assign(relocate, { splitOf: (row: Key, key: string) => splits.get(row.name)?.(key) })
}

/** From where a key of `to` came, for one that is in `from` by the same entry; a shard's part, from the whole. */
export function origin(to: Keyspace, from: Keyspace): (row: Key, key: string) => Relocated | undefined {
  const whole = new Map(from.keys.filter((row) => isDealtOut(row, to)).map((row) => [row.name, row]))
  const moved = new Map(to.keys.filter(({ name }) => !whole.has(name)).map((row) => [row.name, moveOf(row, from)]))
  return (row, key) => {
    const source = whole.get(row.name)
    if (source === undefined) return moved.get(row.name)!(key)
    const texts = isLeft(source, row) ? undefined : locate(key, ...slotsOf(row.pattern, row.params))
    return texts && { key: keyOf(source, texts), row: source }
  }
}

type ShardRule = NonNullable<AnyCodec["shard"]>
const ruleOf = (row: Key | undefined): ShardRule | undefined => row?.params["shard"]?.shard

/** An entry that has one key here, and one in each shard there. */
function isDealtOut(row: Key, to: Keyspace): boolean {
  const rule = ruleOf(to.keys.find(({ name }) => name === row.name))
  return rule !== undefined && !isDecided(rule, row.params) && !Object.hasOwn(row.params, "shard")
}

/** What each element has to be for its shard to be known: the parameter of this name, in addition to those of the key. */
function elementParam(row: Key, rule: ShardRule): string | undefined {
  const element = (row.shape["member"] ?? row.shape["field"]) as AnyCodec | undefined
  if (element === undefined) return undefined
  if (JSON.stringify(element.spec) === rule.of) return rule.by
  return element.id !== undefined && isDecided(rule, { ...row.params, [element.id]: true }) ? element.id : undefined
}

/** What can be rebuilt, and does not say where it belongs, is left out. */
const isLeft = (row: Key, other: Key): boolean =>
  row.evictable === true && elementParam(row, ruleOf(other)!) === undefined

/** How the elements of such a key are dealt out, by what they are. */
function* splitOf(row: Key, from: Keyspace, to: Keyspace): Generator<(key: string) => Split | undefined> {
  if (!isDealtOut(row, to)) return
  const other = to.keys.find(({ name }) => name === row.name)!
  const rule = ruleOf(other)!
  const param = elementParam(row, rule)
  const slots = slotsOf(row.pattern, row.params)
  if (isLeft(row, other)) return yield () => undefined
  const show = keyShower(row, from.keys)
  yield (key) => {
    const texts = locate(key, ...slots) ?? {}
    return {
      tags: rule.tags,
      row: other,
      shown: show(key),
      keyOf: (tag) => keyOf(other, { ...texts, shard: tag }),
      tagOf(text) {
        const tag = param === undefined ? undefined : rule.tagOfTexts({ ...texts, [param]: text })
        if (tag === undefined)
          throw copyElements(row.name, show(key), `its elements do not say which ${rule.by} they are of`)
        return tag
      },
    }
  }
}

/** The one key of an entry, except for these parameters. */
const keyOf = ({ pattern, params }: Key, texts: Readonly<Record<string, string>>): string =>
  parsePattern(pattern)
    .map((part) => (typeof part === "string" ? part : (texts[part.param] ?? String(onlyValue(params[part.param])))))
    .join("")

/** Makes the function that finds the entry of a key in one database. */
export function rowFinder(keys: readonly Key[]): (key: Wire) => Key | undefined {
  if (keys.length === 0) return () => undefined
  const { classify } = classifier(keys)
  return (key) => (isText(key) ? keys[classify(key)] : undefined)
}

function moveOf(row: Key, to: Keyspace): (key: string) => Relocated | undefined {
  const other = to.keys.find(({ name }) => name === row.name)
  if (other === undefined) throw copyOtherSchema(row.name, "the other schema does not have it")
  if (other.kind !== row.kind || specs(other.shape) !== specs(row.shape))
    throw copyOtherSchema(row.name, "it holds something else in the other schema")
  if (other.pattern === row.pattern && specs(other.params) === specs(row.params)) return (key) => ({ key, row: other })
  const rule = other.params["shard"]?.shard
  const before = row.params["shard"]?.shard
  if (before !== undefined && before.tags.length !== rule?.tags.length && !isDecided(before, row.params))
    throw copyOtherSchema(row.name, `it is in ${before.tags.length} shards, and can only be copied to as many`)
  const own = Object.fromEntries(Object.keys(other.params).map((param) => [param, fixedText(row, other, param)]))
  for (const param in row.params)
    if (!Object.hasOwn(other.params, param) && onlyValue(row.params[param]) === undefined && !isComputed(row, param))
      throw copyOtherSchema(row.name, `{${param}} of ${row.pattern} has no place in ${other.pattern}`)
  const [head, slots] = slotsOf(row.pattern, row.params)
  const parts = parsePattern(other.pattern)
  return (key) => {
    const texts = locate(key, head, slots)
    if (texts === undefined) return undefined
    const textOf = (param: string): string =>
      (param === "shard" ? rule?.tagOfTexts(texts) : undefined) ?? own[param] ?? texts[param]!
    const spelled = parts.map((part) => (typeof part === "string" ? part : textOf(part.param)))
    return { key: spelled.join(""), row: other }
  }
}

/** A shard that follows from parameters of the same key. */
const isComputed = ({ params }: Key, param: string): boolean => {
  const rule = params[param]?.shard
  return rule !== undefined && isDecided(rule, params)
}

/** The text of a parameter that only the other pattern has, or that has one value there. */
function fixedText(row: Key, other: Key, param: string): string | undefined {
  if (other.params[param]?.shard !== undefined) return undefined
  const value = onlyValue(other.params[param])
  if (value !== undefined) return String(value)
  if (!Object.hasOwn(row.params, param))
    throw copyOtherSchema(row.name, `{${param}} of ${other.pattern} is not known: give it one value`)
  if (specs({ is: other.params[param]! }) !== specs({ is: row.params[param]! }))
    throw copyOtherSchema(row.name, `{${param}} is spelled in another way in the other schema`)
  return undefined
}

type CodecTree = { readonly [name: string]: unknown }

/** What the codecs of an entry are, as text. */
const specs = (tree: CodecTree): string =>
  JSON.stringify(Object.entries(tree).map(([name, part]) => [name, specOf(part)]))

const specOf = (part: unknown): unknown => (isCodec(part) ? part.spec : specs(part as CodecTree))
