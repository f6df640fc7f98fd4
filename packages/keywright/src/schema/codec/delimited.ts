/* Several values in one text, joined by a separator. The number of parts is fixed
 * or stated, and no part may contain the separator: what was joined can be split. */

import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec, type CodecFields, type ReadFields, type TextCodec, type WriteFields } from "./codec.ts"

type TextFields = CodecFields & Readonly<Record<string, TextCodec>>

/** Named columns: `delimited("#", { ip: text, controller: text, action: text })` → `85.223.1.123#queries#run`. */
export function delimited<const F extends TextFields>(
  separator: string,
  fields: F,
): Codec<ReadFields<F>, WriteFields<F>> {
  const columns = Object.entries<TextCodec>(fields)
  const name = columns.map(([column]) => column).join(separator)
  return codec({
    name,
    spec: {
      codec: "delimited",
      separator,
      fields: Object.fromEntries(columns.map(([column, part]) => [column, part.spec])),
    },
    example: columns.map(([, part]) => part.example).join(separator),
    encode(row) {
      if (typeof row !== "object" || row === null) throw codecRefused("DELIMITED", `an object of ${name}`, row)
      const given = row as Record<string, unknown>
      return columns.map(([column, part]) => cell(part.encode(given[column]), separator, column)).join(separator)
    },
    decode(raw) {
      const cells = raw.split(separator)
      if (cells.length !== columns.length) throw codecRefused("DELIMITED", `${columns.length} parts, ${name}`, raw)
      return Object.fromEntries(columns.map(([column, part], i) => [column, part.decode(cells[i]!)])) as ReadFields<F>
    },
  })
}

/** Named columns, joined by commas. */
export const csv = <const F extends TextFields>(fields: F): Codec<ReadFields<F>, WriteFields<F>> =>
  delimited(",", fields)

/** A list of one kind of value: `many(int)` → `1,0,0,0,0`; `many(text, ", ")`. With `length`, exactly so many. */
export function many<R, W>(
  item: Codec<R, W>,
  separator = ",",
  { length }: { readonly length?: number } = {},
): Codec<R[], readonly W[]> {
  const check = (count: number, found: unknown) => {
    if (length !== undefined && count !== length) throw codecRefused("MANY", `exactly ${length} values`, found)
  }
  return codec({
    name: `${length === undefined ? "" : `${length} × `}${item.name}, joined by "${separator}"`,
    spec: { codec: "many", separator, item: item.spec, ...(length === undefined ? {} : { length }) },
    example: Array.from({ length: length ?? 2 }, () => item.example).join(separator),
    encode(values) {
      if (!Array.isArray(values)) throw codecRefused("MANY", "an array", values)
      check(values.length, values)
      const raw = values.map((value: W, i) => cell(item.encode(value), separator, String(i))).join(separator)
      // One empty text and no value at all would look the same.
      if (raw === "" && values.length > 0) throw codecRefused("MANY", "a first value that is not empty", values)
      return raw
    },
    decode(raw) {
      const cells = raw === "" ? [] : raw.split(separator)
      check(cells.length, raw)
      return cells.map((part) => item.decode(part))
    },
  })
}

function cell(raw: string, separator: string, column: string): string {
  if (raw.includes(separator)) throw codecRefused("SEPARATOR", `${column} without the separator "${separator}"`, raw)
  return raw
}
