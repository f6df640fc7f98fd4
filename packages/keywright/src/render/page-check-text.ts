/* A page, the schema and the server, line by line: which of the three is wrong. */

import type { PageFinding, Wrong } from "../inspect/check/check-page-server.ts"
import type { Paint } from "./paint.ts"
import { counted } from "./quantity.ts"

const ALL: readonly Wrong[] = ["page", "schema", "server"]

export function pageCheckText(findings: readonly PageFinding[], paint: Paint): string {
  const files = [...new Set(findings.map(({ at }) => at?.file))]
  const parts = files.map((file) => {
    const own = findings.filter(({ at }) => at?.file === file)
    return [paint.bold(file ?? "nowhere on the page"), ...own.map((finding) => line(finding, paint))].join("\n")
  })
  return `${parts.join("\n\n")}\n\n${countsText(findings)}`
}

function line({ at, alsoLines, wrong, message, severity, fix }: PageFinding, paint: Paint): string {
  const shade = { error: paint.red, warning: paint.yellow, note: paint.cyan }[severity]
  const number = (at === undefined ? "" : String(at.line)).padStart(5)
  const who = wrong.join("?/") + (wrong.length > 1 ? "?" : "")
  const more = alsoLines && alsoLines.length > 0 ? paint.dim(`  (also ${alsoLines.join(", ")})`) : ""
  const remedy = wrong.length > 1 || fix === undefined ? "" : `\n${" ".repeat(22)}${paint.dim(`fix ${fix}`)}`
  return `${paint.dim(number)}  ${shade(who.padEnd(13))}  ${message}${more}${remedy}`
}

/** `"wrong: 3 on the page, 1 in the schema, 2 on the server"` */
function countsText(findings: readonly PageFinding[]): string {
  const sure = findings.filter(({ wrong, severity }) => wrong.length === 1 && severity !== "note")
  const counts = ALL.map((who) => [who, sure.filter(({ wrong }) => wrong[0] === who).length] as const)
  const shown = counts
    .filter(([, count]) => count > 0)
    .map(([who, count]) => `${count} ${who === "schema" ? "in" : "on"} the ${who}`)
  const open = findings.filter(({ wrong }) => wrong.length > 1).length
  const notes = findings.filter(({ severity }) => severity === "note").length
  return [
    `wrong: ${shown.length === 0 ? "nothing for certain" : shown.join(", ")}`,
    ...(open > 0 ? [`${open} that the server cannot decide`] : []),
    ...(notes > 0 ? [counted(notes, "note")] : []),
  ].join("; ")
}
