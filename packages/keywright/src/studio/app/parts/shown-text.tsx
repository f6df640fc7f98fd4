import { textPieces } from "./text-pieces.ts"

interface Props {
  readonly text: string
  /** Line breaks as such, for longer text. */
  readonly lines?: boolean
}

/** Any text as text: what would not be seen is shown by its number. */
export const ShownText = ({ text, lines = false }: Props) => (
  <>
    {textPieces(text, lines ? "keep" : "show").map(({ text: piece, odd }, i) =>
      odd ? (
        <span key={i} class="odd">
          {piece}
        </span>
      ) : (
        piece
      ),
    )}
  </>
)

/** The same as code: a key, a command. */
export const ShownCode = ({ text, class: name }: { readonly text: string; readonly class?: string }) => (
  <code class={name}>
    <ShownText text={text} />
  </code>
)
