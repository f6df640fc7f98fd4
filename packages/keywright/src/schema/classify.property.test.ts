import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SchemaError } from "../errors/error.ts"
import { classifier } from "./classify/classify.ts"
import { keyBuilder } from "./key-builder.ts"
import { keyFormat } from "./key-format.ts"
import type { Key } from "./key.ts"
import { keyspaces, paramsFor, runs } from "./keyspace.cases.ts"
import { maskTest } from "./classify/classify-mask.ts"

/** The rule of classify-settle.ts once more, without tree and without haste. */
function ownerOf(key: string, keys: readonly Key[]): Key | undefined {
  const located = keys.filter(({ pattern, params }) => keyFormat(pattern, params).locate(key))
  if (located.length === 1) return located[0]
  const masked = located.filter(({ pattern, params }) => {
    const found = keyFormat(pattern, params).locate(key)!
    return Object.entries(params).every(
      ([name, { mask }]) => !mask || maskTest(mask)(found[name]!, 0, found[name]!.length),
    )
  })
  if (masked.length === 1) return masked[0]
  const parsed = masked.filter(({ pattern, params }) => keyFormat(pattern, params).parse(key))
  return parsed.find((one) => !parsed.some((other) => one.rivals.includes(other.name)))
}

/** Some keys of a keyspace with the parameters they were built from, as far as it takes them. */
const built = (keys: readonly Key[]) =>
  fc.constantFrom(...keys).chain((key) =>
    paramsFor(key.params).map((params) => {
      try {
        return { key, params, text: keyBuilder(key, keys)(params) }
      } catch (error) {
        if (error instanceof SchemaError) return undefined
        throw error
      }
    }),
  )

/** Texts that are nearly keys. */
const texts = fc.string({
  maxLength: 12,
  unit: fc.constantFrom(
    "a",
    "b",
    "ab",
    ":",
    "_",
    "-",
    "list",
    "1",
    "2011-10",
    "-03",
    "é",
    "ü",
    "🙂",
    "😀",
    "{",
    "}",
    " ",
    "x",
  ),
})

/** A million keys are built in the full run: on a busy machine that takes its time. */
const HALF_AN_HOUR = 1_800_000

describe("whatever a keyspace lets be built", () => {
  it(
    "comes back as the same pattern and parameters, from one key only",
    () => {
      const perKeyspace = 20
      let keys = 0
      fc.assert(
        fc.property(
          keyspaces(6).chain(({ keys: all }) =>
            fc.tuple(fc.constant(all), fc.array(built(all), { minLength: perKeyspace, maxLength: perKeyspace })),
          ),
          ([all, made]) => {
            const classifiers = [classifier(all), classifier(all, { codegen: false })]
            const seen = new Map<string, string>()
            for (const one of made) {
              if (one === undefined) continue
              keys++
              const { key, params, text } = one
              expect(keyFormat(key.pattern, key.params).parse(text)).toEqual(params)
              for (const each of classifiers) {
                expect(each.owner(text)).toEqual({ key, params: keyFormat(key.pattern, key.params).locate(text) })
              }
              const source = `${key.name} ${JSON.stringify(Object.entries(params).map(([name, value]) => [name, key.params[name]!.encode(value)]))}`
              expect(seen.get(text) ?? source).toBe(source)
              seen.set(text, source)
            }
          },
        ),
        { numRuns: runs(500, 80_000) },
      )
      // About a third is refused, as it should be.
      expect(keys).toBeGreaterThan(runs(5_000))
    },
    HALF_AN_HOUR,
  )
})

describe("the classifier", () => {
  it("gives any text to the same owner as the schema's rule, with generated code and without", () => {
    fc.assert(
      fc.property(keyspaces(8), fc.array(texts, { minLength: 20, maxLength: 20 }), ({ keys }, some) => {
        const [one, other] = [classifier(keys), classifier(keys, { codegen: false })]
        for (const text of some) {
          const expected = ownerOf(text, keys)
          expect(one.owner(text)?.key).toBe(expected)
          expect(other.owner(text)).toEqual(one.owner(text))
          if (expected)
            expect(one.owner(text)!.params).toEqual(keyFormat(expected.pattern, expected.params).locate(text))
        }
      }),
      { numRuns: runs(500, 20_000) },
    )
  })
})
