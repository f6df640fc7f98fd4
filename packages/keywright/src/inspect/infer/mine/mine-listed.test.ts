import { expect, it } from "vitest"
import type { Learned } from "./mine.ts"
import { isListed, listedIn } from "./mine-listed.ts"

const listed = listedIn([
  { key: "app:queues", names: ["default", "mails", "low", "high", "slow", "fast"] },
  { key: "plain" },
] as unknown as Learned[])

it.each<[string, words: string[], before: string, known: string[], boolean]>([
  ["one that is named alike", ["default"], "queue:", [], true],
  ["one that is named otherwise", ["default"], "stats:", [], false],
  ["most of the list, whatever it is called", ["default", "mails", "low"], "stats:", [], true],
  ["words that are data elsewhere", ["default"], "stats:", ["default"], true],
  ["mostly others", ["default", "x", "y"], "queue:", [], false],
])("%s", (_, words, before, known, is) => {
  expect(isListed(words, [before], listed, new Set(known))).toBe(is)
})
