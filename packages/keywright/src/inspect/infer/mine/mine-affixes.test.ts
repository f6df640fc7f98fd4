import { expect, it } from "vitest"
import { affixed } from "./mine-affixes.ts"
import { itemsOf, spelled } from "./pattern.cases.ts"
import { NAMES } from "./segments.cases.ts"

const eight = (make: (name: string) => string) => NAMES.slice(0, 8).map(make)

it.each<[string, string[], at: number, patterns: string[], left: number]>([
  ["names before the same words", eight((name) => `${name}_liked_posts`), 0, ["{text}_liked_posts"], 0],
  ["names after the same words", eight((name) => `config.${name}`), 0, ["config.{text}"], 0],
  ["names between the same words", eight((name) => `user_${name}_profile`), 0, ["user_{text}_profile"], 0],
  [
    "names between the same words of a later segment",
    eight((name) => `a:user_${name}_profile`),
    1,
    ["user_{text}_profile"],
    0,
  ],
  ["fewer than eight names", eight((name) => `config.${name}`).slice(1), 0, [], 7],
  ["one name again and again", eight(() => "config.alice"), 0, [], 8],
  ["an affix of two letters", eight((name) => `my.${name}`), 0, [], 8],
  ["names before and after, in a later segment", eight((name) => `a:config.${name}`), 1, [], 8],
  ["names after the same words, where a separator says more", eight((name) => `config.${name}:x`), 0, [], 8],
])("%s", (_, keys, at, patterns, left) => {
  const { apart, rest } = affixed(itemsOf(keys), at)
  expect(apart.map(({ parts }) => spelled(parts))).toEqual(patterns)
  expect(rest.length).toBe(left)
  expect(apart.flatMap(({ items }) => items).length + rest.length).toBe(keys.length)
})

it("gives each key to one affix: the longest that enough names share", () => {
  const keys = [...eight((name) => `${name}_posts`), ...eight((name) => `${name}_liked_posts`)]
  const { apart } = affixed(itemsOf(keys), 0)
  expect(apart.map(({ parts, items }) => [spelled(parts), items.length])).toEqual([
    ["{text}_liked_posts", 8],
    ["{text}_posts", 8],
  ])
})
