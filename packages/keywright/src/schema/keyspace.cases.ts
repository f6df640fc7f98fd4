/* Random patterns, codecs, parameters and keyspaces for the property tests. The
 * alphabets are small, so that patterns meet often. */

import * as fc from "fast-check"
import { isFull } from "../../../../test/full.ts"
import { SchemaError } from "../errors/error.ts"
import type { TextCodec } from "./codec/codec.ts"
import { compactDay, day, isoInstant, month, unixMillis } from "./codec/date.ts"
import { flag } from "./codec/flag.ts"
import { id, tagged } from "./codec/id.ts"
import { bigint, float, int } from "./codec/number.ts"
import { oneOf } from "./codec/one-of.ts"
import { text } from "./codec/text.ts"
import { fieldValue } from "./codec/value.ts"
import { secret } from "./codec/wrap.ts"
import { string, type Def } from "./define.ts"
import type { Entries } from "./group.ts"
import { keyspace, type Keyspace } from "./keyspace.ts"

/** How many runs: one million of them when everything is asked for. */
export const runs = (reduced: number, full = 1_000_000): number => (isFull ? full : reduced)

interface Drawn {
  readonly codec: TextCodec
  /** Values that it may be given; not all are taken as a segment. */
  readonly values: fc.Arbitrary<unknown>
}

const words = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "ab",
    "list",
    "index",
    "x",
    "1",
    "2011-10",
    "é",
    "a_b",
    "a-b",
    "a:b",
    "a b",
    "{a}",
    "*",
    "🙂",
    "\ud800",
  ),
  fc.string({ minLength: 0, maxLength: 12, unit: fc.constantFrom(..."ab1_-:.é🙂 ") }),
  fc.string({ maxLength: 20, unit: "binary" }),
)
const dates = fc.date({ min: new Date(0), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true })
const days = dates.map((date) => date.toISOString().slice(0, 10))

const drawn: readonly Drawn[] = [
  { codec: text, values: words },
  { codec: text, values: words },
  { codec: fieldValue, values: words },
  { codec: id("a"), values: words },
  { codec: id("b", { allow: ":" }), values: words },
  { codec: id("c", { allow: " {}" }), values: words },
  { codec: id("d", { matching: /[ab]+/ }), values: words },
  { codec: secret(id("e", { matching: /\d+|x/ })), values: words },
  { codec: id("f", int), values: fc.integer() },
  { codec: int, values: fc.maxSafeInteger() },
  { codec: bigint, values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  { codec: float, values: fc.double({ noNaN: true }) },
  { codec: flag, values: fc.boolean() },
  { codec: oneOf("a", "b", "list"), values: fc.constantFrom("a", "b", "list") },
  { codec: oneOf(1, 2), values: fc.constantFrom(1, 2) },
  { codec: day, values: days },
  { codec: month, values: days.map((one) => one.slice(0, 7)) },
  { codec: compactDay, values: days },
  { codec: unixMillis, values: dates },
  { codec: isoInstant, values: dates },
  {
    codec: tagged({ a: text, ab: text, u_: id("u") }),
    values: fc.record({ tag: fc.constantFrom("a", "ab", "u_"), id: words }),
  },
]

const valuesOf = new Map(drawn.map(({ codec, values }) => [codec, values]))

/** Random values for the parameters of a key. */
export const paramsFor = (params: Readonly<Record<string, TextCodec>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(Object.entries(params).map(([name, codec]) => [name, valuesOf.get(codec) ?? words])))

const literals = fc.constantFrom(
  "a",
  "b",
  "ab",
  ":",
  "a:",
  ":b",
  ":a:",
  "_",
  "_b",
  "-",
  "list",
  ":list",
  "1",
  "é",
  "ü",
  "🙂",
  "😀",
)
const names = ["p", "q", "r"]

/** Literals and parameters by turns; every third parameter is a hash tag. */
const definitions: fc.Arbitrary<Def> = fc
  .record({
    head: fc.option(literals, { nil: "" }),
    params: fc.array(
      fc.record({ of: fc.constantFrom(...drawn), tag: fc.integer({ max: 2, min: 0 }), tail: literals }),
      { maxLength: 3 },
    ),
    open: fc.boolean(),
  })
  .filter(({ head, params }) => head !== "" || params.length > 0)
  .map(({ head, params, open }) => {
    const pattern = params.reduce((before, { tag, tail }, i) => {
      const param = tag === 2 ? `{{${names[i]}}}` : `{${names[i]}}`
      return before + param + (open && i === params.length - 1 ? "" : tail)
    }, head)
    const codecs = Object.fromEntries(params.map(({ of }, i) => [names[i]!, of.codec]))
    return string(pattern as "a", text, { params: codecs as {} }) as Def
  })

/** Some random definitions, and what `keyspace()` says to them: the keyspace, or the error. */
export const attempts = (size: number): fc.Arbitrary<{ defs: Def[]; made: Keyspace | SchemaError }> =>
  fc.array(definitions, { minLength: 1, maxLength: size }).map((defs) => {
    try {
      return { defs, made: keyspace(Object.fromEntries(defs.map((def, i) => [`k${i}`, def])) as Entries) }
    } catch (error) {
      if (error instanceof SchemaError) return { defs, made: error }
      throw error
    }
  })

/** Random keyspaces without contradictions. */
export const keyspaces = (size: number): fc.Arbitrary<Keyspace> =>
  attempts(size)
    .map(({ made }) => made)
    .filter((made): made is Keyspace => !(made instanceof SchemaError))
