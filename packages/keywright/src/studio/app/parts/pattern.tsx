import type { ComponentChildren } from "preact"

/** A pattern with its parameters set off, breakable after separators. */
export const Pattern = ({ of, short = "" }: { readonly of: string; readonly short?: string }) => (
  <code class="pattern">{pieces(of.startsWith(short) ? of.slice(short.length) || of : of)}</code>
)

function pieces(pattern: string): ComponentChildren[] {
  return pattern
    .split(/(\{+[^{}]+\}+)/)
    .filter((piece) => piece !== "")
    .map((piece, i) => (piece.startsWith("{") ? <var key={i}>{piece}</var> : breakable(piece)))
}

const breakable = (literal: string): ComponentChildren[] =>
  literal.split(/(?<=[:_-])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]))
