import { useId } from "preact/hooks"
import type { FormField } from "../../api.ts"
import type { useForm } from "./use-form.ts"

interface FieldsProps {
  readonly fields: readonly FormField[]
  readonly form: ReturnType<typeof useForm>
  /** Existing secrets that are left empty stay as they are. */
  readonly isChange?: boolean
}

export const FieldInputs = ({ fields, form, isChange = false }: FieldsProps) => (
  <>
    {fields.map((field) => (
      <FieldInput
        key={field.name}
        field={field}
        text={form.texts[field.name] ?? ""}
        error={form.issueOf(field.name)}
        onText={(text) => form.setText(field.name, text)}
        isKept={isChange && field.secret}
      />
    ))}
  </>
)

interface Props {
  readonly field: FormField
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
  readonly isKept: boolean
}

/** One field of a form: its name, what it takes, and what is wrong with it. */
function FieldInput({ field, text, error, onText, isKept }: Props) {
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
