/* Whether a reader got what a writer meant: numbers of all types alike, columns by place, only the
 * fields that the reader's schema knows. */

import type { AnyCodec } from "../../../schema/codec/codec.ts"
import type { Key } from "../../../schema/key.ts"
import type { Item, Program, Stage } from "./program.cases.ts"

/** Elements that were there and that this reader counts on: they may only be lost to its own cap. */
export function isKept(before: unknown, after: unknown, { keep = Infinity, kind }: Key): boolean {
  if (kind !== "list" && kind !== "zset" && kind !== "map") return true
  // A member that was there is kept, whatever its score is now.
  const names = (value: unknown) => elements(value).map((one) => (kind === "list" ? one : (one as unknown[])[0]))
  const [was, is] = [names(before), new Set(names(after).map(spell))]
  const room = Math.max(0, keep - (is.size - was.filter((one) => is.has(spell(one))).length))
  return was.filter((one) => is.has(spell(one))).length >= Math.min(was.length, room)
}

const elements = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value instanceof Map ? [...value] : isRecord(value) ? Object.entries(value) : []

/** Whether a reader got what was meant. Text and bytes mean whatever is stored. */
export function same(
  got: unknown,
  { content, raw }: Item,
  reader: Program,
  writer: Program,
  { renamed, old }: Stage,
): boolean {
  if (got === undefined) return false
  const [there, from] = [reader.key, writer.key]
  const meant = reader === writer ? content : translated(content, reader === old ? renamed : swapped(renamed))
  const cap = Math.min(there.keep ?? Infinity, from.keep ?? Infinity)
  if (there.kind !== from.kind)
    return comparable(there, from) && spell(known(got, there)) === spell(known(meant, there))
  if (["list", "set", "zset", "map"].includes(there.kind)) {
    const [has, sent] = [elements(got).map((one) => known(one, there)), elements(meant).map((one) => known(one, there))]
    const isPlain = there.kind === "list" || there.kind === "set"
    const isIn = (all: readonly unknown[]) => (one: unknown) => all.some((other) => spell(one) === spell(other))
    if (isPlain && (isRaw(there) || isRaw(from))) return has.length >= Math.min(sent.length, cap)
    return cap < Infinity
      ? has.length >= Math.min(sent.length, cap) && has.slice(-cap).every(isIn(sent))
      : sent.every(isIn(has))
  }
  if (there.kind === "string" && (isRaw(there) || isRaw(from)) && !isPacked(from) && !isPacked(there))
    return !isRaw(there) || bytesOf(got).equals(bytesOf(raw ?? mainCodec(from)!.encode(meant)))
  const [one, other] = [known(got, there), known(meant, there)]
  return spell(one) === spell(other) || spell(one) === spell(withDefaults(one, other)) || byPlace(one, other)
}

const bytesOf = (value: unknown): Buffer => Buffer.from(value as string)

const comparable = (one: Key, other: Key): boolean =>
  [one, other].every(({ kind }) => kind === "string" || kind === "counter") ||
  [one, other].every(({ kind }) => kind === "hash" || kind === "map")

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Only the fields that the reader's schema knows: of others it says nothing. */
function known(value: unknown, { kind, shape }: Key): unknown {
  const plain = value instanceof Map ? Object.fromEntries(value) : value
  if (!isRecord(plain)) return value
  const { fields, value: codec } = shape as { fields?: object; value?: AnyCodec }
  const schema = codec?.spec?.codec === "json" ? (codec.spec.schema as { properties?: object } | undefined) : undefined
  const names = kind === "map" ? undefined : (fields ?? schema?.properties)
  return names === undefined ? plain : Object.fromEntries(Object.entries(plain).filter(([name]) => name in names))
}

/** A field that was absent may have been filled in by the reader. */
const withDefaults = (got: unknown, meant: unknown): unknown =>
  isRecord(got) && isRecord(meant) ? { ...got, ...meant } : meant

/** Columns of other names are the same by their place. */
const byPlace = (one: unknown, other: unknown): boolean =>
  isRecord(one) &&
  isRecord(other) &&
  Object.keys(one).every((name) => !(name in other)) &&
  Object.keys(one).length === Object.keys(other).length &&
  Object.keys(one).length > 0 &&
  spell(Object.values(one)) === spell(Object.values(other))

const swapped = (names: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]))

/** The content with the reader's own names: `names` are those of the reader, with the writer's. */
const translated = (content: unknown, names: Readonly<Record<string, string>>): unknown =>
  isRecord(content)
    ? Object.fromEntries(
        Object.entries(content).map(([name, one]) => [
          Object.keys(names).find((own) => names[own] === name) ?? name,
          one,
        ]),
      )
    : content

const baseOf = (spec: { codec: string; of?: never }): string =>
  ["secret", "optional", "id", "trimmed"].includes(spec.codec) ? baseOf(spec.of as never) : spec.codec

const mainCodec = ({ shape }: Key): AnyCodec | undefined => Object.values(shape as Record<string, AnyCodec>)[0]

const isRaw = (key: Key): boolean => {
  const codec = mainCodec(key)
  return codec?.spec !== undefined && ["text", "bytes"].includes(baseOf(codec.spec as never))
}

const isPacked = (key: Key): boolean => {
  const codec = mainCodec(key)
  return codec?.spec !== undefined && ["compressed", "packedInts", "quoted"].includes(baseOf(codec.spec as never))
}

/** A value as text: numbers of all types alike, columns by name. */
export function spell(value: unknown): string {
  if (value instanceof Date) return `t${value.getTime()}`
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1")
  if (value instanceof Map) return spell(Object.fromEntries([...value].map(([name, one]) => [spell(name), one])))
  if (Array.isArray(value)) return `[${value.map(spell).join()}]`
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => `${name}:${spell(one)}`)
      .sort()
      .join()}}`
  return String(value)
}
