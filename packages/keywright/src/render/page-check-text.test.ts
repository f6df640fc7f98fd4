import { expect, it } from "vitest"
import type { PageFinding } from "../inspect/check/check-page-server.ts"
import { pageCheckText } from "./page-check-text.ts"
import { plain } from "./paint.cases.ts"

const one = (message: string, more: Partial<PageFinding> = {}): PageFinding => ({
  code: "P.X",
  severity: "error",
  message,
  wrong: ["page"],
  at: { file: "keys.md", line: 3 },
  ...more,
})
const row = (line: string, who: string, message: string) => `${line.padStart(5)}  ${who.padEnd(13)}  ${message}`

it.each<[string, PageFinding[], string[]]>([
  ["nothing", [], ["", "", "wrong: nothing for certain"]],
  [
    "the line, who is wrong, and the fix",
    [one("m", { fix: "f", alsoLines: [7, 9] })],
    ["keys.md", row("3", "page", "m  (also 7, 9)"), `${" ".repeat(22)}fix f`, "", "wrong: 1 on the page"],
  ],
  [
    "who may be wrong, without a fix",
    [one("m", { wrong: ["page", "schema"], fix: "f" })],
    ["keys.md", row("3", "page?/schema?", "m"), "", "wrong: nothing for certain; 1 that the server cannot decide"],
  ],
  [
    "what no page has",
    [one("m", { at: undefined as never, wrong: ["schema"] })],
    ["nowhere on the page", row("", "schema", "m"), "", "wrong: 1 in the schema"],
  ],
  [
    "files apart, and notes not as wrong",
    [one("m"), one("n", { at: { file: "b.md", line: 12 }, wrong: ["server"] }), one("o", { severity: "note" })],
    [
      "keys.md",
      row("3", "page", "m"),
      row("3", "page", "o"),
      "",
      "b.md",
      row("12", "server", "n"),
      "",
      "wrong: 1 on the page, 1 on the server; 1 note",
    ],
  ],
])("says %s", (_, findings, lines) => {
  expect(pageCheckText(findings, plain).split("\n")).toEqual(lines)
})
