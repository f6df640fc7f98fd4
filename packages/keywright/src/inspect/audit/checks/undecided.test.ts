import { expect, it } from "vitest"
import { string, text } from "../../../index.ts"
import { modelFor } from "./check.cases.ts"
import { undecidedFinding } from "./undecided.ts"

it("names the pattern, and prints nothing of a key", () => {
  const row = modelFor({ a: string("a:{x}", text) }).keys.get("a")!
  expect(undecidedFinding(row)).toEqual({
    code: "TTL.UNDECIDED",
    db: 0,
    pattern: "a:{x}",
    key: "a:{x}",
    expected: "a ttl in the schema",
    found: "none",
    fixable: false,
  })
})
