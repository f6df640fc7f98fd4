import { useState } from "preact/hooks"
import { attempt } from "../state/notice.ts"
import { IconButton } from "./icon-button.tsx"

/** Copies a text; says so for a moment. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    setTimeout(() => setDone(false), 1200)
  }
  return (
    <IconButton
      tiny
      icon={done ? "check" : "copy"}
      label={done ? "Copied" : `Copy ${what}`}
      onClick={() => attempt(copy())}
    />
  )
}
