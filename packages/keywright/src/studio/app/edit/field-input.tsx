import { useId } from "preact/hooks"
import type { FormField } from "../../api.ts"

interface Props {
  readonly field: FormField
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
  /** An existing secret: empty means that it stays. */
  readonly isKept?: boolean
}

/** One field of a form: its name, what it takes, and what is wrong with it. */
export function FieldInput({ field, text, error, onText, isKept = false }: Props) {
  const id = useId()
  const { name, type, optional, secret, doc, input, choices } = field
  const common = {
    id,
    class: "input",
    "aria-invalid": error !== undefined,
    "aria-describedby": error === undefined ? undefined : `${id}-error`,
  }
  const options = input === "boolean" ? ["true", "false"] : choices
  return (
    <div class="form-field">
      <label for={id}>
        <code>{name}</code>{" "}
        <span class="quiet small">
          {type}
          {optional ? ", optional" : ""}
          {secret ? ", secret" : ""}
        </span>
      </label>
      {options !== undefined ? (
        <select {...common} value={text} onChange={({ currentTarget }) => onText(currentTarget.value)}>
          <option value="">{optional ? "absent" : "choose…"}</option>
          {options.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : input === "json" || input === "multiline" ? (
        <textarea
          {...common}
          class="input mono"
          rows={4}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={input === "number" ? "decimal" : "text"}
          autocomplete="off"
          spellcheck={false}
          placeholder={isKept ? "unchanged" : optional ? "absent" : ""}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
      {doc === undefined ? null : <p class="quiet small">{doc}</p>}
      <p class="form-error small" id={`${id}-error`} role={error === undefined ? undefined : "alert"}>
        {error}
      </p>
    </div>
  )
}
