import { expect, it } from "vitest"
import { segmentsOf } from "./segments.ts"

/** `"user:17"` → `"user:{int}"`: separators and templates. */
const spelled = (key: string) =>
  segmentsOf(key)
    .map(({ sep, template }) => sep + template)
    .join("")

it.each([
  ["user:17", "user:{int}"],
  ["user/17/cart", "user/{int}/cart"],
  ["123_liked_posts", "{int}_liked_posts"],
  ["category3", "category{int}"],
  ["dau:2026-01-31", "dau:{day}"],
  ["log:2026-01-31T12:00:00Z", "log:{instant}"],
  ["session:0192f0c4-7a1e-7001-8abc-000000007919", "session:{uuid}"],
  ["mail:a@b.org", "mail:{email}"],
  ["net:10.0.0.1", "net:{ip}"],
  ["{17}:cart", "{{}}:cart"],
  ["a:{17}", "a:{{}}"],
  ["oauth2:v1", "oauth2:v1"],
  ["a::b", "a::b"],
])("%s is %s", (key, template) => {
  expect(spelled(key)).toBe(template)
})

it.each([
  ["that is very long", "a".repeat(1200)],
  ["of more segments than anybody would choose", "ab:".repeat(40)],
])("looks at the name of a key only %s", (_, rest) => {
  expect(segmentsOf(`page:${rest}`).map(({ kind, text }) => [kind, text])).toEqual([
    ["word", "page"],
    ["atom", rest],
  ])
})
