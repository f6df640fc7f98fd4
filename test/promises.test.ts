/* Every promise in docs/promises.md names a test that is there. */

import { describe, expect, it } from "vitest"
import { namedTests, readPage, testRows } from "./named-tests.ts"

const page = readPage("docs/promises.md")
const rows = testRows(page).filter(([promise]) => promise !== "Promise")

describe("the promises", () => {
  it("has lines", () => expect(rows.length).toBeGreaterThan(20))

  it.each(rows)("“%s” has a test that is there", (_, cell = "") => expect(namedTests(cell)).toEqual([]))

  it("are linked from the README", () => expect(readPage("README.md")).toContain("(docs/promises.md)"))
})
