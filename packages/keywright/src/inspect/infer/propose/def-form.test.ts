import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { placesOf } from "../structure/places.ts"
import { times } from "../values/values.cases.ts"
import { defForm, ttlForm } from "./def-form.ts"
import { idsOf, noIds } from "./proposal-params.ts"

const minutes = (n: number) => 60_000 * n
const lasting = (ttls: readonly number[]): Pattern => {
  const keys = ttls.map((ttl, i) => [`a:${i}`, ttl] as const)
  const byKey = new Map<string, number>(keys)
  return patternOfKeys(
    "a:{int}",
    "string",
    keys.map(([key]) => [key, ["a b"]]),
    { ttlMs: (key) => byKey.get(key)! },
  )
}

it.each<[string, object | string | undefined, number[]]>([
  ["stay, a hundred of them", "never", Array.from({ length: 100 }, () => -1)],
  ["stay, a few", undefined, [-1, -1]],
  ["go away", "10m", [minutes(3), minutes(9.9)]],
  ["go away, of which the longest is not known", undefined, [minutes(3), minutes(9)]],
  ["go away at different times", "10m", Array.from({ length: 20 }, (_, i) => minutes(0.4 * (i + 1)))],
  ["were all written at one time", undefined, Array.from({ length: 20 }, (_, i) => minutes(7) + i)],
  ["go away or stay", { either: ["10m", "never"] }, [minutes(9.9), -1]],
  ["are never far gone", { sliding: "10m" }, Array.from({ length: 200 }, (_, i) => minutes(6.4) + 1000 * i)],
])("keys that %s: %j", (_, form, ttls) => {
  expect(ttlForm(lasting(ttls))).toEqual(form)
})

const hash = patternFrom(
  "user:{int}",
  "hash",
  times(20, String).map((n) => ["id", n, "password", `p ${n}`, "name", "a b"]),
)
const texts = (spelling: string, ...values: string[]) =>
  patternFrom(
    spelling,
    "string",
    values.map((value) => [value]),
  )
const text = { codec: "text" }

it.each<[string, object, Pattern]>([
  [
    "a text",
    { kind: "string", pattern: "note:{note}", params: { note: { codec: "int" } }, shape: { value: text } },
    texts("note:{int}", "a b"),
  ],
  [
    "a record, whose fields may be secret",
    {
      kind: "hash",
      pattern: "user:{user}",
      params: { user: { codec: "int" } },
      shape: { fields: { id: { codec: "int" }, password: { codec: "secret", of: text }, name: text } },
    },
    hash,
  ],
  [
    "a secret text",
    { kind: "string", pattern: "password", shape: { value: { codec: "secret", of: text } } },
    texts("password", "x y"),
  ],
  [
    "a document with a secret field",
    { kind: "string", pattern: "login", secret: ["password"] },
    texts("login", '{"password":"x y","name":"z"}'),
  ],
  [
    "members in quotes",
    { kind: "set", pattern: "some", shape: { member: { codec: "quoted", of: text } } },
    patternFrom("some", "set", [['"x y"', '"z"']]),
  ],
  ["a bitmap, of which nothing is said", { kind: "bitmap", pattern: "bitmap" }, texts("bitmap", "a")],
])("declares %s", (_, form, pattern) => {
  expect(defForm(pattern, noIds, "never", "")).toMatchObject(form)
})

it("says the codecs of ids, but not of a counter's numbers", () => {
  const [set, counter] = [patternFrom("users", "set", [["1", "2"]]), texts("index:{word}", "1", "2")]
  const ids = idsOf(
    [{ name: "user", places: [...placesOf(set), ...placesOf(counter).filter(({ at }) => "part" in at)] }],
    [],
  )
  expect([set, counter].map((one) => defForm(one, ids, "never", "").shape)).toEqual([
    { member: { codec: "id", name: "user", of: { codec: "int" } } },
    { value: { codec: "int" } },
  ])
})

it.each([
  ["never", "", { pattern: "a:{a}", params: { a: { codec: "int" } }, ttl: "10m" }],
  ["10m", "", { pattern: "a:{a}", params: { a: { codec: "int" } } }],
  ["family", "a:{a}", { pattern: "" }],
] as const)("leaves out what the group says: %s %j", (around, prefix, form) => {
  const { kind: _, shape: __, ...rest } = defForm(lasting([minutes(9.9), minutes(8)]), noIds, around, prefix)
  expect(rest).toEqual(form)
})

const list = (length: number) => times(length, (i) => `item ${i}`)
it.each<[string, number | undefined, number[]]>([
  ["pile up at one length", 10, [10, 10, 10, 10, 10, 3]],
  ["are of any length", undefined, [10, 9, 8, 7, 6, 5]],
  ["are all of one length", undefined, [10, 10, 10, 10, 10, 10]],
  ["are short", undefined, [9, 9, 9, 9, 9, 3]],
  ["are of one odd length by chance", undefined, [27, 27, 27, 27, 27, 26, 3, 4]],
  ["are of one odd length on purpose", 27, [...Array.from({ length: 30 }, () => 27), 3]],
])("lists that %s are trimmed to %s", (_, keep, lengths) => {
  expect(defForm(patternFrom("feed:{int}", "list", lengths.map(list)), noIds, "never", "").keep).toBe(keep)
})
