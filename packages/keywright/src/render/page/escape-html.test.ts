import { expect, it } from "vitest"
import { escapeHtml } from "./escape-html.ts"

it.each([
  ["plain: text", "plain: text"],
  ["<b>", "&lt;b&gt;"],
  [`"a" & 'b'`, "&quot;a&quot; &amp; &#39;b&#39;"],
  ["&amp;", "&amp;amp;"],
])("%j means itself as %s", (text, escaped) => {
  expect(escapeHtml(text)).toBe(escaped)
})
