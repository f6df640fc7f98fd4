import { useState } from "preact/hooks"
import type { Edit, ElementsPage, KeyDetail } from "../../api.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { Empty } from "../parts/empty.tsx"
import { schemas } from "../state/studio.ts"
import { ConfirmEdit } from "./confirm-edit.tsx"
import { FieldInputs } from "./field-inputs.tsx"
import { textIn, textsOf, untypableOf } from "./form-values.ts"
import { useForm } from "./use-form.ts"

interface Props {
  readonly system: string
  readonly detail: KeyDetail
  readonly columns: readonly string[]
  /** What is changed; undefined to add one. */
  readonly row: ElementsPage["rows"][number] | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

export function ElementForm({ system, detail, columns, row, onClose, onDone }: Props) {
  const fields = schemas.value[system]?.forms[detail.name ?? ""]?.fields ?? []
  const cellOf = (field: string) => row?.cells[columns.indexOf(field)]
  const hidden = untypableOf(fields, cellOf)
  const form = useForm(fields, undefined, textsOf(fields, cellOf))
  const [edit, setEdit] = useState<Edit | undefined>(undefined)
  const { db, ref } = detail
  if (edit !== undefined)
    return (
      <ConfirmEdit
        system={system}
        edit={edit}
        onClose={onClose}
        onDone={onDone}
        onIssues={(issues) => {
          setEdit(undefined)
          form.setIssues(issues)
        }}
      />
    )
  const submit = (event: Event) => {
    event.preventDefault()
    // An element is replaced as a whole: what the form does not show would be lost.
    const missing = [...hidden].filter((name) => textIn(form.texts, name) === "")
    if (missing.length > 0)
      return form.setIssues(missing.map((field) => ({ field, message: "it is not shown here: enter all of it" })))
    const values = form.read()
    if (values !== undefined) setEdit({ op: "put", db, ref, ...(row && { element: row.element }), fields: values })
  }
  return (
    <Dialog title={row === undefined ? "Add an element" : "Change the element"} onClose={onClose}>
      {fields.length === 0 ? (
        <Empty title="The schema has no form for these elements" />
      ) : (
        <form onSubmit={submit} noValidate>
          <div class="dialog-body">
            <FieldInputs fields={fields} form={form} hidden={hidden} said="enter all of it" />
            {form.others.map(({ field, message }) => (
              <p key={field} class="note bad" role="alert">
                {message}
              </p>
            ))}
          </div>
          <div class="dialog-foot">
            <Button text="Cancel" onClick={onClose} />
            <button type="submit" class="button first">
              Continue
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
