import { expect, it } from "vitest"
import { inlineMarkdown } from "./inline-markdown.ts"

it.each([
  ["no mark", "no mark"],
  ["a `b` and `c`", "a <code>b</code> and <code>c</code>"],
  ["`<b>` & <i>", "<code>&lt;b&gt;</code> &amp; &lt;i&gt;"],
  ["one ` alone, `` none", "one <code> alone, </code>` none"],
  ["**no** [link](x)", "**no** [link](x)"],
])("%j is %s", (text, html) => {
  expect(inlineMarkdown(text)).toBe(html)
})
