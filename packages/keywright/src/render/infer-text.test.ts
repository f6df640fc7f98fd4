import { expect, it } from "vitest"
import type { Inference } from "../inspect/infer/infer.ts"
import { inferText, lacksText } from "./infer-text.ts"
import { plain } from "./paint.cases.ts"

const base: Inference = {
  schemaVersion: 1,
  server: { rdb: "f" },
  keys: 10,
  explained: 9,
  form: { entries: {} } as unknown as Inference["form"],
  patterns: [],
  unexplained: [],
  toolkit: [],
  unreadable: [],
}
const odd = { db: 0, reason: "no pattern", pattern: "z:*", keys: 2, type: "list", examples: ["z:\n1"] } as const
const deviation = { db: 0, code: "KEY.TTL", pattern: "a:{x}", keys: 3, example: "a:1" }

it.each<[string, Partial<Inference>, string[]]>([
  ["how much is explained", {}, ["10 keys, 0 patterns; 90 % explained"]],
  ["that it was a sample", { explained: 10, sample: 0.1 }, ["10 keys, 0 patterns; all explained (a sample of 0.1)"]],
  [
    "how sure it is where values were sampled",
    { patterns: [{ doubt: 0 }, { doubt: 0.01234 }] as unknown as Inference["patterns"] },
    [
      "10 keys, 2 patterns; 90 % explained",
      "values were sampled in 1 patterns: with 95 % confidence at most 1.2 % of any differ from the proposal",
    ],
  ],
  [
    "what is not explained, on one line",
    { unexplained: [odd] },
    ["10 keys, 0 patterns; 90 % explained", "Not explained", "  2 × z:*: no pattern (list), e.g. z:\\n1"],
  ],
  [
    "how many it leaves out",
    {
      unexplained: Array.from(
        { length: 14 },
        () => ({ db: 0, reason: "not text", pattern: "?", keys: 1, examples: [] }) as const,
      ),
    },
    [
      "10 keys, 0 patterns; 90 % explained",
      "Not explained",
      ...Array.from({ length: 12 }, () => "  1 × ?: not text"),
      "  and 2 more; --json has all",
    ],
  ],
  [
    "what audit will say",
    { deviations: [deviation] },
    [
      "10 keys, 0 patterns; 90 % explained",
      "Out of step with the proposal, as audit will say",
      "  3 × a:{x}: KEY.TTL, e.g. a:1",
    ],
  ],
  [
    "Keywright's own keys",
    { toolkit: [{ db: 0, pattern: "keywright:x", keys: 1, doc: "D." }] },
    ["10 keys, 0 patterns; 90 % explained", "Keywright's own, which needs no declaration", "  1 × keywright:x: D."],
  ],
])("says %s", (_, more, lines) => {
  expect(inferText({ ...base, ...more }, plain).split("\n")).toEqual(lines)
})

it.each<[string, Inference["lacks"], string]>([
  ["nothing", undefined, "the schema says all of it"],
  [
    "a field",
    [{ db: 0, pattern: "a:{x}", keys: 1200, what: "fields", name: "a", detail: "d" }],
    "a:{x}  1,200 keys, a: d",
  ],
  ["a pattern", [{ db: 0, pattern: "b", keys: 1, what: "pattern", detail: "d" }], "b  1 keys: d"],
  [
    "keys",
    ["a", "b"].map((name) => ({ db: 0, pattern: name, keys: 0, what: "keys", name, detail: "" }) as const),
    "without a key here: a, b",
  ],
])("says that the schema lacks %s", (_, lacks, text) => {
  expect(lacksText({ ...base, ...(lacks && { lacks }) }, plain)).toBe(text)
})
