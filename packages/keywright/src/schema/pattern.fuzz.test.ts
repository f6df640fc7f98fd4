/* Texts that somebody might take for patterns, and keys that somebody might take for theirs:
 * refused with a SchemaError, or taken apart and put together again to the same. */

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fuzzing, mutated } from "../../../../test/fuzz.ts"
import { SchemaError } from "../errors/error.ts"
import { classifier } from "./classify/classify.ts"
import { text } from "./codec/text.ts"
import { string } from "./define.ts"
import { keyBuilder } from "./key-builder.ts"
import { keyFormat } from "./key-format.ts"
import { keyspace } from "./keyspace.ts"
import { parsePattern } from "./pattern.ts"

const PIECES = [
  ..."{}:*?[]\\^|-_.aZ0 \n\t\u0000é",
  ...["{id}", "{{id}}", "{b}", "{constructor}", "{__proto__}", "{a b}", "{}", "::", "a:", ":b", "\u{1f388}", "\ud800"],
  "x".repeat(600),
]
const patterns = fc.oneof(
  mutated("user:{id}:cart:{b}:x", PIECES),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((all) => all.join("")),
)
const segments = fc.oneof(
  fc.constantFrom(...PIECES, "1", "ab", "a.b@c"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
)

/** Its result; undefined when the schema refuses it. Anything else that is thrown fails the test. */
function accepted<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof SchemaError) return undefined
    throw error
  }
}

const spelled = (pattern: string): string =>
  parsePattern(pattern)
    .map((part) => (typeof part === "string" ? part : `{${part.param}}`))
    .join("")

describe("any text as a pattern", () => {
  it("is refused, or spelled again as it was", () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        const again = accepted(() => spelled(pattern))
        if (again !== undefined) expect(again).toBe(pattern)
      }),
      fuzzing(5000),
    )
  })

  it("builds keys that are taken apart to the same, and takes no key apart that it would not build", () => {
    fc.assert(
      fc.property(
        patterns,
        fc.array(segments, { minLength: 4, maxLength: 4 }),
        fc.string(),
        (pattern, values, other) => {
          const format = accepted(() => keyFormat(pattern))
          if (format === undefined) return
          const names = parsePattern(pattern).flatMap((part) => (typeof part === "string" ? [] : [part.param]))
          const params = Object.fromEntries(names.map((name, i) => [name, values[i % values.length]!]))
          const key = accepted(() => format.build(params))
          if (key !== undefined) {
            expect(format.locate(key)).toEqual(params)
            expect(format.parse(key)).toEqual(params)
          }
          for (const candidate of [other, values.join(":"), `${key ?? ""}${other}`]) {
            const found = format.parse(candidate)
            if (found !== undefined) expect(accepted(() => format.build(found))).toBe(candidate)
          }
        },
      ),
      fuzzing(4000),
    )
  })

  it("shares no key with another one in a keyspace, or the keyspace is refused", () => {
    fc.assert(
      fc.property(patterns, patterns, fc.array(segments, { minLength: 4, maxLength: 4 }), (one, other, values) => {
        const space = accepted(() =>
          keyspace({ one: string(one, text), other: string(other, text) } as never, { ttl: "never" }),
        )
        if (space === undefined) return
        const { keys, classify } = classifier(space.keys)
        for (const row of space.keys) {
          const params = Object.fromEntries(Object.keys(row.params).map((name, i) => [name, values[i % 4]!]))
          const key = accepted(() => keyBuilder(row, space.keys)(params))
          if (key !== undefined) expect(keys[classify(key)]?.pattern).toBe(row.pattern)
        }
      }),
      fuzzing(1500),
    )
  })
})
