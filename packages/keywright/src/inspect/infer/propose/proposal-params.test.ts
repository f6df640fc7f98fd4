import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { token } from "../mine/segments.cases.ts"
import { placesOf } from "../structure/places.ts"
import { times } from "../values/values.cases.ts"
import { idsOf, nameParams, noIds, paramSpec } from "./proposal-params.ts"

const domain = (name: string, ...patterns: Pattern[]) => ({ name, places: patterns.flatMap(placesOf) })
const keyed = (spelling: string, texts: readonly string[]) =>
  patternOfKeys(
    spelling,
    "list",
    texts.map((text) => [spelling.replace(/\{\w+\}/, text), ["a b"]]),
  )
const users = keyed("user:{int}", ["1", "2"])
const slugs = keyed("page:{word}", ["home", "news"])
const texts = patternFrom("user:{int}", "string", [['{"id":"0"}'], ['{"id":"1"}']])
const sessions = keyed("session:{token}", times(3, token))

it.each<[string, object, Pattern]>([
  ["numbers", { codec: "id", name: "user", of: { codec: "int" } }, users],
  ["texts", { codec: "id", name: "user", of: { codec: "text" } }, slugs],
  ["numbers that documents keep as texts", { codec: "id", name: "user", of: { codec: "text" } }, texts],
  ["what opens doors", { codec: "secret", of: { codec: "id", name: "user", of: { codec: "text" } } }, sessions],
])("ids that are %s: %j", (_, spec, pattern) => {
  const ids = idsOf([domain("user", pattern)], [])
  expect([ids.spec(pattern, "{0}"), ids.of(pattern, "{0}"), ids.isSecret(pattern, 0)]).toEqual([
    spec,
    "user",
    pattern === sessions,
  ])
})

it("calls the ids of two things by two names, and knows nothing of others", () => {
  const [more, other] = [keyed("guest:{int}", ["7", "8"]), keyed("x:{int}", ["1"])]
  const ids = idsOf([domain("user", users), domain("user", more), domain("user", slugs)], [])
  expect([users, more, slugs, other].map((one) => ids.of(one, "{0}"))).toEqual([
    "user",
    "userNumber",
    "userName",
    undefined,
  ])
})

const words = patternOfKeys(
  "jobs:{int}:{word}",
  "list",
  times(6, (i) => `jobs:${i}:${["open", "done"][i % 2]!}`).map((key) => [key, ["a b"]]),
)
const odd = (change: (pattern: Pattern) => void): Pattern => {
  const pattern = keyed("page:{word}", ["home", "news"])
  change(pattern)
  return pattern
}
const matching = { param: 0, form: "\\D+", whole: /^\D+$/u }
it.each<[string, object | undefined, Pattern, param: number]>([
  ["a plain text", undefined, slugs, 0],
  ["a number", { codec: "int" }, users, 0],
  ["a day", { codec: "day" }, patternFrom("dau:{day}"), 0],
  ["a few words that come again and again, which may become more", undefined, words, 1],
  [
    "a text with a sign",
    { codec: "id", name: "page", of: { codec: "text" }, allow: ":" },
    odd(({ row }) => (row.allow[0] = ":")),
    0,
  ],
  [
    "a text of one form",
    { codec: "id", name: "page", of: { codec: "text" }, matching: "\\D+" },
    odd(({ row }) => (row.matching = matching)),
    0,
  ],
  ["a secret", { codec: "secret", of: { codec: "id", name: "session", of: { codec: "text" } } }, sessions, 0],
])("the codec of %s: %j", (_, spec, pattern, param) => {
  expect(paramSpec(pattern, param, idsOf([], []))).toEqual(spec)
})

it("takes no more texts than the pattern was found by, regardless of whose ids they are", () => {
  const pattern = odd(({ row }) => (row.matching = matching))
  expect(paramSpec(pattern, 0, idsOf([domain("page", pattern)], []))).toEqual({
    codec: "id",
    name: "page",
    of: { codec: "text" },
    matching: "\\D+",
  })
  expect(paramSpec(words, 1, noIds)).toBeUndefined()
})

it("names parameters by their ids, and never one twice", () => {
  const pattern = patternFrom("friend:{int}:{int}", "set", [["x"]], ["friend", "id"])
  nameParams(pattern, { ...noIds, of: () => "user" })
  expect(pattern.names).toEqual(["user", "id"])
})
