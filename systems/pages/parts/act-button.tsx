import type { ComponentChildren } from "preact"
import { attempt } from "../state/notice.ts"

interface Props {
  readonly onAct: () => Promise<unknown>
  readonly class?: string
  readonly label?: string
  readonly disabled?: boolean
  readonly pressed?: boolean
  /** It is where one is. */
  readonly current?: boolean
  readonly children: ComponentChildren
}

/** A button that does something; what goes wrong is said. */
export const ActButton = ({ onAct, class: look = "button small", label, pressed, current, ...rest }: Props) => (
  <button
    type="button"
    class={look}
    aria-label={label}
    aria-pressed={pressed}
    aria-current={current ? "true" : undefined}
    onClick={() => void attempt(onAct)}
    {...rest}
  />
)
