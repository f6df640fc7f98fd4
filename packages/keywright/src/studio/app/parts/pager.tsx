import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { Button } from "./button.tsx"

interface Props {
  readonly onBack: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly busy?: boolean
  /** Which rows these are. */
  readonly children: ComponentChildren
  /** Whether `[` and `]` turn these pages; of several pagers only one should. */
  readonly keys?: boolean
}

export function Pager({ onBack, onNext, busy = false, children, keys = true }: Props) {
  useEffect(() => {
    if (!keys) return
    const press = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey) return
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) return
      if (key === "[") onBack?.()
      if (key === "]") onNext?.()
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  })
  return (
    <div class="pager" aria-busy={busy}>
      <span>{children}</span>
      <span class="pager-buttons">
        <Button look="small" text="Back" disabled={onBack === undefined} onClick={onBack} />
        <Button look="small" text="Next" disabled={onNext === undefined} onClick={onNext} />
      </span>
    </div>
  )
}
