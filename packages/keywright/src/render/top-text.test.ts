import { expect, it } from "vitest"
import type { TopFrame } from "../inspect/stats/top.ts"
import { plain } from "./paint.cases.ts"
import { topText } from "./top-text.ts"

const frame: TopFrame = {
  at: "",
  seconds: 1,
  perSecond: 1500,
  sample: { seconds: 0.2, seen: 300, lost: 0, cut: null },
  rows: [
    { command: "hget", pattern: "a:{x}", what: "key", perSecond: 1000 },
    { command: "get", pattern: null, what: "unknown key", perSecond: 1 },
    { command: "ping", pattern: null, what: "no key", perSecond: 0 },
  ],
}
const sample = frame.sample
const head = "1,500 commands/s  patterns from a sample of 20 % of the time (300 commands)"

it.each<[string, Partial<TopFrame>, string]>([
  ["the rate and the sample", {}, head],
  ["that counting began again", { perSecond: null }, head.replace("1,500 commands/s", "statistics were reset")],
  ["never more than all of the time", { seconds: 0 }, head.replace("20 %", "100 %")],
  [
    "what the sample missed",
    { sample: { ...sample, lost: 40 } },
    `${head}\nthe sample missed about 40 commands: the shares are rough`,
  ],
  [
    "a sample cut short",
    { sample: { ...sample, cut: "lines" } },
    `${head}\nthe sample was cut short: too many commands`,
  ],
  [
    "a sample that the server ended",
    { sample: { ...sample, cut: "connection" } },
    `${head}\nthe server ended the sample: its output buffer was full`,
  ],
])("says %s", (_, more, text) => {
  expect(topText({ ...frame, ...more }, { rows: 1, width: 80 }, plain).split("\n\n")[0]).toBe(text)
})

it("has a bar for each row, as long as its share, and counts the rows left out", () => {
  expect(topText(frame, { rows: 3, width: 80 }, plain).split("\n").slice(2)).toEqual([
    "per second  command  pattern",
    "     1,000  HGET     a:{x}                 ▇▇▇▇▇▇▇▇▇▇",
    "         1  GET      (no pattern owns it)  ▇",
    "         0  PING     (no key)",
  ])
  expect(topText(frame, { rows: 1, width: 80 }, plain).split("\n").at(-1)).toBe("and 2 more rows")
})
