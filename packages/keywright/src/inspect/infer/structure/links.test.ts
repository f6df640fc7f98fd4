import { expect, it } from "vitest"
import { askOf, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import type { Ids } from "../propose/proposal-params.ts"
import type { FoundEntity } from "./found-entity.ts"
import { namedLinks, type Proved, provedLinks } from "./links.ts"

const single = (key: string, type: string, elements: string[]) => patternOfKeys(key, type, [[key, elements]])
const all = (spelling: string, type: string, held: Record<string, string[]>) =>
  patternOfKeys(spelling, type, Object.entries(held))
const map = (key: string, fields: string[]) =>
  single(
    key,
    "hash",
    fields.flatMap((field) => [field, "a b"]),
  )
const timed = (key: string, members: string[]) =>
  single(
    key,
    "zset",
    members.flatMap((member, i) => [member, `${1_700_000_000 + i}`]),
  )
const ids = ["17", "18", "19"]
const many = Array.from({ length: 10 }, (_, i) => `${17 + i}`)
const shown = (proved: readonly Proved[]) =>
  proved.map(({ kind, one, other }) => `${kind} ${one.row.pattern()} ${other.row.pattern()}`)

const likes = all("user:{int}:likes", "set", { "user:1:likes": ["71", "72"], "user:2:likes": ["71"] })
const fans = all("post:{int}:fans", "set", { "post:71:fans": ["1", "2"], "post:72:fans": ["1"] })
const oneSided = all("post:{int}:fans", "set", { "post:71:fans": ["1"], "post:72:fans": ["1"] })
const statuses = all("S:{int}:St:{int}", "hash", {
  "S:1:St:7": ["a", "1", "b", "x y"],
  "S:1:St:8": ["a", "2", "b", "y z"],
  "S:2:St:9": ["a", "3", "b", "z x"],
})
const online = all("S:{int}:On", "set", { "S:1:On": ["7", "8"], "S:2:On": ["9"] })
const elsewhere = all("S:{int}:On", "set", { "S:1:On": ["7", "9"], "S:2:On": ["9"] })

it.each<[string, string[], Pattern[]]>([
  ["fields and times of the same ids", ["same names seen"], [map("names", many), timed("seen", many)]],
  ["of which one has more", [], [map("names", [...many, "99"]), timed("seen", many)]],
  ["nine ids", [], [map("names", many.slice(1)), timed("seen", many.slice(1))]],
  ["all that are there in a set, for now", ["alike online names"], [single("online", "set", many), map("names", many)]],
  ["two boards of the same players, for now", ["alike daily weekly"], [timed("daily", many), timed("weekly", many)]],
  ["a board and what is beside it", ["same daily daily:seen"], [timed("daily", many), timed("daily:seen", many)]],
  [
    "two boards and what is beside them",
    ["alike day:info week", "same day:info day", "alike week day"],
    [map("day:info", many), timed("week", many), timed("day", many)],
  ],
  ["a name that only begins like another", ["alike day days"], [timed("day", many), timed("days", many)]],
  ["sets by each other's ids", ["inverse user:{p0}:likes post:{p0}:fans"], [likes, fans]],
  ["sets of which one lacks the other", [], [likes, oneSided]],
  ["members that have a key", ["reference S:{p0}:On S:{p0}:St:{p1}"], [online, statuses]],
  ["members of which one has no key", [], [elsewhere, statuses]],
  [
    "members that have a field",
    ["reference room:{p0} names"],
    [all("room:{int}", "set", { "room:1": ["17", "18"], "room:2": ["19"] }), map("names", ids)],
  ],
])("proves %s: %j", async (_, expected, patterns) => {
  expect(shown(await provedLinks(patterns, [], askOf(patterns)))).toEqual(expected)
})

it("suspects, and proves nothing where nobody answers", async () => {
  expect(await provedLinks([likes, fans], [], askOf([]))).toEqual([])
})

it("proves that texts lead to records", async () => {
  const user = all("user:{int}", "hash", Object.fromEntries(ids.map((id) => [`user:${id}`, ["id", id, "name", "a b"]])))
  const login = all("login:{word}", "string", { "login:ann": ["17"], "login:bob": ["18"], "login:eve": ["19"] })
  const entity: FoundEntity = { name: "user", pattern: user, idField: "id", indexes: [] }
  expect(shown(await provedLinks([login, user], [entity], askOf([login, user])))).toEqual([
    "reference login:{p0} user:{p0}",
  ])
  expect(await provedLinks([login, user], [], askOf([login, user]))).toEqual([])
})

const [set, hash] = [single("online", "set", ids), map("names", ids)]
/** Whose ids stand where, by pattern and place. */
const idsAs = (names: readonly (readonly [Pattern, string, string])[]): Ids => ({
  spec: () => undefined,
  of: (pattern, at) => names.find(([one, place]) => one === pattern && place === at)?.[2],
  isSecret: () => false,
})
const users = idsAs([
  [set, "member", "user"],
  [hash, "field", "user"],
  [likes, "{0}", "user"],
  [likes, "member", "post"],
  [fans, "{0}", "post"],
  [fans, "member", "user"],
])

it.each<[string, unknown[], Proved, Ids, free: boolean]>([
  [
    "two keys of the same ids, a hash before a set",
    [{ kind: "same", id: "user", patterns: [hash, set] }],
    { kind: "same", one: set, other: hash },
    users,
    true,
  ],
  [
    "two keys of ids of other things",
    [],
    { kind: "same", one: set, other: hash },
    idsAs([
      [set, "member", "user"],
      [hash, "field", "post"],
    ]),
    true,
  ],
  ["two keys of ids of nothing known", [], { kind: "same", one: set, other: hash }, idsAs([]), true],
  ["keys that belong to an entity", [], { kind: "same", one: set, other: hash }, users, false],
  [
    "two sides that cross",
    [{ kind: "inverse", patterns: [likes, fans] }],
    { kind: "inverse", one: likes, other: fans },
    users,
    true,
  ],
  [
    "two sides of the same thing",
    [],
    { kind: "inverse", one: likes, other: likes },
    idsAs([
      [likes, "{0}", "user"],
      [likes, "member", "user"],
    ]),
    true,
  ],
  [
    "members that are fields",
    [{ kind: "reference", id: "user", patterns: [set, hash] }],
    { kind: "reference", one: set, other: hash },
    users,
    true,
  ],
])("links %s", (_, links, proved, known, free) => {
  expect(namedLinks([proved], [], known, () => free)).toEqual(links)
})

it("says what holds of several keys once, and not what follows from it", () => {
  const five = ["a", "b", "c", "d", "e"].map((key) => single(key, "set", ids))
  const known = idsAs(five.map((one) => [one, "member", "user"] as const))
  const pairs = five.flatMap((one, i) => five.slice(i + 1).map((other): Proved => ({ kind: "same", one, other })))
  const shown = namedLinks(pairs, [], known, () => true).map(({ patterns }) =>
    patterns.map((one) => (one as Pattern).row.pattern()).join(" "),
  )
  expect(shown).toEqual(["a b", "a c", "a d", "a e"])
})

it("says of very many keys what was suspected first", () => {
  const sets = Array.from({ length: 20 }, (_, n) => single(`set${n}`, "set", ids))
  const known = idsAs([...sets.map((one) => [one, "member", "user"] as const), [hash, "field", "user"]])
  const proved = sets.map((one): Proved => ({ kind: "reference", one, other: hash }))
  expect(namedLinks(proved, [], known, () => true)).toHaveLength(10)
})

it("refers to one thing only, the first that was proved", () => {
  const reference: Proved = { kind: "reference", one: set, other: hash }
  expect(namedLinks([reference, reference], [], users, () => true).length).toBe(1)
})
