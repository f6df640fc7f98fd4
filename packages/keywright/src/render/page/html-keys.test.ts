import { expect, it } from "vitest"
import type { DocKey } from "./doc-model.ts"
import { fieldsTable, keyAnchor, keyCard, keyRow, marks, patternHtml } from "./html-keys.ts"

const key: DocKey = {
  name: "s.a",
  pattern: "a:{x}",
  type: "string",
  kind: "string",
  role: undefined,
  ttl: "never expires",
  keep: undefined,
  doc: "D `c`.",
  deprecated: undefined,
  when: undefined,
  evictable: false,
  writes: [],
  reads: [],
  params: [],
  parts: [],
  example: "SET a:1 <b>",
}
const none = { deprecated: undefined, when: undefined }
const secret = { name: "pin", type: "text", optional: true, secret: true }

it.each([
  ["a:{x}", "a:<wbr><var>{x}</var>"],
  ["{{t}}:a", "<var>{{t}}</var>:<wbr>a"],
  ["<b>:", "&lt;b&gt;:"],
])("the pattern %s may break after its separators", (pattern, html) => {
  expect(patternHtml(pattern)).toBe(`<code class="pattern">${html}</code>`)
})

it.each<[string, Partial<DocKey>, string]>([
  ["type and TTL", {}, '<li class="type t-string">string</li><li class="ttl">never expires</li>'],
  ["the kind where it says more", { kind: "counter" }, "string <small>counter</small></li>"],
  ["a TTL that is on", { ttl: "1h" }, '<li class="ttl on">1h</li>'],
  ["a TTL nobody decided on", { ttl: "undecided" }, '<li class="ttl bad">undecided</li>'],
  ["how many are kept", { keep: 9 }, "<li>newest 9 kept</li>"],
  ["eviction", { evictable: true }, "<li>may be evicted</li>"],
  ["secrets in parts", { parts: [secret] }, "holds secrets"],
  ["deprecation", { deprecated: "x" }, '<li class="bad">deprecated</li>'],
])("marks %s", (_, more, part) => {
  expect(marks({ ...key, ...more })).toContain(part)
  if (Object.keys(more).length > 0) expect(marks(key)).not.toContain(part)
})

it.each<[string, Partial<DocKey>, typeof none | object, RegExp, boolean]>([
  ["its example, escaped", {}, none, /SET a:1 &lt;b&gt;/, true],
  ["its doc with code", {}, none, /<p>D <code>c<\/code>\.<\/p>/, true],
  ["who writes it", { writes: ["a<", "b"] }, none, /<b>Written by<\/b> a&lt;, b/, true],
  ["why not to use it", { deprecated: "x" }, none, /<b>Deprecated\.<\/b> x/, true],
  ["nothing that its group says already", { deprecated: "x" }, { ...none, deprecated: "x" }, /<b>Deprecated/, false],
  ["when it exists", { when: "on" }, none, /Only when on\./, true],
  ["not when, if its group says so", { when: "on" }, { ...none, when: "on" }, /Only when/, false],
  [
    "its fields among what is searched",
    { parts: [secret] },
    none,
    /data-search="s\.a a:\{x\} string d `c`\. pin"/,
    true,
  ],
])("a card has %s", (_, more, inherited, part, isThere) => {
  expect(part.test(keyCard({ ...key, ...more }, inherited as typeof none))).toBe(isThere)
})

it("has rows of keys and of fields", () => {
  expect(keyRow({ ...key, role: "all ids" })).toContain('<td>all ids</td><td class="quiet">never expires</td>')
  expect(fieldsTable([secret], "Part")).toContain('<td><i>optional</i> <b class="lock">secret</b></td>')
  expect(fieldsTable([], "Part")).toBe("")
  expect(keyAnchor("s.a b")).toBe("k-s-a-b")
})
