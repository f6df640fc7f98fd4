import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { IconButton } from "./icon-button.tsx"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly class?: string
}

/** A modal dialog: the browser keeps the focus in it and gives it back; Escape closes. */
export function Dialog({ title, onClose, children, class: name }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-label={title}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div class="dialog-head">
        <h2>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      {children}
    </dialog>
  )
}
