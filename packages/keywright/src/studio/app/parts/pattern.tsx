import type { ComponentChildren } from "preact"

interface Props {
  readonly of: string
  /** On one line, whatever room there is. */
  readonly line?: boolean
}

/** A pattern with its parameters set off, breakable after separators. */
export const Pattern = ({ of, line = false }: Props) => <code class="pattern">{pieces(of, line)}</code>

function pieces(pattern: string, line: boolean): ComponentChildren[] {
  return pattern
    .split(/(\{+[^{}]+\}+)/)
    .filter((piece) => piece !== "")
    .map((piece, i) => (piece.startsWith("{") ? <var key={i}>{piece}</var> : line ? piece : breakable(piece)))
}

const breakable = (literal: string): ComponentChildren[] =>
  literal.split(/(?<=[:_-])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]))
