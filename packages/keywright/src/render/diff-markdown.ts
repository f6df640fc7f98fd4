/* A difference of two schemas as Markdown: the comment of a pull request, or a chapter of a
 * changelog. */

import type { Change } from "../change/diff/change.ts"
import type { Level, Verdict } from "../change/diff/verdict.ts"
import { shellLine } from "../errors/shell-line.ts"
import { dataText, differentOrders, orderText, type ShownDifference } from "./diff-text.ts"
import { code, codeBlock, paragraphs, prose } from "./page/markdown-prose.ts"
import { counted } from "./quantity.ts"

const signs: Readonly<Record<Verdict, string>> = { works: "✓", fails: "✗ fails", silent: "≈ silent", "n/a": "·" }

const headlines: Readonly<Record<Level, string>> = {
  harmless: "harmless",
  data: "nothing breaks, but the data needs work",
  "breaks-readers": "breaks readers",
  "breaks-writers": "breaks writers",
  silent: "goes wrong silently",
}

export function diffMarkdown(shown: ShownDifference): string {
  const { changes, before, after } = shown
  const title = `## Schema change: ${headlines[shown.level]}`
  if (changes.length === 0) return `## Schema change: none that matters\n\n${code(before)} → ${code(after)}\n`
  const text = paragraphs([
    title,
    `${code(before)} → ${code(after)}: ${counted(changes.length, "change")}. **Deploy ${orderText(shown.order)}.**${differentOrders(changes)}`,
    changesTable(changes),
    reasons(changes),
    steps(shown),
    questions(shown),
    legend(changes),
  ])
  return `${text}\n`
}

function changesTable(changes: readonly Change[]): string {
  const isCounted = changes.some(({ keys }) => keys !== undefined)
  const head = `| change | where | old readers | new readers | old writers | new writers | order |${isCounted ? " data |" : ""}`
  const rows = changes.map(
    (change) =>
      `| ${code(change.code)} ${cell(change.title)}<br>${code(cell(change.what))} | ${code(cell(change.path))} | ${signs[change.oldReader]} | ${signs[change.newReader]} | ${signs[change.oldWriter]} | ${signs[change.newWriter]} | ${change.order} |${isCounted ? ` ${change.keys === undefined ? "" : dataText(change.keys, change.misfits)} |` : ""}`,
  )
  return [head, `|---|---|---|---|---|---|---|${isCounted ? "---|" : ""}`, ...rows].join("\n")
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

function reasons(changes: readonly Change[]): string {
  const told = changes.filter(({ level }) => level !== "harmless")
  return told.map(({ path, why }) => `- ${code(path)}: ${prose(why)}`).join("\n")
}

function steps({ changes, advice }: ShownDifference): string {
  const lines = changes.flatMap((change, i) =>
    (advice[i] ?? []).map(({ when, command, text }) =>
      command === undefined ? `# ${when}${place(change)}: ${text}` : `${command}   # ${when}${place(change)}: ${text}`,
    ),
  )
  return lines.length === 0 ? "" : `### What to do\n\n${codeBlock("sh", [...new Set(lines)].join("\n"))}`
}

/** Where, in a comment: a shell that is typed into may not know comments. */
const place = ({ path }: Change): string => shellLine` (${path})` ?? ""

const questions = (shown: ShownDifference): string =>
  shown.questions
    .map(
      ({ before, after }) =>
        `> Was ${code(before)} renamed to ${code(after)}? Then say so in the schema: ${code(`was: "${before}"`)}.`,
    )
    .join("\n>\n")

const legend = (changes: readonly Change[]): string =>
  changes.every(({ level }) => level === "harmless")
    ? ""
    : "<sub>✓ works · ✗ fails with an error · ≈ wrong, lost or incomplete without an error · Old readers meet what new writers write; new readers and new writers meet what is there; old writers continue beside new programs. A writer that reads first counts as a reader.</sub>"
