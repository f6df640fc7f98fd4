/* From what is known of values to the codec that reads all of them: the most telling
 * one that refuses none. */

import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"
import { type Blob, blobNames } from "./blob.ts"
import type { Cells } from "./cells.ts"
import type { Joined } from "./delimiters.ts"
import { isEnumeration } from "./enumeration.ts"
import { jsonSchemaOf } from "./json-schemas.ts"
import { isNearlyAll } from "./nearly-all.ts"
import type { TextStatistics } from "./text-statistics.ts"
import { values as limits } from "../thresholds.ts"

/** A codec, and what it cannot say. */
export interface CodecGuess {
  readonly spec: CodecSpec
  readonly note?: string
}

const TEXT: CodecSpec = { codec: "text" }

export function cellSpec(cells: Cells): CodecGuess {
  if (cells.blobs.size > 0) return blobSpec(cells)
  if (cells.isJson) {
    const schema = jsonSchemaOf(cells.documents!)
    const [type, ...others] = [...cells.classes].sort(([, a], [, b]) => b - a).map(([name]) => name)
    if (type === undefined) return { spec: { codec: "json", schema } }
    const note =
      others.length === 0
        ? "written by Jackson, with the class in @class"
        : `written by Jackson, also of ${others.join(", ")}`
    return { spec: { codec: "json", schema, jackson: { type } }, note }
  }
  if (cells.isQuoted) return { spec: { codec: "quoted", of: scalarSpec(cells.texts) } }
  if (cells.documents !== undefined && !cells.isQuoted && isNearlyAll(cells.documents.count, cells.count)) {
    const note = `${cells.count - cells.documents.count} of ${cells.count} differs: not JSON`
    return { spec: { codec: "json", schema: jsonSchemaOf(cells.documents) }, note }
  }
  if (cells.documents !== undefined)
    return { spec: TEXT, note: `JSON in ${cells.documents.count} of ${cells.count} values` }
  if (!cells.isPlain) return { spec: TEXT }
  const { joined } = cells.delimiters
  const spec = (joined && joinedSpec(joined)) ?? scalarSpec(cells.texts)
  const stray = spec.codec === "text" ? strayOf(cells.texts) : undefined
  return stray ?? { spec }
}

/** What all but a stray value are: a number, a day. */
function strayOf(texts: TextStatistics): CodecGuess | undefined {
  const choices = [
    ["int", ["int"]],
    ["float", ["int", "float"]],
    ["day", ["day"]],
    ["month", ["month"]],
    ["isoInstant", ["instant"]],
  ] as const
  const found = choices.find(([, atoms]) => texts.mostly(...atoms))
  if (found === undefined) return undefined
  const fits = found[1].reduce((sum, atom) => sum + (texts.atoms.get(atom) ?? 0), 0)
  return { spec: { codec: found[0] }, note: `${texts.count - fits} of ${texts.count} differs` }
}

function blobSpec(cells: Cells): CodecGuess {
  const inside = unpackedSpec(cells)
  if (inside !== undefined) return inside
  const { blobs, count, bytes } = cells
  const packed = [...blobs.values()].reduce((sum, one) => sum + one, 0)
  const names = [...blobs.keys()].map((blob: Blob) => blobNames[blob]).join(" or ")
  const note = packed === count ? names : `${names} in ${packed} of ${count} values`
  const isBytes = bytes > 0 || [...blobs.keys()].some((blob) => !TEXTUAL.has(blob))
  return { spec: isBytes ? { codec: "bytes" } : TEXT, note }
}

/** How what is inside of packed values is declared. */
const PACKINGS: Partial<Record<Blob, (of: CodecSpec) => CodecSpec>> = {
  php: (of) => ({ codec: "php", of }),
  messagePack: (of) => ({ codec: "messagePack", of }),
  gzip: (of) => ({ codec: "compressed", of, format: "gzip" }),
  zlib: (of) => ({ codec: "compressed", of, format: "zlib" }),
  deflate: (of) => ({ codec: "compressed", of }),
}

/** Values of one format, of which nearly all can be read: their documents, or compressed text. */
function unpackedSpec({ blobs, count, unpacked, unpackedTexts }: Cells): CodecGuess | undefined {
  const [blob] = blobs.keys()
  const pack = blobs.size === 1 ? PACKINGS[blob!] : undefined
  if (pack === undefined) return undefined
  const documents = unpacked?.count ?? 0
  if (unpacked !== undefined && (documents === count || isNearlyAll(documents, count))) {
    const note =
      documents === count ? blobNames[blob!] : `${blobNames[blob!]}; ${count - documents} of ${count} differs`
    return { spec: pack({ codec: "json", schema: jsonSchemaOf(unpacked) }), note }
  }
  return documents + unpackedTexts === count ? { spec: pack(TEXT), note: `${blobNames[blob!]}, text` } : undefined
}

/** What people could read; also texts with odd characters in them. */
const TEXTUAL: ReadonlySet<Blob> = new Set(["php", "phpSession", "html", "xml", "jwt", "hyperloglog", "binary"])

/** Columns where they differ, else a list of one kind of value. */
function joinedSpec({ sign, columns, all }: Joined): CodecSpec | undefined {
  const item = scalarSpec(all)
  if (item.codec !== "text") {
    const isFixed = columns !== undefined && columns[0]!.count >= limits.leastOfLength
    return {
      codec: "many",
      separator: sign,
      item: item.codec === "flag" ? { codec: "int" } : item,
      ...(isFixed && { length: columns.length }),
    }
  }
  if (columns === undefined) return undefined
  const specs = columns.map((column) => scalarSpec(column))
  // Words in a row are as likely a list as a record.
  if (
    specs.every(({ codec }) => codec === "text") &&
    !columns.some((column) => column.only("ip", "email", "uuid", "hex"))
  )
    return undefined
  const names = columns.map((column, i) => columnName(column, specs[i]!))
  const isAlone = (name: string) => names.indexOf(name) === names.lastIndexOf(name)
  const fields = Object.fromEntries(names.map((name, i) => [isAlone(name) ? name : `${name}${i + 1}`, specs[i]!]))
  return { codec: "delimited", separator: sign, fields }
}

function columnName(column: TextStatistics, { codec }: CodecSpec): string {
  const [atom] = column.atoms.keys()
  if (codec === "day" || codec === "month" || codec === "flag") return codec
  if (codec === "int" || codec === "float") return "number"
  return atom === "ip" || atom === "email" || atom === "uuid" ? atom : "part"
}

export function scalarSpec(texts: TextStatistics): CodecSpec {
  if (texts.count === 0) return TEXT
  if (texts.only("int")) return wholeSpec(texts)
  if (texts.only("int", "float")) return isSeconds(texts) ? { codec: "unixSeconds" } : { codec: "float" }
  if (texts.only("day")) return { codec: "day" }
  if (texts.only("month")) return { codec: "month" }
  if (texts.only("instant")) return { codec: "isoInstant" }
  return isEnumeration(texts) ? { codec: "oneOf", values: [...texts.values!.keys()].sort() } : TEXT
}

function wholeSpec(texts: TextStatistics): CodecSpec {
  const { values, count, min, max, compactDays } = texts
  if (isSeconds(texts)) return { codec: "unixSeconds" }
  if (min >= 1e12 && max <= 2.2e12) return { codec: "unixMillis" }
  if (compactDays === count) return { codec: "compactDay" }
  const isFlag = values !== undefined && values.size === 2 && min === 0 && max === 1 && count >= limits.leastFlags
  return isFlag ? { codec: "flag" } : { codec: "int" }
}

/** 2001 to 2039. */
const isSeconds = ({ min, max, scientific }: TextStatistics): boolean => min >= 1e9 && max <= 2.2e9 && scientific === 0

/** Every number from 0 to the highest, about as often as the others: counts thin out, and other numbers have gaps. */
function isRing({ values, count, min, max }: TextStatistics): boolean {
  if (values === undefined || min !== 0 || values.size < 3 || values.size !== max + 1) return false
  return Math.min(...values.values()) >= Math.max(limits.leastOfRing, count / values.size / 2)
}

/** A score: a number, whatever else. */
export function scoreSpec(scores: TextStatistics): CodecSpec {
  const spec = scalarSpec(scores)
  if (spec.codec === "flag" || spec.codec === "compactDay") return { codec: "int" }
  if (spec.codec === "int") return isRing(scores) ? { codec: "int", min: 0, max: scores.max } : spec
  return spec.codec === "unixSeconds" || spec.codec === "unixMillis" ? spec : { codec: "float" }
}
