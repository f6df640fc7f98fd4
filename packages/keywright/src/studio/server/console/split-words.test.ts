import { expect, it } from "vitest"
import { splitWords } from "./split-words.ts"

const texts = (line: string) => {
  const split = splitWords(line)
  return "problem" in split ? split.problem : split.words.map(({ bytes }) => bytes.toString("latin1"))
}

it.each([
  ["", []],
  ["  ", []],
  ["GET a", ["GET", "a"]],
  ["\tGET\n a ", ["GET", "a"]],
  ['SET k "two words"', ["SET", "k", "two words"]],
  ["SET k 'it\\'s'", ["SET", "k", "it's"]],
  ["SET k 'a\\n'", ["SET", "k", "a\\n"]],
  ['SET k "a\\r\\nFLUSHALL"', ["SET", "k", "a\r\nFLUSHALL"]],
  ['SET k "\\x00\\xff\\\\\\""', ["SET", "k", '\0ÿ\\"']],
  ['SET k ""', ["SET", "k", ""]],
  ["GET a\u00a0b", ["GET", "a", "b"]],
  ["GET {x}:*?", ["GET", "{x}:*?"]],
])("%j is %j", (line, words) => {
  expect(texts(line)).toEqual(words)
})

it("keeps text as UTF-8, and says where words begin", () => {
  const split = splitWords('GET "ключ 😀"')
  expect("words" in split && split.words.map(({ bytes, from }) => [bytes.toString(), from])).toEqual([
    ["GET", 0],
    ["ключ 😀", 4],
  ])
})

it.each([
  ['GET "a', "a quote is not closed"],
  ['GET "a\\', "a quote is not closed"],
  ["GET 'a\\'", "a quote is not closed"],
  ['GET "a"b', "a quoted word must be followed by a space"],
  ['GET a"b"', "a quote in the middle of a word"],
])("%j is refused", (line, problem) => {
  expect(texts(line)).toBe(problem)
})
