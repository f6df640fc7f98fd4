/* Several values in one text, joined by a separator. The number of parts is fixed
 * or stated, and what was joined must split into the same parts: a part with the
 * separator in it is refused when it is written. */

import { codecRefused } from "../../errors/codec.ts"
import { definitionRefused } from "../../errors/define.ts"
import { codec, type Codec, type ReadFields, type TextCodec, type WriteFields } from "./codec.ts"
import { hiddenWith } from "./wrap.ts"

type Columns = Readonly<Record<string, TextCodec>>

/**
 * Named columns in one text, joined by a separator. Values that contain the separator are refused.
 * @example
 * const caller = delimited("#", { ip: text, action: text })
 * console.log(caller.encode({ ip: "85.223.1.123", action: "run" })) // → 85.223.1.123#run
 */
export function delimited<const F extends Columns>(separator: string, fields: F): Codec<ReadFields<F>, WriteFields<F>> {
  const columns = Object.entries<TextCodec>(fields)
  const names = columns.map(([column]) => column)
  const name = names.join(separator)
  if (separator === "" || columns.length === 0) throw definitionRefused(name, "no separator, or no columns")
  if (columns.some(([, part]) => part.optional))
    throw definitionRefused(name, "a column is always there; optional is for the fields of a hash")
  const made: Codec<ReadFields<F>, WriteFields<F>> = {
    name,
    spec: {
      codec: "delimited",
      separator,
      fields: Object.freeze(Object.fromEntries(columns.map(([column, part]) => [column, part.spec]))),
    },
    example: columns.map(([, part]) => part.example).join(separator),
    encode(row) {
      const expected = `an object of ${name}`
      if (typeof row !== "object" || row === null) throw codecRefused("DELIMITED", expected, row)
      const unknown = Object.keys(row).find((column) => !Object.hasOwn(fields, column))
      if (unknown !== undefined) throw codecRefused("DELIMITED", expected, unknown)
      const given = row as Record<string, unknown>
      return join(
        columns.map(([column, part]) => part.encode(given[column])),
        separator,
        names,
      )
    },
    decode(raw) {
      const cells = raw.split(separator)
      if (cells.length !== columns.length) throw codecRefused("DELIMITED", `${columns.length} parts, ${name}`, raw)
      return Object.fromEntries(columns.map(([column, part], i) => [column, part.decode(cells[i]!)])) as ReadFields<F>
    },
  }
  return codec(hiddenWith(Object.values(fields), made))
}

/**
 * Named columns, joined by commas: `delimited` with a comma. Values that contain one are refused.
 * @example
 * const bid = list("bids:{item}", csv({ user: text, cents: int }), { ttl: "7d" })
 */
export const csv = <const F extends Columns>(fields: F): Codec<ReadFields<F>, WriteFields<F>> => delimited(",", fields)

const LONGEST_EXAMPLE = 1_000_000

/**
 * A list of one kind of value in one text; with `length`, exactly that many.
 * @example
 * console.log(many(int).encode([1, 0, 2])) // → 1,0,2
 * const slots = string("slots:{day}", many(int, ";", { length: 24 }), { ttl: "7d" })
 */
export function many<R, W>(
  item: Codec<R, W>,
  separator = ",",
  { length }: { readonly length?: number } = {},
): Codec<R[], readonly W[]> {
  const name = `${length === undefined ? "" : `${length} × `}${item.name}, joined by "${separator}"`
  if (separator === "") throw definitionRefused(name, "no separator")
  if (length !== undefined && (!Number.isSafeInteger(length) || length < 1))
    throw definitionRefused(name, "length is not a whole number above 0")
  const count = length ?? 2
  if (count * (item.example.length + separator.length) > LONGEST_EXAMPLE)
    throw definitionRefused(name, `an example has more than ${LONGEST_EXAMPLE} characters`)
  const check = (count: number, found: unknown) => {
    if (length !== undefined && count !== length) throw codecRefused("MANY", `exactly ${length} values`, found)
  }
  const made: Codec<R[], readonly W[]> = {
    name,
    spec: { codec: "many", separator, item: item.spec, ...(length === undefined ? {} : { length }) },
    example: Array.from({ length: count }, () => item.example).join(separator),
    encode(values) {
      if (!Array.isArray(values)) throw codecRefused("MANY", "an array", values)
      check(values.length, values)
      const cells = Array.from(values as readonly W[], (value) => item.encode(value))
      const raw = join(cells, separator)
      // One empty text and no value at all would look the same.
      if (raw === "" && cells.length > 0) throw codecRefused("MANY", "a first value that is not empty", values)
      return raw
    },
    decode(raw) {
      const cells = raw === "" ? [] : raw.split(separator)
      check(cells.length, raw)
      return cells.map((part) => item.decode(part))
    },
  }
  return codec(hiddenWith([item], made))
}

/** Joins parts, checking that they can be split again: "a:" and "b", joined by "::", would be read as "a" and ":b". */
function join(cells: readonly string[], separator: string, names?: readonly string[]): string {
  const raw = cells.join(separator)
  const split = raw.split(separator)
  const bad = cells.findIndex((cell, i) => cell !== split[i])
  if (bad < 0) return raw
  throw codecRefused("SEPARATOR", `${names?.[bad] ?? bad} without the separator "${separator}"`, cells[bad])
}
