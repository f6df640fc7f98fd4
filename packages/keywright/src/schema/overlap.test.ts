import { describe, expect, it } from "vitest"
import { SchemaError } from "../errors/error.ts"
import type { TextCodec } from "./codec/codec.ts"
import { compactDay, day, isoInstant, month } from "./codec/date.ts"
import { text } from "./codec/text.ts"
import { string } from "./define.ts"
import { classifier } from "./classify/classify.ts"
import { oneOf } from "./codec/one-of.ts"
import type { Entries } from "./group.ts"
import { keyspace } from "./keyspace.ts"
import { slotsOf } from "./locate.ts"
import { automaton, comparison } from "./overlap.ts"

/** The key with which two patterns are refused; undefined when they are taken. */
function collision(one: string, other: string, codec: TextCodec = text): string | undefined {
  try {
    const def = (pattern: string) => string(pattern as "{x}", text, { params: { x: codec } as {} })
    keyspace({ one: def(one), other: def(other) })
    return undefined
  } catch (error) {
    if (error instanceof SchemaError && error.code === "KEYSPACE.AMBIGUOUS") return error.key
    throw error
  }
}

describe("two patterns of which neither is more literal", () => {
  it("are refused with a key that both are", () => {
    expect(collision("a:{x}", "a:{x}")).toBe("a:x")
    expect(collision("a{x}", "{x}b")).toBe("ab")
    expect(collision("a{x}", "{x}a")).toBeUndefined()
  })

  it("are refused with a date where a parameter is one", () => {
    expect(collision("a:{x}", "a:{x}", month)).toBe("a:1111-11")
    expect(collision("a:{x}", "a:{x}", day)).toBe("a:1111-11-11")
    expect(collision("a:{x}", "a:{x}", compactDay)).toBe("a:11111111")
    expect(collision("a:{x}", "a:{x}", isoInstant)).toMatch(/^a:1111-11-11T/)
  })

  it("are told apart by letters of all languages", () => {
    expect(collision("{x}:é", "{x}:é")).toBe("x:é")
    expect(collision("{x}é", "ü{x}")).toBe("üé")
    expect(collision("{x}🙂", "{x}🙂")).toBe("x🙂")
    expect(collision("{x}:é", "{x}:ü")).toBeUndefined()
    expect(collision("{x}:🙂", "{x}:😀")).toBeUndefined()
  })
})

describe("300 patterns of 12 parameters, with all kinds of signs between them", () => {
  const signs = "-_./|+=@~!%^&,;#"
  const names = Array.from({ length: 12 }, (_, i) => `{p${i}}`)
  const spell = (i: number, word: string) =>
    names.map((name, j) => `${name}${signs[(i * (j + 3) + j * j) % signs.length]}${word}`).join("")
  const spaceOf = (def: (i: number) => unknown) =>
    keyspace(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, def(i)])) as Entries)

  it("are compared in no time where they end with different words", () => {
    const { keys } = spaceOf((i) => string(`${spell(i, "abcdefghijabcdefghij")}:k${i}` as "a", text))
    const key = keys[7]!.pattern.replace(/\{\w+\}/g, "x")
    expect(classifier(keys).owner(key)?.key.name).toBe("k7")
  })

  it("are compared, and their keys told apart by a codec, where nothing else differs", () => {
    const { keys } = spaceOf((i) => {
      const end = { params: { end: oneOf(`a${i}`, `b${i}`) } as {} }
      return string(`${spell(i, "")}:{end}` as "{end}", text, end)
    })
    const key = keys[7]!.pattern.replace("{end}", "b7").replace(/\{\w+\}/g, "x")
    expect(classifier(keys).owner(key)?.key.name).toBe("k7")
  })

  it("are not compared for ever: after a number of steps the rest stays unknown", () => {
    const { overlap, isExhausted } = comparison(10_000)
    const automata = Array.from({ length: 20 }, (_, i) => automaton(...slotsOf(`${spell(i, "ab".repeat(30))}:k`, {})))
    expect(overlap(automata[0]!, automata[0]!)?.literal).toBe(0)
    expect(isExhausted()).toBe(false)
    for (const one of automata) for (const other of automata) overlap(one, other)
    expect(isExhausted()).toBe(true)
  })
})
