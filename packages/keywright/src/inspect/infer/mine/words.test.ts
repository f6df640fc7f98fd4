import { expect, it } from "vitest"
import { camel, nameWords, singular, unique } from "./words.ts"

it.each([
  ["categories", "category"],
  ["boxes", "box"],
  ["dishes", "dish"],
  ["users", "user"],
  ["people", "person"],
  ["status", "status"],
  ["statuses", "status"],
  ["basis", "basis"],
  ["class", "class"],
  ["gas", "gas"],
])("one of %s is a %s", (word, one) => {
  expect(singular(word)).toBe(one)
})

it.each([
  ["recent_posts_for", ["recent", "posts", "for"]],
  ["userProfile2Data", ["user", "Profile2", "Data"]],
  [":a::b:", ["a", "b"]],
  ["", []],
])("%j has the words %j", (text, words) => {
  expect(nameWords(text)).toEqual(words)
})

it.each([
  [["recent", "posts"], "recentPosts"],
  [["API", "key"], "apiKey"],
  [["user", "ID"], "userId"],
  [["2fa"], "k2fa"],
  [["café"], "cafe"],
  [["漢"], "key"],
])("%j are called %s", (words, name) => {
  expect(camel(words)).toBe(name)
})

it("takes the next name where one is taken or reserved", () => {
  const taken = new Set<string>()
  const made = [unique("a", taken), unique("a", taken, ["b"]), unique("a", taken, ["b"]), unique("class", taken)]
  expect(made).toEqual(["a", "b", "a2", "classKey"])
  expect([...taken]).toEqual(made)
})

it.each(["eval", "arguments", "package", "interface", "await"])(
  "%s, which no constant of a module may be called, is reserved",
  (name) => {
    expect(unique(name, new Set())).toBe(`${name}Key`)
  },
)
