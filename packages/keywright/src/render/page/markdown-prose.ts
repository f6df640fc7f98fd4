/* A schema's own words in a Markdown page: `code` is the only markup they may use. What
 * would be HTML, a link or an image is text, as it is in the HTML page. */

import { oneLine } from "../printable.ts"

/** One paragraph. */
export function prose(text: string): string {
  const pieces = oneLine(text.replace(/\s+/g, " ").trim()).split(/(`+)/)
  let out = ""
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!
    const close = i % 2 === 1 ? pieces.findIndex((one, at) => at > i && at % 2 === 1 && one === piece) : -1
    if (close < 0) out += i % 2 === 1 ? piece.replaceAll("`", "\\`") : inert(piece)
    else {
      out += pieces.slice(i, close + 1).join("")
      i = close
    }
  }
  return out
}

/** Those that there are. */
export const paragraphs = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n")

const inert = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/\](?=[([:])/g, "\\]")
    .replace(/^(?=[#>|~=-]|\d+[.)])/, "\\")

/** A word of code, whatever is in it. */
export function code(text: string): string {
  const shown = oneLine(text)
  if (!shown.includes("`")) return `\`${shown}\``
  const fence = "`".repeat(1 + Math.max(...[...shown.matchAll(/`+/g)].map(([run]) => run.length)))
  return `${fence} ${shown} ${fence}`
}

/** Lines of code, which end where they should. */
export function codeBlock(language: string, text: string): string {
  const fence = "`".repeat(Math.max(3, 1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))))
  return `${fence}${language}\n${text}\n${fence}`
}
