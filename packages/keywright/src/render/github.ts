/* Findings as workflow commands of GitHub: annotations at their lines. */

import { oneLine } from "./printable.ts"
import type { SarifFinding } from "./sarif.ts"

/** One line for each. */
export const githubAnnotations = (findings: readonly SarifFinding[]): string =>
  findings
    .map(({ code, severity, message, fix, at }) => {
      const level = severity === "note" ? "notice" : severity
      const place = at ? [`file=${property(at.file)}`, `line=${at.line}`] : []
      const text = fix === undefined ? oneLine(message) : `${oneLine(message)}\nfix: ${oneLine(fix)}`
      return `::${level} ${[...place, `title=${property(code)}`].join(",")}::${data(text)}`
    })
    .join("\n")

const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
const property = (text: string): string => data(oneLine(text)).replaceAll(":", "%3A").replaceAll(",", "%2C")
