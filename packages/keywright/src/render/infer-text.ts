/* What infer says in addition to the proposal: how sure it is, and what it could not explain. */

import type { Inference } from "../inspect/infer/infer.ts"
import { oneLine } from "./printable.ts"
import { shareText } from "./source/infer-source.ts"
import type { Paint } from "./paint.ts"
import { countText } from "./quantity.ts"

const MOST = 12

export function inferText(inference: Inference, paint: Paint): string {
  const { keys, explained, patterns, unexplained, deviations = [], sample, toolkit } = inference
  const lines = [
    `${countText(keys)} keys, ${countText(patterns.length)} patterns; ${shareText(explained, keys)} explained${sample === undefined ? "" : ` (a sample of ${sample})`}`,
  ]
  const unread = patterns.filter(({ doubt }) => doubt > 0)
  if (unread.length > 0) {
    const most = Math.max(...unread.map(({ doubt }) => doubt))
    lines.push(
      `values were sampled in ${unread.length} patterns: with 95 % confidence at most ${Number((100 * most).toPrecision(2))} % of any differ from the proposal`,
    )
  }
  if (toolkit.length > 0) {
    lines.push(paint.bold("Keywright's own, which needs no declaration"))
    for (const { keys: count, pattern, doc } of toolkit) lines.push(`  ${countText(count)} × ${pattern}: ${doc}`)
  }
  if (unexplained.length > 0) {
    lines.push(paint.bold("Not explained"))
    for (const { keys: count, reason, pattern, type, examples } of unexplained.slice(0, MOST))
      lines.push(
        oneLine(
          `  ${countText(count)} × ${pattern}: ${reason}${type === undefined ? "" : ` (${type})`}${examples.length === 0 ? "" : `, e.g. ${examples[0]}`}`,
        ),
      )
    if (unexplained.length > MOST) lines.push(`  and ${unexplained.length - MOST} more; --json has all`)
  }
  if (deviations.length > 0) {
    lines.push(paint.bold("Out of step with the proposal, as audit will say"))
    for (const { code, pattern, keys: count, example } of deviations.slice(0, MOST))
      lines.push(oneLine(`  ${countText(count)} × ${pattern}: ${code}, e.g. ${example}`))
    if (deviations.length > MOST) lines.push(`  and ${deviations.length - MOST} more; --json has all`)
  }
  return lines.join("\n")
}

/** What a given schema lacks, a line each. */
export function lacksText({ lacks = [] }: Inference, paint: Paint): string {
  const found = lacks.filter(({ what }) => what !== "keys")
  const empty = lacks.filter(({ what }) => what === "keys")
  const lines = found.map(
    ({ pattern, keys, name, detail }) =>
      `${paint.bold(pattern)}  ${countText(keys)} keys${name === undefined ? "" : `, ${name}`}: ${detail}`,
  )
  if (empty.length > 0) lines.push(`without a key here: ${empty.map(({ name }) => name).join(", ")}`)
  return lines.length === 0 ? "the schema says all of it" : lines.join("\n")
}
