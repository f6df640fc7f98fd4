/* One place that holds values of several kinds: a day, or the word `total`. Each value is
 * written and read by the first codec that takes it. */

import { codecRefused } from "../../errors/codec.ts"
import { definitionRefused } from "../../errors/define.ts"
import { SchemaError } from "../../errors/error.ts"
import { codec, type Codec, type ReadOf, type TextCodec, type WriteOf } from "./codec.ts"
import { hiddenWith } from "./wrap.ts"

/**
 * The first of these codecs that takes a value: for a place that holds several kinds of text.
 * @example
 * const views = counter("views:{day}", { params: { day: anyOf(compactDay, oneOf("total")) }, ttl: "never" })
 */
export function anyOf<const C extends readonly [TextCodec, TextCodec, ...TextCodec[]]>(
  ...codecs: C
): Codec<ReadOf<C[number]>, WriteOf<C[number]>> {
  const name = codecs.map((one) => one.name).join(" or ")
  if (codecs.length < 2) throw definitionRefused(name, "a choice has two codecs or more")
  if (codecs.some((one) => one.optional || one.decodeBytes))
    throw definitionRefused(name, "a choice is between codecs of text that is always there")
  const hiding = codecs.findIndex((one, i) => codecs.slice(i + 1).some((later) => reads(one, later.example)))
  if (hiding >= 0) throw definitionRefused(name, `${codecs[hiding]!.name} reads what is meant for a later one`)

  /** The first codec that reads a text, and what it makes of it. */
  const first = (raw: string) => {
    for (const of of codecs) {
      const value = attempt(() => of.decode(raw))
      if (value !== REFUSED) return { of, value }
    }
    throw codecRefused("ANY_OF", name, raw)
  }
  const masks = codecs.map(({ mask }) => mask)
  const allow = codecs.map((one) => one.allow ?? "").join("")
  const made: Codec<ReadOf<C[number]>, WriteOf<C[number]>> = {
    name,
    spec: { codec: "anyOf", codecs: Object.freeze(codecs.map(({ spec }) => spec)) },
    example: codecs[0]!.example,
    ...(masks.every((mask) => mask !== undefined) && { mask: masks.flat() as string[] }),
    ...(allow === "" ? {} : { allow }),
    encode(value) {
      for (const of of codecs) {
        const raw = attempt(() => of.encode(value))
        // A value that an earlier codec would read differently would not survive a round trip.
        if (raw !== REFUSED && first(raw as string).of === of) return raw as string
      }
      throw codecRefused("ANY_OF", name, value)
    },
    decode: (raw) => first(raw).value as ReadOf<C[number]>,
  }
  return codec(hiddenWith(codecs, made))
}

const REFUSED = Symbol("refused")

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (error instanceof SchemaError) return REFUSED
    throw error
  }
}

const reads = (of: TextCodec, raw: string): boolean => raw !== "…" && attempt(() => of.decode(raw)) !== REFUSED
