/* Sentences that continue on the next line: most pages are wrapped by hand, or by an editor. */

import { isRow } from "./page-tables.ts"
import type { MaskedLine } from "./page-text.ts"

/** Begins something else: an item, a quote, a heading, a block, a rule, a label such as `TTL: 10m`. */
const BEGINNING =
  /^\s*(?:[-*+>]\s|\d+[.)]\s|#|```|~~~|-{3,}|={3,}|(?:\*\*)?[A-Za-z_]+(?:[ -][A-Za-z]+)?(?:\*\*)?\s*[:=](?:\s|$|\*))/
/** Lines after which no sentence continues: a heading, a block, a rule, a deliberate break. */
const ENDING = /^\s*(?:#|```|~~~|-{3,}|={3,})|(?: {2}|\\)$/

/** Whether a line continues the one before it: in the same paragraph, or the same item of a list. */
export const continues = (before: MaskedLine | undefined, line: MaskedLine | undefined): boolean =>
  before !== undefined &&
  line !== undefined &&
  [before, line].every((one) => !one.code && !isRow(one) && one.raw.trim() !== "") &&
  !ENDING.test(before.raw) &&
  !BEGINNING.test(line.raw)

export interface WrappedSentence {
  readonly text: string
  /** The lines that it is on, with what each has of it. */
  readonly parts: readonly { readonly line: MaskedLine; readonly text: string }[]
}

/** What is on more lines than these is not followed. */
const MOST = 8

/** The sentences of a page that are on several lines. */
export function wrappedSentences(lines: readonly MaskedLine[]): WrappedSentence[] {
  const found: WrappedSentence[] = []
  let parts: WrappedSentence["parts"][number][] = []
  const end = () => {
    if (parts.length > 1 && parts.length <= MOST) found.push({ text: parts.map(({ text }) => text).join(" "), parts })
    parts = []
  }
  for (const [i, line] of lines.entries()) {
    if (!continues(lines[i - 1], line)) end()
    if (line.code || isRow(line) || line.raw.trim() === "") continue
    const pieces = line.raw.trim().split(/(?<=[.;])\s+/)
    for (const [at, text] of pieces.entries()) {
      if (at > 0) end()
      parts.push({ line, text })
    }
    if (/[.;]$/.test(pieces.at(-1)!)) end()
  }
  end()
  return found
}
