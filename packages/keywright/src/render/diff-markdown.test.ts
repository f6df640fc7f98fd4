import { expect, test } from "vitest"
import { diffMarkdown } from "./diff-markdown.ts"
import { differences, shownDifference } from "./diff.cases.ts"

test("the comment of a pull request: who breaks, why, in which order, and what to do", () => {
  const text = diffMarkdown(shownDifference(differences.release))
  expect(text.split("\n").slice(0, 8)).toEqual([
    "## Schema change: goes wrong silently",
    "",
    "`old.ts` → `new.ts`: 2 changes. **Deploy all at once: stop the old programs, take care of the data, start the new ones.** They need different orders: deployed one by one, each can follow its own.",
    "",
    "| change | where | old readers | new readers | old writers | new writers | order |",
    "|---|---|---|---|---|---|---|",
    '| `ENUM.REMOVED` a value is removed<br>`"sent"` | `order.status` | ✓ | ✗ fails | ✗ fails | ✗ fails | writers first |',
    "| `TTL.SHORTENED` keys expire sooner<br>`30d → 7d` | `page` | ≈ silent | ✓ | ≈ silent | ✓ | readers first |",
  ])
  expect(text).toContain("- `page`: What old readers count on vanishes sooner; what old writers write stays longer.")
  expect(text).toContain("### What to do\n\n```sh\nkeywright audit --url …   # before deploying (order.status): ")
  expect(text).toContain("A writer that reads first counts as a reader.")
})

test("what is harmless needs no legend, and nothing at all no table", () => {
  const harmless = diffMarkdown(shownDifference(differences.harmless))
  expect(harmless).toContain("## Schema change: harmless")
  expect(harmless).not.toContain("<sub>")
  expect(diffMarkdown(shownDifference(differences.none))).toBe(
    "## Schema change: none that matters\n\n`old.ts` → `new.ts`\n",
  )
})

test("a possible rename is asked about", () => {
  expect(diffMarkdown(shownDifference(differences.renamed))).toContain(
    '> Was `cart` renamed to `basket`? Then say so in the schema: `was: "cart"`.',
  )
})

test("with data, each row says how many keys it concerns and how many do not fit", () => {
  const shown = shownDifference(differences.release)
  const changes = shown.changes.map((change, i) => ({ ...change, keys: 3 + i, misfits: i }))
  const text = diffMarkdown({ ...shown, changes })
  expect(text).toContain("| writers first | 3 keys, all of which fit |")
  expect(text).toContain("| readers first | 4 keys, 1 of which do not fit |")
})

test("a pattern with a pipe, a backtick or markup stays in its cell, as text", () => {
  const row = diffMarkdown(shownDifference(differences.hostile))
    .split("\n")
    .find((line) => line.includes("PATTERN.MOVED"))!
  expect(row.replaceAll("\\|", "").split("|").length).toBe(9)
  expect(row).toContain("<b>")
  expect(row).toMatch(/`{2,}[^`].*<b>.*`{2,}/)
})

test("a backslash before a pipe does not escape the one that keeps the pipe in its cell", () => {
  const row = diffMarkdown(shownDifference(differences.backslashes))
    .split("\n")
    .find((line) => line.includes("PATTERN.MOVED"))!
  expect(row).toContain("<b>")
  expect(row).not.toMatch(/\\\\\|/)
  expect(row.split("|").length).toBe(9)
})
