interface Props {
  readonly text: string
  /** `first` is what one most likely wants; `danger` destroys something. */
  readonly look?: "first" | "danger" | "small"
  readonly disabled?: boolean
  readonly onClick: (() => void) | undefined
}

export const Button = ({ text, look, disabled, onClick }: Props) => (
  <button type="button" class={look === undefined ? "button" : `button ${look}`} disabled={disabled} onClick={onClick}>
    {text}
  </button>
)
