import { expect, it } from "vitest"
import type { Inference } from "../../inspect/infer/infer.ts"
import type { InferredKey } from "../../inspect/infer/propose/report.ts"
import { inferSource, shareText } from "./infer-source.ts"

const found: InferredKey = {
  name: "a",
  db: 0,
  pattern: "a:{x}",
  type: "string",
  kind: "string",
  keys: 1200,
  read: 1200,
  doubt: 0,
  ttl: { class: "none", rule: "never", without: 1200 },
  examples: ["a:1"],
  notes: [],
  seen: [],
} as InferredKey
const inference = (one: Partial<InferredKey>, more: Partial<Inference> = {}): Inference => ({
  schemaVersion: 1,
  server: { rdb: "/tmp/dump.rdb" },
  keys: 1300,
  explained: 1200,
  form: {
    entries: { a: { kind: "string", pattern: "a:{x}", shape: { value: { codec: "text" } } } },
  } as unknown as Inference["form"],
  patterns: [{ ...found, ...one }],
  unexplained: [],
  toolkit: [],
  unreadable: [],
  ...more,
})
const linesOf = (one: Partial<InferredKey>, more?: Partial<Inference>) =>
  inferSource(inference(one, more), { day: "2026-01-31" }).split("\n")

it.each<[string, Partial<InferredKey>, string[]]>([
  ["counts and an example", {}, ["1,200 keys · e.g. a:1"]],
  ["no example that is the pattern itself", { keys: 1, examples: ["a:{x}"] }, ["1 key"]],
  ["how much was read, where not all was", { doubt: 0.1, read: 300 }, ["1,200 keys · e.g. a:1 · 300 values read"]],
  ["mixed TTLs", { ttl: { class: "mixed", rule: "never", without: 5 } }, ["1,200 keys · e.g. a:1 · 5 without TTL"]],
  ["notes on values", { notes: ["gzip"] }, ["1,200 keys · e.g. a:1", "values: gzip"]],
  [
    "what was seen and may be chance",
    { seen: ["seen: no TTL", "seen: at most 27"] },
    ["1,200 keys · e.g. a:1 · seen: no TTL", "seen: at most 27"],
  ],
  ["whose it is, where that is known", { software: "RQ: jobs" }, ["── RQ: jobs ──", "1,200 keys · e.g. a:1"]],
  ["nothing of an index of an entity", { role: "index" }, []],
])("says %s above an entry", (_, one, comments) => {
  expect(linesOf(one).flatMap((line) => /^ +\/\/ (.*)/.exec(line)?.[1] ?? [])).toEqual(comments)
})

it("heads a group by whose it is, where all in it are one program's", () => {
  const text = { kind: "string", pattern: "{x}", shape: { value: { codec: "text" } } }
  const form = { entries: { q: { group: "scope", prefix: "q:", entries: { a: text } }, b: text } } as never
  const own = { ...found, software: "RQ: jobs", examples: [] }
  const patterns = [
    { ...own, name: "q.a" },
    { ...own, name: "b" },
  ]
  const lines = linesOf({}, { form, patterns }).map((line) => line.trim())
  expect(lines.filter((line) => line === "// ── RQ: jobs ──")).toHaveLength(2)
  expect(lines[lines.findIndex((line) => line.startsWith("q: scope(")) - 1]).toBe("// ── RQ: jobs ──")
})

it.each<[string, Partial<Inference>, string]>([
  ["a file", {}, "/* Proposed by keywright infer from /tmp/dump.rdb on 2026-01-31: 1,300 keys, 92.3 % explained."],
  [
    "a server",
    { server: { label: "redis://h (own connection)" } as never, keys: 0, explained: 0 },
    "/* Proposed by keywright infer from redis://h on 2026-01-31.",
  ],
])("names %s at the top", (_, more, line) => {
  expect(linesOf({}, more)[0]).toBe(line)
})

it.each([
  [999, 1000, "99.9 %"],
  [99_999, 100_000, "99.9 %"],
  [5, 5, "all"],
  [0, 0, "all"],
  [0, 7, "0 %"],
])("%i of %i is %s", (part, whole, text) => {
  expect(shareText(part, whole)).toBe(text)
})
