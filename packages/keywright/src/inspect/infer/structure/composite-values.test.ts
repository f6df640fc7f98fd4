import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { idsOf, noIds } from "../propose/proposal-params.ts"
import { withCompositeValues } from "./composite-values.ts"
import { placesOf } from "./places.ts"

const tokens = ["x1", "x2", "x3"]
const keyed = (spelling: string, texts = tokens) =>
  patternOfKeys(
    spelling,
    "list",
    texts.map((text) => [spelling.replace(/\{\w+\}/, text), ["a b"]]),
  )
const [access, refresh, loose] = [keyed("AccTok:{mixed}"), keyed("RefTok:{mixed}"), keyed("{mixed}:x")]
const members = (...texts: string[]) => patternFrom("some", "set", [texts])

const keys = (found: Record<string, string>) => ({ codec: "keyOf", keys: found })
it.each<[string, object | undefined, Pattern, Pattern[]]>([
  ["keys of one pattern", keys({ accTok: "AccTok:{accTok}" }), members(...tokens.map((t) => `AccTok:${t}`)), [access]],
  [
    "keys of two patterns",
    keys({ accTok: "AccTok:{accTok}", refTok: "RefTok:{refTok}" }),
    members("AccTok:x1", "RefTok:x2", "AccTok:x3"),
    [access, refresh],
  ],
  [
    "keys that two patterns have, of which the more specific one is meant",
    keys({ meta: "bull:{bull}:meta" }),
    members("bull:x1:meta", "bull:x2:meta", "bull:x3:meta"),
    [keyed("bull:{mixed}:{mixed}"), keyed("bull:{mixed}:meta")],
  ],
  ["texts of which one is not a key", undefined, members("AccTok:x1", "AccTok:x2", "Other:x3"), [access, refresh]],
  ["two keys", undefined, members("AccTok:x1", "AccTok:x2"), [access]],
  ["keys of a pattern that takes nearly anything", undefined, members("a1:x", "b1:x", "c1:x"), [loose]],
  ["keys of another database", undefined, members(...tokens.map((t) => `AccTok:${t}`)), [{ ...access, db: 1 }]],
])("%s: %j", (_, spec, pattern, others) => {
  expect(withCompositeValues(noIds, [pattern, ...others], []).spec(pattern, "member")).toEqual(spec)
})

const people = keyed("person:{word}", ["ada", "bob", "eve"])
const pages = keyed("page:{word}", ["news", "home", "shop"])
const domains = [
  { name: "person", places: placesOf(people).filter(({ at }) => "param" in at) },
  { name: "page", places: placesOf(pages).filter(({ at }) => "param" in at) },
]
const ids = idsOf(domains, [])
const id = (name: string) => ({ codec: "id", name, of: { codec: "text" } })
it.each<[string, object | undefined, string[]]>([
  ["a tag and an id", { codec: "tagged", tags: { u_: id("person"), c_: id("page") } }, ["u_ada", "c_news", "u_eve"]],
  ["a tag and something else", undefined, ["u_ada", "c_news", "u_nobody"]],
  ["some without a tag", undefined, ["u_ada", "c_news", "eve"]],
  ["two texts", undefined, ["u_ada", "c_news"]],
])("%s: %j", (_, spec, texts) => {
  const pattern = members(...texts)
  expect(withCompositeValues(ids, [pattern, people, pages], domains).spec(pattern, "member")).toEqual(spec)
})

it("leaves what is known as it is", () => {
  expect(withCompositeValues(ids, [people, pages], domains).spec(people, "{0}")).toEqual(id("person"))
})
