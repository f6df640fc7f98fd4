/* A text field that completes: suggestions appear while typing, arrows choose, Enter
 * accepts, Escape cancels. What is typed counts as it is, with or without a suggestion. */

import { useEffect, useId, useRef, useState } from "preact/hooks"
import { ShownText } from "./shown-text.tsx"

interface Props {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly complete: (prefix: string, signal: AbortSignal) => Promise<readonly string[]>
  readonly onChoose: (text: string) => void
}

export function Combo({ label, hint, value, complete, onChoose }: Props) {
  const id = useId()
  const [text, setText] = useState(value)
  const [options, setOptions] = useState<readonly string[]>([])
  const [at, setAt] = useState(-1)
  const [open, setOpen] = useState(false)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => setText(value), [value])
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
  const isOpen = open && options.length > 0
  return (
    <div class="combo">
      <label for={id}>
        <code>{label}</code> <span class="quiet">{hint}</span>
      </label>
      <input
        id={id}
        class="input"
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="any"
        value={text}
        onFocus={() => ask(text)}
        onBlur={() => take(text)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          if (currentTarget.value === "") take("")
          ask(currentTarget.value)
        }}
        onKeyDown={press}
      />
      {isOpen ? (
        <ul class="options" id={`${id}-list`} role="listbox" aria-label={`Values of ${label}`}>
          {options.map((option, i) => (
            <li
              key={option}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              onMouseDown={(event) => (event.preventDefault(), take(option))}
            >
              <ShownText text={option} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
