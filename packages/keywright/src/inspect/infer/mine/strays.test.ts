import { expect, it } from "vitest"
import { MinedRow } from "./row.ts"
import { straysIn } from "./strays.ts"

const id = { kind: "int", atom: "int" } as const
type Parts = ConstructorParameters<typeof MinedRow>[0]
const row = (parts: Parts, keys: readonly string[], type = "string", value: string | Uint8Array = "x"): MinedRow => {
  const made = new MinedRow(parts)
  for (const key of keys) made.add(key, type, -1).take(key, { type, elements: [value], cut: false })
  return made
}
const users = row(["user:", id], ["user:1", "user:2"])
const single = (key: string, type?: string, value?: string | Uint8Array) => row([key], [key], type, value)

it.each<[string, MinedRow[], number, string[]]>([
  ["a key under a word of its own", [users, single("foo:bar")], 200, ["foo:bar"]],
  ["a key under a word that others have", [users, single("user:next")], 200, []],
  ["two keys under one word", [users, single("foo:bar"), single("foo:baz")], 200, []],
  ["a name alone", [users, single("maintenance")], 200, []],
  ["a count", [users, single("foo:bar", "string", "17")], 200, []],
  ["a document", [users, single("foo:bar", "string", '{"a":1}')], 200, []],
  ["a bitmap", [users, single("foo:bar", "string", Uint8Array.of(0, 255))], 200, []],
  ["a collection", [users, single("foo:bar", "set")], 200, []],
  [
    "a key that another pattern would take",
    [row([id, ":", id], []), row([id, ":bar"], ["foo:bar", "x:bar"]), single("foo:bar")],
    200,
    [],
  ],
  ["a key of a small server", [users, single("foo:bar")], 20, []],
])("%s", (_, rows, keys, strays) => {
  expect(straysIn(rows, keys).map((one) => one.pattern())).toEqual(strays)
})
