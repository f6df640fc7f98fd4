import { expect, it } from "vitest"
import { database, family, id, keyspace, sameIds, scope, set, string, text, zset, type Keyspace } from "../../index.ts"
import type { Layout } from "./diagram-svg.ts"
import { html } from "./html.ts"

const layout: Layout = ({ nodes, edges }) => ({
  width: 1,
  height: 1,
  nodes: nodes.map(() => ({ x: 0, y: 0 })),
  edges: edges.map(() => ({
    points: [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ],
    label: { x: 0, y: 0 },
  })),
})
const pageOf = (entries: object, options: object = {}) =>
  html(keyspace(entries as Record<string, never>, options) as Keyspace, layout, "f<1>")

const one = { a: string("a:{x}", text) }
const token = id("token")
const tokens = { a: set("a", token), b: zset("b", token) }

it.each<[string, object, object, string]>([
  ["its title, escaped", one, { name: "<shop>" }, "<h1>&lt;shop&gt;</h1>"],
  ["its lead", one, { doc: "All `keys`." }, '<p class="lead">All <code>keys</code>.</p>'],
  ["the fingerprint, escaped", one, {}, "Fingerprint <code>f&lt;1&gt;</code>"],
  ["how many patterns there are", one, {}, "<li><b>1</b> key pattern</li></ul>"],
  ["what expires, and what nobody decided on does not", one, { ttl: "1h" }, "<li><b>1</b> with a TTL</li>"],
  [
    "the rules",
    tokens,
    { invariants: [sameIds(token, ["a", "b"])] },
    "<li>the same token ids are in <code>a</code> and <code>b</code></li>",
  ],
  ["the path of a group", { s: scope("s:", { t: scope("t:", one) }) }, {}, "<h2>s › t</h2>"],
  [
    "a family as one",
    { f: family("f:{x}", { ttl: "1h" }, { a: string(":a", text), b: set(":b", text) }) },
    {},
    "live and die together",
  ],
  ["an empty database", { d: database(3, "spare", {}) }, {}, "Nothing is kept here."],
  ["its keys in a short contents", one, {}, '<li class="sub"><a href="#k-a"><code>a:{x}</code></a></li>'],
  [
    "a diagram where ids are related",
    { v: set("v:{token}", id("item")) },
    { params: { token } },
    "Ids and what connects them",
  ],
])("shows %s", (_, entries, options, part) => {
  expect(pageOf(entries, options)).toContain(part)
})

it("leaves out what there is none of", () => {
  expect(pageOf(one)).not.toMatch(/id="(?:diagram|relations|rules|steps)"/)
})
