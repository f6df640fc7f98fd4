import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { times } from "../values/values.cases.ts"
import { seenOf } from "./seen.ts"

const list = (length: number) => times(length, (i) => `item ${i}`)
const words = ["default", "high", "low"]

it.each<[string, string[], Pattern]>([
  ["a few keys that have no TTL", ["seen: no TTL"], patternFrom("a:{int}")],
  [
    "deadlines that may be longer elsewhere",
    ["seen: TTLs of at most 10m"],
    patternOfKeys("a:{int}", "string", [["a:1", ["x y"]]], { ttlMs: () => 540_000 }),
  ],
  [
    "lengths that may be chance",
    ["seen: no TTL", "seen: at most 27"],
    patternFrom("feed:{int}", "list", [27, 27, 27, 27, 27, 26, 3, 4].map(list)),
  ],
  [
    "words of a parameter",
    ["seen: no TTL", "{queue} seen: default, high, low"],
    patternOfKeys(
      "queue:{word}:{int}",
      "list",
      times(9, (i) => `queue:${words[i % 3]}:${i}`).map((key) => [key, ["a b"]]),
      { names: ["queue", "n"] },
    ),
  ],
  [
    "values of a field, but not of a secret one",
    ["seen: no TTL", "origin seen: default, high, low"],
    patternFrom(
      "job:{int}",
      "hash",
      times(30, String).map((n) => ["origin", words[Number(n) % 3]!, "password", words[Number(n) % 3]!]),
    ),
  ],
])("mentions %s", (_, seen, pattern) => {
  expect(seenOf(pattern)).toEqual(seen)
})
