/* A text field that completes: suggestions appear while typing, arrows choose, Enter
 * accepts, Escape cancels. What is typed counts as it is, with or without a suggestion. */

import { useId, useRef, useState } from "preact/hooks"
import { ComboBox } from "./combo-box.tsx"
import { ShownText } from "./shown-text.tsx"
import { useStateOf } from "../state/use-state-of.ts"

interface Props {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly complete: (prefix: string, signal: AbortSignal) => Promise<readonly string[]>
  readonly onChoose: (text: string) => void
}

export function Combo({ label, hint, value, complete, onChoose }: Props) {
  const id = useId()
  const [text, setText] = useStateOf(value, value)
  const [options, setOptions] = useState<readonly string[]>([])
  const [at, setAt] = useState(-1)
  const [open, setOpen] = useState(false)
  const abort = useRef<AbortController>(undefined)
  const ask = (prefix: string) => {
    abort.current?.abort()
    const asking = new AbortController()
    abort.current = asking
    complete(prefix, asking.signal).then(
      (found) => {
        if (asking.signal.aborted) return
        setOptions(found)
        setAt(-1)
        setOpen(true)
      },
      () => setOptions([]),
    )
  }
  const take = (chosen: string) => {
    abort.current?.abort()
    setOpen(false)
    setText(chosen)
    if (chosen !== value) onChoose(chosen)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      setOpen(true)
      setAt((at + step + options.length) % options.length)
    }
    if (event.key === "Enter") take(open ? (options[at] ?? text) : text)
    if (event.key === "Escape") {
      setOpen(false)
      setText(value)
    }
  }
  return (
    <div class="combo">
      <label for={id}>
        <code>{label}</code> <span class="quiet">{hint}</span>
      </label>
      <ComboBox
        id={id}
        value={text}
        placeholder="any"
        options={options.map((option) => ({ text: option, shown: <ShownText text={option} /> }))}
        listLabel={`Values of ${label}`}
        isOpen={open && options.length > 0}
        at={at}
        onType={(typed) => {
          setText(typed)
          if (typed === "") take("")
          ask(typed)
        }}
        onTake={take}
        onKeyDown={press}
        onFocus={() => ask(text)}
        onBlur={() => take(text)}
      />
    </div>
  )
}
