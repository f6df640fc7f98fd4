import type { TopFrame, TopRow } from "../inspect/stats/top.ts"
import type { Paint } from "./paint.ts"
import { countText } from "./quantity.ts"
import { table } from "./table.ts"

/** One picture of `top`. */
export function topText(
  frame: TopFrame,
  { rows, width }: { readonly rows: number; readonly width: number },
  paint: Paint,
): string {
  const { perSecond, sample, seconds } = frame
  const most = Math.max(0, ...frame.rows.map((row) => row.perSecond))
  const share = Math.min(100, Math.round((100 * sample.seconds) / Math.max(seconds, 0.001)))
  const head = `${paint.bold(perSecond === null ? "statistics were reset" : `${countText(perSecond)} commands/s`)}  ${paint.dim(`patterns from a sample of ${share} % of the time (${countText(sample.seen)} commands)`)}`
  const warning =
    sample.lost > 0
      ? paint.yellow(`the sample missed about ${countText(sample.lost)} commands: the shares are rough`)
      : sample.cut === "lines"
        ? paint.yellow("the sample was cut short: too many commands")
        : sample.cut === "connection"
          ? paint.yellow("the server ended the sample: its output buffer was full")
          : undefined
  const shown = frame.rows.slice(0, rows)
  const bar = Math.max(6, Math.min(20, width - 70))
  const body = table(
    [
      { head: "per second", right: true },
      { head: "command" },
      { head: "pattern", most: Math.max(20, width - 28 - bar) },
      { head: "" },
    ],
    shown.map((row) => [
      countText(row.perSecond),
      row.command.toUpperCase(),
      place(row),
      barText(row.perSecond, most, bar),
    ]),
    (text, row, column) =>
      row < 0 || (column === 2 && shown[row]?.pattern === null)
        ? paint.dim(text)
        : column === 3
          ? paint.cyan(text)
          : text,
  )
  const more =
    frame.rows.length > shown.length ? paint.dim(`and ${frame.rows.length - shown.length} more rows`) : undefined
  return [head, warning, "", body, more].filter((line) => line !== undefined).join("\n")
}

const place = ({ pattern, what }: TopRow): string =>
  pattern ??
  { key: "", "unknown key": "(no pattern owns it)", "no key": "(no key)", "not sampled": "(not in the sample)" }[what]

const barText = (value: number, most: number, width: number): string =>
  "▇".repeat(most === 0 ? 0 : Math.max(value > 0 ? 1 : 0, Math.round((value / most) * width)))
