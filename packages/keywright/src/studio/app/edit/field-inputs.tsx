import { useId, useState } from "preact/hooks"
import type { FormField } from "../../api.ts"
import { textIn } from "./form-values.ts"
import type { useForm } from "./use-form.ts"

interface FieldsProps {
  readonly fields: readonly FormField[]
  readonly form: ReturnType<typeof useForm>
  /** Fields whose values are not shown, because they are secret, too long or not text; and what is said in their place. */
  readonly hidden?: ReadonlySet<string>
  readonly said?: string
}

export const FieldInputs = ({ fields, form, hidden, said = "unchanged" }: FieldsProps) => (
  <>
    {fields.map((field) => (
      <FieldInput
        key={field.name}
        field={field}
        text={textIn(form.texts, field.name)}
        error={form.issueOf(field.name)}
        onText={(text) => form.setText(field.name, text)}
        instead={hidden?.has(field.name) ? said : undefined}
      />
    ))}
  </>
)

interface Props {
  readonly field: FormField
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
  readonly instead: string | undefined
}

/** One field of a form: its name, what it takes, and what is wrong with it. */
function FieldInput({ field, text, error, onText, instead }: Props) {
  const id = useId()
  const { name, type, optional, secret, doc, input, choices } = field
  const common = {
    id,
    class: "input",
    "aria-invalid": error !== undefined,
    "aria-describedby": error === undefined ? undefined : `${id}-error`,
  }
  const options = input === "boolean" ? ["true", "false"] : choices
  // An input of one line would lose the others.
  const [hasLines] = useState(text.includes("\n"))
  const placeholder = instead ?? (optional ? "absent" : "")
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
      ) : input === "json" || input === "multiline" || hasLines ? (
        <textarea
          {...common}
          class="input mono"
          rows={4}
          spellcheck={false}
          placeholder={placeholder}
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
          placeholder={placeholder}
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
