/* Every line of docs/threat-model.md names a test that is there. */

import { describe, expect, it } from "vitest"
import { namedTests, readPage, testRows } from "./named-tests.ts"

const rows = testRows(readPage("docs/threat-model.md")).filter(([line = ""]) => !/^(It|They) /.test(line))

describe("the threat model", () => {
  it("has lines", () => expect(rows.length).toBeGreaterThan(20))

  it.each(rows)("“%s” has a test that is there", (_, cell = "") => expect(namedTests(cell)).toEqual([]))

  it("is linked from SECURITY.md", () => expect(readPage("SECURITY.md")).toContain("(docs/threat-model.md)"))
})
