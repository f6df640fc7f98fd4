import { Icon, type IconName } from "./icon.tsx"

interface Props {
  readonly icon: IconName
  /** What it does: read out, and shown on hover. */
  readonly label: string
  readonly onClick: () => void
  readonly tiny?: boolean
  readonly pressed?: boolean
}

export const IconButton = ({ icon, label, onClick, tiny = false, pressed }: Props) => (
  <button
    type="button"
    class={tiny ? "icon-button tiny" : "icon-button"}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
)
