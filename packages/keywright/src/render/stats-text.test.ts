import { expect, it } from "vitest"
import type { DatabaseStats, PatternStats, StatsResult } from "../inspect/stats/stats.ts"
import { plain } from "./paint.cases.ts"
import { statsText } from "./stats-text.ts"

const row = (pattern: string, keys: number, bytes: number, without = 0): PatternStats =>
  ({
    pattern,
    keys,
    bytes,
    types: keys === 0 ? {} : { hash: keys },
    ttl: { none: without, "under a day": keys - without },
    sizes: { "under 1 kB": keys },
    biggest: keys === 0 ? [] : [{ key: "k", type: "hash", bytes: 64 }],
  }) as unknown as PatternStats
const database = (db: number, patterns: PatternStats[], unknown: PatternStats[] = []): DatabaseStats =>
  ({ db, patterns, toolkit: [], unknown, keys: 3, bytes: 400, sizes: { "under 1 kB": 3 } }) as unknown as DatabaseStats
const result = (databases: DatabaseStats[], biggest: object[] = []): StatsResult =>
  ({ keys: 3, bytes: 400, sizes: { "under 1 kB": 3 }, databases, biggest, unreadable: [] }) as unknown as StatsResult
const head = "pattern  type  keys  memory    share  no TTL  biggest"

it.each<[string, StatsResult, boolean, string[]]>([
  [
    "patterns by size, and how many have no keys",
    result([database(0, [row("a:{x}", 1, 100), row("b:{x}", 2, 300, 2), row("c", 0, 0)])]),
    false,
    [
      head.replace("   share", "  share"),
      "b:{x}    hash     2   300 B  75.0 %     all     64 B",
      "a:{x}    hash     1   100 B  25.0 %       0     64 B",
      "1 declared patterns have no keys (--all shows them)",
      "",
      "3 keys, 400 B",
    ],
  ],
  [
    "what nobody owns",
    result([database(0, [], [row("z:*", 3, 400)])]),
    false,
    [
      head,
      "? z:*    hash     3   400 B  100.0 %       0     64 B",
      "? marks keys that no pattern owns, by what their pattern may be",
      "",
      "3 keys, 400 B",
    ],
  ],
  [
    "several databases, each under its number",
    result([database(0, [row("a", 1, 400)]), { ...database(4, []), keys: 0 }]),
    false,
    ["Database 0  3 keys, 400 B", head, "a        hash     1   400 B  100.0 %       0     64 B", "", "3 keys, 400 B"],
  ],
])("shows %s", (_, stats, all, lines) => {
  expect(statsText(stats, { all, width: 100 }, plain).split("\n")).toEqual(lines)
})

it("shows all when asked, and the biggest keys", () => {
  const text = statsText(
    result([database(0, [row("c", 0, 0)])], [{ key: "k:1", type: "list", bytes: 2048 }]),
    { all: true, width: 100 },
    plain,
  )
  expect(text).toContain("c        -        0     0 B  0.0 %     all        -")
  expect(text).toContain("Biggest keys\nmemory  type  key\n2.0 kB  list  k:1")
})
