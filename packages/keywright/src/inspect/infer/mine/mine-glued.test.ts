import { expect, it } from "vitest"
import { gluedWord } from "./mine-glued.ts"
import { hex, token } from "./segments.cases.ts"

const eight = (make: (n: number) => string) => Array.from({ length: 8 }, (_, n) => make(n))

it.each<[string, string[], string]>([
  ["a word before digests", eight((n) => `cache${hex(n, 32)}`), "cache"],
  ["a tag with its sign", eight((n) => `sess_${token(n)}`), "sess_"],
  ["fewer than eight", eight((n) => `cache${hex(n, 32)}`).slice(1), ""],
  ["the same one again and again", eight(() => `cache${hex(1, 32)}`), ""],
  ["a word that is too short", eight((n) => `app${hex(n, 32)}`), ""],
  ["what is too short for an id", eight((n) => `cache${hex(n, 11)}`), ""],
  ["digests alone", eight((n) => hex(n, 32)), ""],
])("%s", (_, texts, word) => {
  expect(gluedWord(texts)).toBe(word)
})
