import { expect, it } from "vitest"
import { code, codeBlock, prose } from "./markdown-prose.ts"

it.each([
  ["Plain words, `code` and <b>", "Plain words, `code` and &lt;b>"],
  ["`<b>` stays code", "`<b>` stays code"],
  ["``<b>`", "\\`\\`&lt;b>\\`"],
  ["`a``b` <i> `", "`a``b` &lt;i> \\`"],
  ["\\`<b>`", "\\\\`<b>`"],
  ["[a](javascript:alert(1)) ![b](x) [c]: d", "[a\\](javascript:alert(1)) ![b\\](x) [c\\]: d"],
  ["&lt;script&gt; & co", "&amp;lt;script&amp;gt; & co"],
  ["# no heading", "\\# no heading"],
  ["one\n\n<script>\n# two", "one &lt;script> # two"],
  ["turn\u202earound\u001b[2J", "turn\\\\u{202e}around\\\\x1b[2J"],
])("%j is prose, and no other mark than code", (text, shown) => {
  expect(prose(text)).toBe(shown)
})

it("ends code where it should end", () => {
  expect(code("a`b")).toBe("`` a`b ``")
  expect(codeBlock("redis", "SET a\n```\n<b>")).toBe("````redis\nSET a\n```\n<b>\n````")
})
