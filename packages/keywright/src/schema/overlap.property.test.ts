import * as fc from "fast-check"
import { expect, it } from "vitest"
import { SchemaError } from "../errors/error.ts"
import type { ParamCodecsOf } from "./locate.ts"
import { maskTest } from "./classify/classify-mask.ts"
import { id } from "./codec/id.ts"
import { int } from "./codec/number.ts"
import { oneOf } from "./codec/one-of.ts"
import { text } from "./codec/text.ts"
import { keyFormat } from "./key-format.ts"
import { attempts, runs } from "./keyspace.cases.ts"
import { locate, slotsOf, type Slot } from "./locate.ts"
import { automaton, comparison, mayMeet, shapeOf } from "./overlap.ts"

type Split = readonly [head: string, slots: readonly Slot[]]

// The 1 represents all characters that no pattern spells.
const alphabet = "ab:1"
const longest = 7

/** Every text of the alphabet up to the longest. */
const texts = [""]
for (let i = 0; texts[i]!.length < longest; i++) texts.push(...[...alphabet].map((char) => texts[i]! + char))

/** Which characters of a key the pattern spells literally; undefined when it is not of the pattern. */
function spelled(key: string, [head, slots]: Split): boolean[] | undefined {
  const found = locate(key, head, slots)
  if (!found) return undefined
  const literal = Array.from(head, () => true)
  for (const { name, codec, tail } of slots) {
    const segment = found[name]!
    if (codec?.mask && !maskTest(codec.mask)(segment, 0, segment.length)) return undefined
    literal.push(...Array.from(segment, () => false), ...Array.from(tail, () => true))
  }
  return literal
}

/** Who is literal where the other is not, over all texts that both take: undefined when there is none. */
function search(one: Split, other: Split): number | undefined {
  let sides: number | undefined
  for (const key of texts) {
    const a = spelled(key, one)
    const b = a && spelled(key, other)
    if (a && b) sides = a.reduce((sum, literal, i) => sum | (literal === b[i] ? 0 : literal ? 1 : 2), sides ?? 0)
  }
  return sides
}

const shape = ([head, slots]: Split): string[] => shapeOf(head + slots.map(({ tail }) => `{x}${tail}`).join(""))

const literals = fc.constantFrom("a", "b", ":")
const codecs = fc.constantFrom(text, text, int, oneOf("a", 1, "aa"), id("x", { allow: ":" }))
const patterns = fc
  .record({
    head: fc.option(literals, { nil: "" }),
    params: fc.array(fc.record({ codec: codecs, tail: literals }), { minLength: 0, maxLength: 2 }),
    open: fc.boolean(),
  })
  .filter(({ head, params }) => head !== "" || params.length > 0)
  .map(({ head, params, open }): Split => {
    const pattern = params.reduce(
      (before, { tail }, i) => `${before}{p${i}}${open && i === params.length - 1 ? "" : tail}`,
      head,
    )
    const own: ParamCodecsOf = Object.fromEntries(params.map(({ codec }, i) => [`p${i}`, codec]))
    return slotsOf(pattern, own)
  })

it("finds a key of both patterns exactly where trying every text finds one, and the same of them more literal", () => {
  fc.assert(
    fc.property(patterns, patterns, (one, other) => {
      const found = comparison().overlap(automaton(...one), automaton(...other))
      expect(found?.literal).toBe(search(one, other))
      if (!found) return
      expect(mayMeet(shape(one), shape(other))).toBe(true)
      expect(spelled(found.key(), one)).toBeDefined()
      expect(spelled(found.key(), other)).toBeDefined()
    }),
    { numRuns: runs(150, 3_000) },
  )
})

it("refuses an ambiguous keyspace with a key that two of its patterns take", () => {
  let refused = 0
  fc.assert(
    fc.property(attempts(6), ({ defs, made }) => {
      if (!(made instanceof SchemaError)) return
      refused++
      expect(made.code).toBe("KEYSPACE.AMBIGUOUS")
      expect(made.fix).toBeDefined()
      const taking = defs.filter(({ pattern, params }) => keyFormat(pattern, params as ParamCodecsOf).parse(made.key!))
      expect(taking.length).toBeGreaterThan(1)
      expect(taking.filter(({ pattern }) => made.message.includes(`"${pattern}"`)).length).toBeGreaterThan(1)
    }),
    { numRuns: runs(3000, 100_000) },
  )
  expect(refused).toBeGreaterThan(10)
})
