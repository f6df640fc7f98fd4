import { useState } from "preact/hooks"
import type { Cell, Edit, EditForm, KeyDetail } from "../../api.ts"
import { hrefOfKey } from "../parts/key-link.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { ShownCode } from "../parts/shown-text.tsx"
import { findPattern } from "../browse/find-pattern.ts"
import { go, href } from "../state/route.ts"
import { schemas, systemNamed } from "../state/studio.ts"
import { secondsText } from "../../../render/quantity.ts"
import { ConfirmEdit } from "./confirm-edit.tsx"
import { FieldInputs } from "./field-inputs.tsx"
import { textsOf, untypableOf } from "./form-values.ts"
import { useForm } from "./use-form.ts"

interface Props {
  readonly system: string
  readonly form: EditForm
  /** What is changed; undefined to create. */
  readonly detail: KeyDetail | undefined
  readonly onStale: () => void
}

/** A form drawn from the schema. */
export function EditFormPage({ system, form, detail, onStale }: Props) {
  const params = useForm(form.params, undefined)
  const fields = useForm(form.fields, detail && textsOf(form.fields, cellIn(detail)))
  const [ttl, setTtl] = useState(0)
  const [edit, setEdit] = useState<Edit | undefined>(undefined)
  const pattern = findPattern(schemas.value[system]?.tree ?? [], form.name)
  const isNew = detail === undefined
  const submit = (event: Event) => {
    event.preventDefault()
    const read = { params: isNew ? params.read() : {}, fields: fields.read() }
    if (read.params === undefined || read.fields === undefined) return
    if (detail === undefined)
      setEdit({
        op: "create",
        pattern: form.name,
        params: read.params as Record<string, string>,
        fields: read.fields,
        ...(form.ttls !== undefined && { ttlMs: form.ttls[ttl] ?? null }),
      })
    else if (Object.keys(read.fields).length === 0) fields.setIssues([{ field: "", message: "nothing was changed" }])
    else setEdit({ op: "change", db: detail.db, ref: detail.ref, seen: detail.seen, fields: read.fields })
  }
  return (
    <div class="page narrow">
      <PageHead
        title={
          isNew ? (
            <>
              New <Pattern of={pattern?.pattern ?? form.name} />
            </>
          ) : (
            <>
              Edit <ShownCode class="key break" text={detail.key} />
            </>
          )
        }
        crumbs={[
          { text: "Changes", href: href("changes") },
          { text: systemNamed(system)?.title ?? system, href: href("browse", [system]) },
          { text: form.name, href: href("browse", [system, form.name]) },
        ]}
        lead={pattern?.doc}
      />
      <form class="card form" onSubmit={submit} noValidate>
        {isNew ? <FieldInputs fields={form.params} form={params} /> : null}
        <FieldInputs
          fields={form.fields}
          form={fields}
          {...(detail !== undefined && { hidden: untypableOf(form.fields, cellIn(detail)) })}
        />
        {form.ttls === undefined || !isNew ? null : (
          <div class="form-field">
            <label for="ttl">Expires</label>
            <select
              class="input"
              id="ttl"
              value={String(ttl)}
              onChange={({ currentTarget }) => setTtl(Number(currentTarget.value))}
            >
              {form.ttls.map((ms, i) => (
                <option key={i} value={String(i)}>
                  {ms === null ? "never" : `after ${secondsText(ms / 1000)}`}
                </option>
              ))}
            </select>
          </div>
        )}
        {fields.others.map(({ field, message }) => (
          <p key={field} class="note bad" role="alert">
            {field === "" ? "" : <b>{field}: </b>}
            {message}
          </p>
        ))}
        <div class="form-foot">
          <a class="button" href={isNew ? href("browse", [system, form.name]) : hrefOfKey(system, detail)}>
            Cancel
          </a>
          <button type="submit" class="button first">
            {isNew ? "Create…" : "Save…"}
          </button>
        </div>
      </form>
      {edit === undefined ? null : (
        <ConfirmEdit
          system={system}
          edit={edit}
          onClose={() => setEdit(undefined)}
          onIssues={(issues) => {
            setEdit(undefined)
            const ofParams = issues.filter(({ field }) => field.startsWith("params."))
            params.setIssues(ofParams.map(({ field, message }) => ({ field: field.slice("params.".length), message })))
            fields.setIssues(issues.filter((issue) => !ofParams.includes(issue)))
          }}
          onDone={({ link }) => {
            setEdit(undefined)
            onStale()
            go(link === undefined ? href("changes") : hrefOfKey(system, link))
          }}
        />
      )}
    </div>
  )
}

/** The cell of a field, as the key has it now. */
const cellIn =
  ({ fields, value }: KeyDetail) =>
  (field: string): Cell | undefined =>
    fields?.find(({ name }) => name === field)?.value ?? (field === "value" ? value : undefined)
