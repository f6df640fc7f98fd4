import { ShownText } from "studio/parts/shown-text.tsx"
import { attempt } from "../state/notice.ts"

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
    <button type="button" class="button small" onClick={() => void attempt(async () => onLeave())}>
      {button}
    </button>
  </div>
)
