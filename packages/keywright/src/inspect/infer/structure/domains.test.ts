import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { token } from "../mine/segments.cases.ts"
import { times } from "../values/values.cases.ts"
import { domainsOf } from "./domains.ts"
import { type IdPlace, placeName, placesOf } from "./places.ts"

const set = (key: string, members: readonly string[]) => patternOfKeys(key, "set", [[key, members]])
const keyed = (spelling: string, texts: readonly string[], type = "list", value = "a b") =>
  patternOfKeys(
    spelling,
    type,
    texts.map((text) => [spelling.replace(/\{\w+\}/, text), [value]]),
  )
const numbers = (from: number, count: number) => times(count, (i) => String(from + i))
const scattered = times(8, (i) => String(7_000_000 + 977_003 * i))
const far = times(8, (i) => String(1000 + 977 * i))

/** `"user: 0 user:{int} {0}, 0 users member"` */
const shown = (patterns: readonly Pattern[], isHome: (place: IdPlace) => string | undefined = () => undefined) =>
  domainsOf(patterns.flatMap(placesOf), isHome).map(
    ({ name, places }) => `${name}: ${places.map(placeName).join(", ")}`,
  )

it.each<[string, string[], Pattern[]]>([
  [
    "long ids that stand in both",
    ["token: 0 a:{text} {0}, 0 tokens member"],
    [keyed("a:{token}", times(4, token)), set("tokens", times(4, token))],
  ],
  [
    "small numbers under the same word",
    ["user: 0 user:{int} {0}, 0 users member"],
    [keyed("user:{int}", numbers(1, 5)), set("users", numbers(1, 5))],
  ],
  ["small numbers under other words", [], [keyed("user:{int}", numbers(1, 5)), set("posts", numbers(1, 5))]],
  [
    "the same numbers under other words, which anybody may have counted to",
    [],
    [keyed("user.{int}", far), keyed("product:{int}", far), keyed("pin-{int}", far)],
  ],
  [
    "the same numbers under a word and in a collection, which is called by what it is for",
    ["schedule: 0 inv:{int} {0}, 0 schedule member"],
    [keyed("inv:{int}", far), set("schedule", far)],
  ],
  [
    "numbers under other words that nobody has by chance",
    ["order: 0 order:{int} {0}, 0 basket:{int} {0}"],
    [keyed("order:{int}", scattered), keyed("basket:{int}", scattered)],
  ],
  [
    "other numbers under the same word, far away",
    [],
    [keyed("user:{int}", numbers(1, 5)), set("users", numbers(900, 5))],
  ],
  [
    "numbers of the same counter under the same word",
    ["user: 0 user:{int} {0}, 0 users member"],
    [keyed("user:{int}", numbers(1, 5)), set("users", numbers(6, 3))],
  ],
  [
    "a word and its first letter",
    ["project: 0 P:{int} {0}, 0 project:{int} {0}"],
    [keyed("P:{int}", numbers(1, 5)), keyed("project:{int}", numbers(1, 5))],
  ],
  ["texts of which two are in both", [], [set("likes", ["x1", "x2", "y1"]), set("votes", ["x1", "x2", "z1"])]],
  ["nothing but one place", [], [keyed("user:{int}", numbers(1, 5))]],
])("%s: %j", (_, domains, patterns) => {
  expect(shown(patterns)).toEqual(domains)
})

it("names two things apart that are two entities, whatever their numbers", () => {
  const [user, post] = [keyed("user:{int}", far), keyed("post:{int}", far)]
  expect(shown([user, post], ({ pattern }) => (pattern === user ? "user" : "post"))).toEqual([
    "user: 0 user:{int} {0}",
    "post: 0 post:{int} {0}",
  ])
})

it("finds an entity's ids under the word of another that has nearly none of them", () => {
  const [user, cart, cache] = [
    keyed("user:{int}", numbers(1, 9)),
    keyed("cart:{int}", numbers(40, 9)),
    keyed("cache:cart:{int}", numbers(1, 9)),
  ]
  const homes = new Map([
    [user, "user"],
    [cart, "cart"],
  ])
  expect(shown([user, cart, cache], ({ pattern }) => homes.get(pattern))).toEqual([
    "user: 0 user:{int} {0}, 0 cache:cart:{int} {0}",
    "cart: 0 cart:{int} {0}",
  ])
})

it("calls what opens doors by what it is", () => {
  const tokens = times(4, token)
  expect(shown([keyed("login:{token}", tokens), set("recent", tokens)])[0]).toMatch(/^token: /)
})

it("keeps the fields of one record apart", () => {
  const rows = far.map((n) => ["from", n, "till", n])
  expect(shown([patternFrom("trip:{int}", "hash", rows)])).toEqual([])
})
