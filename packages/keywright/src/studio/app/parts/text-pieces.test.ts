import { describe, expect, it } from "vitest"
import { textPieces } from "./text-pieces.ts"

const shown = (text: string, newlines?: "keep" | "show") =>
  textPieces(text, newlines)
    .map(({ text: piece, odd }) => (odd ? `[${piece}]` : piece))
    .join("")

describe("text of any origin", () => {
  it("stays as it is where it can be seen", () => {
    expect(textPieces("cart:{é} <b>🙂</b>")).toEqual([{ text: "cart:{é} <b>🙂</b>", odd: false }])
  })

  it("shows what would hide itself by its number", () => {
    expect(shown("a\0b\u202ec\u200bd\x1b[31m")).toBe("a[\\x00]b[\\u{202e}]c[\\u{200b}]d[\\x1b][31m")
    expect(shown("lone \ud800 half")).toBe("lone [\\u{d800}] half")
  })

  it("stacks no more accents on a letter than any language writes", () => {
    expect(shown("e\u0301, a" + "\u0300".repeat(10) + "b\u0300")).toBe(
      "e\u0301, a" + "\u0300".repeat(8) + "[\\u{300}][\\u{300}]b\u0300",
    )
  })

  it("keeps line breaks in longer text only", () => {
    expect(shown("a\nb\tc\r")).toBe("a[\\n]b[\\t]c[\\r]")
    expect(shown("a\nb\tc\r", "keep")).toBe("a\nb\tc[\\r]")
  })
})
