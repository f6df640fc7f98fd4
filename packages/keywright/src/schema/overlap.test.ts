import { describe, expect, it } from "vitest"
import { SchemaError } from "../errors/error.ts"
import type { TextCodec } from "./codec/codec.ts"
import { compactDay, day, isoInstant, month } from "./codec/date.ts"
import { text } from "./codec/text.ts"
import { string } from "./define.ts"
import { keyspace } from "./keyspace.ts"

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
