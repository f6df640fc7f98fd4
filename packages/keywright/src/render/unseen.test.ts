import { expect, it } from "vitest"
import { charName, unseen } from "./unseen.ts"

it.each([
  ["a newline", "\n", "\\n"],
  ["an escape", "\x1b", "\\x1b"],
  ["a C1 control", "\x9b", "\\x9b"],
  ["a zero-width space", "\u200b", "\\u{200b}"],
  ["a bidi override", "\u202e", "\\u{202e}"],
  ["a line separator", "\u2028", "\\u{2028}"],
  ["a lone surrogate", "\ud800", "\\u{d800}"],
  ["a Hangul filler", "\u3164", "\\u{3164}"],
  ["a tag character", "\u{e0041}", "\\u{e0041}"],
])("%s is shown by its number", (_, char, name) => {
  expect(unseen.test(char)).toBe(true)
  expect(charName(char)).toBe(name)
})

it.each(["a", "é", "文", "😀", " ", "-"])("%s is seen", (char) => {
  expect(unseen.test(char)).toBe(false)
})
