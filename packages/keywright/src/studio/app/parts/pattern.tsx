import type { ComponentChildren } from "preact"
import { ShownText } from "./shown-text.tsx"

interface Props {
  readonly of: string
  /** On one line, whatever room there is. */
  readonly line?: boolean
}

/** A pattern with its parameters set off, breakable after separators. Those of unknown keys may hold anything. */
export const Pattern = ({ of, line = false }: Props) => (
  <code class="pattern key">
    {of
      .split(/(\{+[^{}]+\}+)/)
      .filter((piece) => piece !== "")
      .map((piece, i) =>
        piece.startsWith("{") ? (
          <var key={i}>
            <ShownText text={piece} />
          </var>
        ) : line ? (
          <ShownText key={i} text={piece} />
        ) : (
          breakable(piece)
        ),
      )}
  </code>
)

const breakable = (literal: string): ComponentChildren[] =>
  literal
    .split(/(?<=[:_-])/)
    .flatMap((part, i) => [i === 0 ? null : <wbr key={`${i} break`} />, <ShownText key={i} text={part} />])
