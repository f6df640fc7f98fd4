/* Which kind of definition the keys of a pattern are, and the codecs of its places. */

import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"
import type { Kind } from "../../../schema/define.ts"
import { soundsSecret } from "../../check/check-secrets.ts"
import { type Atom, atomOf } from "./atoms.ts"
import type { Cells } from "./cells.ts"
import { cellSpec, scalarSpec, scoreSpec } from "./codecs.ts"
import type { TextStatistics } from "./text-statistics.ts"
import type { Values } from "./values.ts"
import { records as limits } from "../thresholds.ts"

export interface Described {
  readonly kind: Kind
  /** Codecs by place; of a record, by field. */
  readonly shape: Readonly<Record<string, CodecSpec>>
  readonly fields?: Readonly<Record<string, CodecSpec>>
  readonly notes: readonly string[]
}

/** Undefined for types that no schema can declare: those of modules. */
export function describe(type: string, values: Values, pattern: string): Described | undefined {
  if (type === "string") return stringKind(values.cells, pattern)
  if (type === "hash") return hashKind(values)
  if (type === "stream") {
    const described = record("stream", values)
    return values.records > 0 || values.cut === 0
      ? described
      : { ...described, notes: ["its fields are not known: its entries are too large to read"] }
  }
  const item = cellSpec(values.cells)
  const notes = item.note === undefined ? [] : [item.note]
  if (type === "list") return { kind: "list", shape: { item: item.spec }, notes }
  if (type === "set") return { kind: "set", shape: { member: item.spec }, notes }
  if (type !== "zset") return undefined
  if (isGeo(values.scores)) return { kind: "geo", shape: { member: item.spec }, notes }
  return { kind: "zset", shape: { member: item.spec, score: scoreSpec(values.scores) }, notes }
}

const BITS = /(?:^|[^a-z])(?:bitmap|bitset|bits|bloom|dau|mau|active-users|seen-bits)(?:$|[^a-z])/i

function stringKind(cells: Cells, pattern: string): Described {
  if (cells.blobs.size === 1 && cells.blobs.get("hyperloglog") === cells.count)
    return { kind: "hyperloglog", shape: { member: { codec: "text" } }, notes: [] }
  if (BITS.test(pattern) && cells.documents === undefined) return { kind: "bitmap", shape: {}, notes: [] }
  const { spec, note } = cellSpec(cells)
  const notes = note === undefined ? [] : [note]
  // A code that was sent to somebody is not a count.
  if (spec.codec === "int" && cells.texts.min >= 1000 && soundsSecret(pattern.replace(/\{\w+\}/g, "")))
    return { kind: "string", shape: { value: { codec: "text" } }, notes }
  if (spec.codec === "int" || spec.codec === "flag" || spec.codec === "compactDay")
    return { kind: "counter", shape: { value: { codec: "int" } }, notes }
  if (spec.codec === "float") return { kind: "counter", shape: { value: spec }, notes }
  return { kind: "string", shape: { value: spec }, notes }
}

function hashKind(values: Values): Described {
  if (isRecord(values)) return record("hash", values)
  const value = cellSpec(values.cells)
  const notes = value.note === undefined ? [] : [value.note]
  return { kind: "map", shape: { field: scalarSpec(values.names), value: value.spec }, notes }
}

function record(kind: "hash" | "stream", { fields, records, cut }: Values): Described {
  const notes: string[] = []
  const specs: [string, CodecSpec][] = []
  for (const [name, cells] of fields ?? []) {
    const { spec, note } = cellSpec(cells)
    if (note !== undefined) notes.push(`${name}: ${note}`)
    // Where only a part was read, there may be other values.
    const certain = cut > 0 && spec.codec === "oneOf" ? ({ codec: "text" } as const) : spec
    specs.push([
      name,
      cells.count < records || cut > 0 || records < limits.leastRequired ? { codec: "optional", of: certain } : certain,
    ])
  }
  return { kind, shape: {}, fields: Object.fromEntries(specs), notes }
}

/** Whether the names of the fields are a part of the schema, or data. */
function isRecord({ fields, names, records, binaryNames }: Values): boolean {
  if (fields === undefined || fields.size === 0 || 4 * binaryNames > names.count || !areNames(names, fields, records))
    return false
  if (areNumbered([...fields.keys()])) return false
  if (records > 1)
    return (
      names.count >= limits.shareOfFields * fields.size * records &&
      (fields.size <= limits.mostNames || names.count >= limits.shareOfManyFields * fields.size * records)
    )
  // One hash alone: a record has values of different kinds, or names of several words.
  const kinds = new Set([...fields.values()].map((cells) => JSON.stringify(cellSpec(cells).spec.codec)))
  const compound = [...fields.keys()].filter((name) => /[_-]|[a-z][A-Z]/.test(name)).length
  return fields.size <= limits.mostNames && (kinds.size > 1 || compound > fields.size / 2)
}

/** `player_1`, `player_2` …: nobody writes that many fields down. */
const areNumbered = (names: readonly string[]): boolean =>
  names.length >= limits.leastNumbered &&
  new Set(names.map((name) => (/\d$/.test(name) ? name.replace(/\d+$/, "") : undefined))).size === 1 &&
  /\d$/.test(names[0]!)

/** Mostly words; other names are accepted if most records have them. */
function areNames(
  { values, samples, atoms, count }: TextStatistics,
  fields: ReadonlyMap<string, Cells>,
  records: number,
): boolean {
  const isPlain = (atom: Atom) => atom === "word" || atom === "mixed" || atom === "slug"
  const odd = [...atoms].reduce((sum, [atom, seen]) => (isPlain(atom) ? sum : sum + seen), 0)
  const usual = [...fields].reduce(
    (sum, [name, cells]) =>
      records > 2 && atomOf(name) === "other" && 2 * cells.count >= records ? sum + cells.count : sum,
    0,
  )
  return (
    odd - usual <= count * limits.mostOdd &&
    [...(values?.keys() ?? samples)].every((name) => /^[\p{L}\p{N}_.@$:/ +-]{1,64}$/u.test(name))
  )
}

/** What GEOADD makes: 52 bits, over a range that no clock has. */
const isGeo = ({ min, max, count, atoms }: TextStatistics): boolean =>
  count >= 2 &&
  atoms.size === 1 &&
  atoms.has("int") &&
  min > 2 ** 40 &&
  max > 1e14 &&
  max < 2 ** 52 &&
  (max - min > 1e13 || max > 2.3e15)
