import { ShownText } from "studio/parts/shown-text.tsx"
import { ActButton } from "../parts/act-button.tsx"

interface Props {
  readonly name: string
  readonly button?: string
  readonly onLeave: () => unknown
}

/** Who is logged in, and the way out. */
export const Account = ({ name, button = "Log out", onLeave }: Props) => (
  <div class="account">
    <b class="cut">
      <ShownText text={name} />
    </b>
    <ActButton onAct={async () => onLeave()}>{button}</ActButton>
  </div>
)
