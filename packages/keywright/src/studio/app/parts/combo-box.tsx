/* An input with suggestions under it, as screen readers know it: what the input and the list say about
 * each other. What is suggested, and what keys do, is decided by the parent. */

import type { ComponentChildren } from "preact"

interface Props {
  readonly id: string
  readonly value: string
  readonly placeholder: string
  readonly options: readonly { readonly text: string; readonly shown: ComponentChildren }[]
  /** What the list is of, for those who cannot see it. */
  readonly listLabel: string
  readonly isOpen: boolean
  /** The option that the arrows are at; -1: none. */
  readonly at: number
  readonly onType: (text: string) => void
  readonly onTake: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onFocus?: () => void
  readonly onBlur: () => void
}

export function ComboBox(props: Props) {
  const { id, value, placeholder, options, listLabel, isOpen, at, onType, onTake, onKeyDown, onFocus, onBlur } = props
  return (
    <>
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
        autocapitalize="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onFocus={onFocus}
        onBlur={onBlur}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isOpen ? (
        <ul class="options" id={`${id}-list`} role="listbox" aria-label={listLabel}>
          {options.map(({ text, shown }, i) => (
            <li
              key={text}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              onMouseDown={(event) => (event.preventDefault(), onTake(text))}
            >
              {shown}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
