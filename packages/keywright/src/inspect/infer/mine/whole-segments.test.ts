import { expect, it } from "vitest"
import { type Held, patternOfKeys } from "./pattern.cases.ts"
import { wholeSegments } from "./whole-segments.ts"

const numbers = ["7", "8", "9"]
const databases: Held = numbers.map((n) => [`rails:db_user_${n}_db:tables`, ["x"]])
const rows = (...patterns: ReturnType<typeof patternOfKeys>[]) => patterns.map(({ row }) => row)
const named = (values: readonly string[]) =>
  patternOfKeys(
    "user:{int}",
    "hash",
    values.map((value, i) => [`user:${i}`, ["id", String(i), "database", value]]),
  )
const own = () => patternOfKeys("rails:db_user_{int}_db:tables", "set", databases)
const whole = numbers.map((n) => `db_user_${n}_db`)

it.each<[string, values: string[], strangers: string[], pattern: string]>([
  ["a segment that a field holds as a whole is one parameter", whole, [], "rails:{p0}:tables"],
  ["of which a field has only two, is not", whole.slice(1), [], "rails:db_user_{p0}_db:tables"],
  [
    "of which a field has other numbers, is not",
    ["db_user_1_db", "db_user_2_db", "db_user_3_db"],
    [],
    "rails:db_user_{p0}_db:tables",
  ],
  ["that a stranger has as well, is not", whole, ["rails:other:tables"], "rails:db_user_{p0}_db:tables"],
])("%s", (_, values, strangers, pattern) => {
  const [found] = wholeSegments([{ db: 3, rows: rows(own(), named(values)), strangers }])
  expect([found!.db, found!.row.pattern(), found!.row.count]).toEqual([3, pattern, 3])
})

it("takes two keys for chance", () => {
  const two = patternOfKeys("rails:db_user_{int}_db:tables", "set", databases.slice(1))
  const [found] = wholeSegments([{ db: 0, rows: rows(two, named(whole)), strangers: [] }])
  expect(found!.row.pattern()).toBe("rails:db_user_{p0}_db:tables")
})

it("knows names of another database, and keeps texts and keys", () => {
  const [found] = wholeSegments([
    { db: 0, rows: rows(own()), strangers: [] },
    { db: 1, rows: rows(named(whole)), strangers: [] },
  ])
  expect(found!.row.pattern()).toBe("rails:{p0}:tables")
  expect([...found!.row.texts[0]!.values!.keys()]).toEqual(whole)
  expect(found!.row.main[1].examples).toEqual(databases.map(([key]) => key))
})

it("leaves a row as it is that would take another's keys", () => {
  const other = patternOfKeys("rails:{word}:tables", "set", [["rails:alice:tables", ["x"]]])
  const found = wholeSegments([{ db: 0, rows: rows(own(), other, named(whole)), strangers: [] }])
  expect(found[0]!.row.pattern()).toBe("rails:db_user_{p0}_db:tables")
})

it("joins several parameters of one segment, and keeps those of others", () => {
  const keys: Held = numbers.map((n) => [`a:${n}:x_${n}_y_${n}`, ["1"]])
  const composite = patternOfKeys("a:{int}:x_{int}_y_{int}", "set", keys)
  const [found] = wholeSegments([
    { db: 0, rows: rows(composite, named(numbers.map((n) => `x_${n}_y_${n}`))), strangers: [] },
  ])
  expect([found!.row.pattern(), found!.row.texts.map(({ samples }) => samples)]).toEqual([
    "a:{p0}:{p1}",
    [numbers, numbers.map((n) => `x_${n}_y_${n}`)],
  ])
})
