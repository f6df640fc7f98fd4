import { expect, test } from "vitest"
import type { ShownChange } from "../../api.ts"
import { byLevel } from "./by-level.ts"

const change = (code: ShownChange["code"], level: ShownChange["level"]) => ({ code, level }) as ShownChange

test("the worst comes first, changes keep their order, and levels without any are left out", () => {
  const groups = byLevel([
    change("PATTERN.ADDED", "harmless"),
    change("PATTERN.MOVED", "silent"),
    change("ENUM.ADDED", "breaks-readers"),
    change("TTL.SHORTENED", "silent"),
  ])
  expect(groups.map(({ title, changes }) => [title, ...changes.map(({ code }) => code)])).toEqual([
    ["Goes wrong silently", "PATTERN.MOVED", "TTL.SHORTENED"],
    ["Breaks readers", "ENUM.ADDED"],
    ["Harmless", "PATTERN.ADDED"],
  ])
})
