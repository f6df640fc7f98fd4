import { expect, it } from "vitest"
import type { InspectedKey } from "../inspect/model/inspect-key.ts"
import { inspectedText } from "./inspected-text.ts"
import { plain } from "./paint.cases.ts"

const base: InspectedKey = {
  schemaVersion: 1,
  db: 0,
  key: "k:1",
  pattern: "k:{id}",
  name: "k",
  params: { id: "1" },
  type: "string",
  expectedType: "string",
  ttlMs: null,
  bytes: null,
  encoding: null,
  length: null,
  cut: false,
  relations: [],
}
const head = ["k:1", "  pattern   k:{id}  k", "  params    id=1", "  db        0"]
const typed = [...head, "  type      string", "  TTL       none"]
const relation = { name: "role", keys: ["r:1", "r:2"], count: 5, exists: true }

it.each<[string, Partial<InspectedKey>, string[]]>([
  ["what it is", {}, typed],
  ["that there is none", { type: "none", ttlMs: null }, [...head, "  type      there is no such key"]],
  ["a wrong type", { type: "list" }, [...head, "  type      list, declared as string", "  TTL       none"]],
  [
    "TTL and memory",
    { ttlMs: 90_000, bytes: 100, encoding: "raw", length: 1200 },
    [...head, "  type      string", "  TTL       1 min 30 s", "  memory    100 B, raw, length 1,200"],
  ],
  ["a text on its line", { value: "a\nb" }, [...typed, "  value", "    a\\nb"]],
  ["a document over several", { value: { a: 1n } }, [...typed, "  value", "    {", '      "a": "1"', "    }"]],
  [
    "elements and pairs, and that there are more",
    { value: ["x", ["f", 2]], cut: true },
    [...typed, "  value", "    x", "    f  2", "    … and more"],
  ],
  [
    "what it is related to",
    { relations: [relation, { name: "all", keys: ["r"], count: 1, exists: false }] },
    [...typed, "  related", "    role      r:1, r:2 and 3 more", "    all       r  (does not exist)"],
  ],
])("shows %s", (_, more, lines) => {
  expect(inspectedText({ ...base, ...more }, plain).split("\n")).toEqual(lines)
})

it("says when no pattern owns it, and why its value is not shown", () => {
  const { pattern: _, name: _name, params: _params, ...rest } = base
  const lines = inspectedText({ ...rest, hidden: true }, plain).split("\n")
  expect(lines[1]).toBe("  pattern   no pattern owns it")
  expect(lines.at(-1)).toBe("  value     hidden, because no pattern says what of it is secret: --secrets shows it")
})

it("shows the beginning of members that are too long to be read", () => {
  const text = inspectedText({ ...base, value: ["short", "x".repeat(3_000_000)] }, plain)
  expect(text.length).toBeLessThan(21_000)
  expect(text).toMatch(/ {4}short\n {4}x+… \(3,000,000 characters; --json shows all\)$/)
})
