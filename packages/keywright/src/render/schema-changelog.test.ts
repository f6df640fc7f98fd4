import { expect, it } from "vitest"
import { differences, shownDifference } from "./diff.cases.ts"
import { changelogMarkdown, type SchemaChapter } from "./schema-changelog.ts"

const chapter = (more: Partial<SchemaChapter>): SchemaChapter => ({
  commit: "abcdef12",
  day: "2026-01-31",
  subject: "feat: carts",
  changes: [],
  ...more,
})
const { changes: harmless } = shownDifference(differences.harmless)
const { changes: breaking } = shownDifference(differences.release)

it.each<[string, string[], Partial<SchemaChapter>]>([
  ["where the schema begins", ["The schema begins here."], { isFirst: true }],
  ["why it could not be compared", ["Not compared: no &lt;file>"], { problem: "no <file>" }],
  ["what is harmless", ["- `PATTERN.ADDED` `more`: a new pattern (`more`)"], { changes: harmless }],
  [
    "who breaks, and in which order to deploy",
    [
      '- `ENUM.REMOVED` `order.status`: a value is removed (`"sent"`) · **breaks-writers**, writers first',
      "- `TTL.SHORTENED` `page`: keys expire sooner (`30d → 7d`) · **silent**, readers first",
    ],
    { changes: breaking },
  ],
])("says %s", (_, lines, more) => {
  expect(changelogMarkdown("shop", [chapter(more)]).split("\n")).toEqual([
    "# Changes of the schema shop",
    "",
    "## 2026-01-31 feat: carts (`abcdef12`)",
    "",
    ...lines,
    "",
  ])
})

it("has a chapter for each commit, in their order, and lets no subject make markup", () => {
  const text = changelogMarkdown("<b>", [chapter({ subject: "<img>", isFirst: true }), chapter({ changes: harmless })])
  expect(text.match(/^#.*/gm)).toEqual([
    "# Changes of the schema &lt;b>",
    "## 2026-01-31 &lt;img> (`abcdef12`)",
    "## 2026-01-31 feat: carts (`abcdef12`)",
  ])
})
