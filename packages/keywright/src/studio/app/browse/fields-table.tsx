import type { FieldRow } from "../../api.ts"
import { ShownCode } from "../parts/shown-text.tsx"
import { Table } from "../parts/table.tsx"
import { CellView } from "./cell-view.tsx"
import type { Form } from "./value-form.ts"

interface Props {
  readonly system: string
  readonly fields: readonly FieldRow[]
  readonly form: Form
}

/** The fields of a record, declared ones first. */
export const FieldsTable = ({ system, fields, form }: Props) => (
  <Table class="fields" columns={["Field", "Value"]}>
    {fields.map(({ name, value, type, declared, missing }) => (
      <tr key={name}>
        <td>
          <ShownCode class="break" text={name} />
          <p class="quiet small cut" title={type}>
            {declared ? type : <span class="badge warn">not declared</span>}
          </p>
        </td>
        <td class="break">
          {missing ? <span class="badge bad">missing</span> : <CellView system={system} cell={value} form={form} />}
        </td>
      </tr>
    ))}
  </Table>
)
