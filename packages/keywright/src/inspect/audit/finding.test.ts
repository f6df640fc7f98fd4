import { expect, it } from "vitest"
import { finding } from "./finding.ts"

it("shows nothing of what repair needs", () => {
  const shown = { code: "A.B", db: 0, pattern: "a:{x}", key: "a:…", expected: "e", found: "f", fixable: true }
  const made = finding(shown, { db: 0, key: "a:secret", name: "a", reads: [], replies: ["secret"] })
  expect(JSON.stringify(made)).toBe(JSON.stringify(shown))
  expect(Object.keys({ ...made })).not.toContain("target")
  expect(made.target.key).toBe("a:secret")
})
