/* Every line of docs/threat-model.md names a test that is there. */

import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
const page = readFileSync(at("docs/threat-model.md"), "utf8")
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| It ") && !line.startsWith("| They "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

describe("the threat model", () => {
  it("has lines", () => expect(rows.length).toBeGreaterThan(20))

  it.each(rows)("“%s” has a test that is there", (_, cell = "") => {
    const [, file = "", titles = ""] = /^`([^`]+\.test\.ts)` (.+)$/.exec(cell) ?? []
    expect(existsSync(at(file)), `${file} of “${cell}”`).toBe(true)
    const source = readFileSync(at(file), "utf8")
    const quoted = [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title!)
    expect(quoted.length).toBeGreaterThan(0)
    expect(quoted.filter((title) => !source.includes(title))).toEqual([])
  })

  it("is linked from SECURITY.md", () => {
    expect(readFileSync(at("SECURITY.md"), "utf8")).toContain("(docs/threat-model.md)")
  })
})
