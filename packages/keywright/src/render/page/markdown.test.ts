import { expect, it } from "vitest"
import * as z from "zod"
import {
  counter,
  database,
  entity,
  family,
  hash,
  id,
  json,
  keyspace,
  map,
  sameIds,
  set,
  string,
  text,
  zset,
  type Keyspace,
} from "../../index.ts"
import { markdown } from "./markdown.ts"

const pageOf = (entries: object, options: object = {}, level = 1) =>
  markdown(keyspace(entries as Record<string, never>, options) as Keyspace, { level })

const token = id("token")
const Doc = json(z.object({ id: z.string(), sex: z.enum(["M", "F"]) }))

it.each<[string, string, string]>([
  ["a title", pageOf({ a: string("a", text) }, { name: "shop", doc: "D." }), "# shop\n\nD.\n\n| key |"],
  ["titles below another", pageOf({ a: string("a", text) }, {}, 3), "### Keyspace\n"],
  [
    "a row for a key",
    pageOf({ a: string("a", text, { doc: "One | two.", ttl: "1h" }) }),
    "| `a` | string | One \\| two. | 1h from each write |",
  ],
  ["a bar in a pattern", pageOf({ a: string("a|b", text) }), "| `a\\|b` | string |"],
  ["a bar in a field", pageOf({ a: hash("a", { "x|y": text }) }), "| `x\\|y` | text |"],
  ["the kind where it says more", pageOf({ a: counter("a") }), "**string** (counter) · undecided"],
  ["choices in a cell", pageOf({ p: entity("p:{id}", Doc) }), '| `sex` | "M" \\| "F" | |'.replace("| |", "|  |")],
  [
    "an entity's keys by their role",
    pageOf({ p: entity("p:{id}", Doc, { all: "p:all" }) }),
    "| `p:all` | set | all ids | undecided |",
  ],
  [
    "a family as one",
    pageOf({ f: family("f:{x}", { ttl: "1h" }, { a: string(":a", text), b: set(":b", text) }) }),
    "*These keys live and die together",
  ],
  ["an example", pageOf({ m: map("m", token, text) }), "```redis\nHSET m token1 value1\n```"],
  [
    "the rules",
    pageOf({ a: set("a", token), b: zset("b", token) }, { invariants: [sameIds(token, ["a", "b"])] }),
    "## What must hold\n\n- the same token ids are in `a` and `b`",
  ],
  [
    "a database by number",
    pageOf({ d: database(2, "x", { a: string("a", text) }), e: database(3, "y", {}) }),
    "| 2 | `a` | string |",
  ],
  [
    "a diagram",
    pageOf({ v: set("v:{token}", id("item")) }, { params: { token } }),
    '```mermaid\nerDiagram\n  token\n  item\n  token ||--o{ item : "v"\n```',
  ],
])("has %s", (_, page, part) => {
  expect(page).toContain(part)
})
