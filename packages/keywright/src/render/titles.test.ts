import { expect, it } from "vitest"
import { sectionTitle, shorter, throughText } from "./titles.ts"

it.each([
  ["group", "service.channel", "service › channel"],
  ["database", "0.5", "0.5"],
] as const)("the title of a %s, %s", (kind, title, shown) => {
  expect(sectionTitle({ kind, title } as never)).toBe(shown)
})

it.each([
  [{ field: "userId" }, "its `userId`"],
  [{ index: "byUser", unique: false }, "index `byUser` of order"],
  [{ set: "likes", param: "post" }, "the set `likes`"],
])("a relation through %o", (via, text) => {
  expect(throughText({ via, target: "order" } as never, (name) => `\`${name}\``)).toBe(text)
})

it.each([
  ["abcdef", 6, "abcdef"],
  ["abcdefg", 6, "abcde…"],
])("%s in a box of %i", (text, most, shown) => {
  expect(shorter(text, most)).toBe(shown)
})
