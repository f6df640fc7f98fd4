import { expect, it } from "vitest"
import { patternFrom } from "../mine/pattern.cases.ts"
import { hex, token, uuid } from "../mine/segments.cases.ts"
import { exampleOf } from "./redact.ts"

const pattern = patternFrom("session:{token}:of:{word}")

it.each<[string, string, string, secret?: number]>([
  ["a plain key as it is", "session:a:of:ann", "session:a:of:ann"],
  ["a secret parameter left out", "session:a:of:ann", "session:a:of:…", 1],
  ["a token left out, whatever it is called", `session:${token(1)}:of:ann`, "session:…:of:ann"],
  ["a UUID left out", `session:a:of:${uuid(1)}`, "session:a:of:…"],
  ["a digest left out", `session:${hex(1, 40)}:of:ann`, "session:…:of:ann"],
  ["a short number of digits as it is", "session:1234abcd:of:ann", "session:1234abcd:of:ann"],
  ["a key of another form without what looks like a token", `other:${token(1)}`, "other:…"],
  ["a long key cut", `session:a:of:${"x ".repeat(100)}`, `session:a:of:${"x ".repeat(53)}x…`],
])("shows %s", (_, key, shown, secret) => {
  expect(exampleOf(pattern, key, (param) => param === secret)).toBe(shown)
})
